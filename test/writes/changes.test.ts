import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Worker } from '../../src/jobs/worker.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { startTestSandbox } from '../support/sandbox.js';
import { type Answer, startApp } from '../support/service.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';

let sandbox: Sandbox;
let app: App;
let worker: Worker;
let books: Writing;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url, WRITE_WAIT_MS: '60000' });
  worker = await startWorker(sandbox);
  books = await createWriting(app, sandbox);
});
afterAll(async () => {
  await worker?.stop();
  await app?.close();
  await sandbox?.stop();
});

const change = (path: string, item: object): Promise<Answer> =>
  books.caller.put(path, { company_id: books.companyId, data: [item] });

describe('a change of an item', () => {
  const ITEMS = '/v3/accounting/items';

  test('keeps the parts of a price that it does not name', async () => {
    const { sales, rent, tax } = books.ids;
    const invoice_item = { account_id: sales, tax_id: tax, unit_price: '95.5', description: 'Sold' };
    const bill_item = { account_id: rent, tax_id: tax, unit_price: '40', description: 'Bought' };
    const { body: made } = await books.write(ITEMS, [
      { name: 'Pen', code: 'PEN-1', invoice_item, bill_item },
    ]);
    const { platform_id } = made.data;
    const described = await change(ITEMS, { platform_id, invoice_item: { description: 'Sold by the box' } });
    const sold = { ...invoice_item, unit_price: 95.5, description: 'Sold by the box' };
    const bought = { ...bill_item, unit_price: 40 };
    expect(described.body.data).toMatchObject({ invoice_item: sold, bill_item: bought });
    const priced = await change(ITEMS, { platform_id, bill_item: { unit_price: '41.25' } });
    expect(priced.body.data).toMatchObject({
      invoice_item: sold,
      bill_item: { ...bought, unit_price: 41.25 },
    });
  });

  test('warns of null, which changes nothing, and empties a text with an empty one', async () => {
    const invoice_item = { unit_price: '7', description: 'Sold' };
    const { body: made, headers } = await books.write(ITEMS, [
      { name: 'Cap', code: 'CAP-1', description: 'Blue', invoice_item, bill_item: null },
    ]);
    expect(headers.get('x-svc-item-warning')).toBeNull();
    const { platform_id } = made.data;
    const kept = await change(ITEMS, {
      platform_id,
      description: null,
      invoice_item: { description: null },
    });
    expect(kept.body.data).toMatchObject({ description: 'Blue', invoice_item: { description: 'Sold' } });
    expect(kept.headers.get('x-svc-item-warning')).toBe(
      'description: null is not written: the field stays unchanged; ' +
        'invoice_item.description: null is not written: the field stays unchanged',
    );
    const emptied = await change(ITEMS, { platform_id, description: '' });
    expect(emptied.body.data.description).toBeNull();
    expect(emptied.headers.get('x-svc-item-warning')).toBeNull();
  });

  test('clears prices and references that the platform can clear, by their own names in raw_data', async () => {
    const { rent } = books.ids;
    const { body: made } = await books.write(ITEMS, [
      { name: 'Gum', code: 'GUM-1', bill_item: { account_id: rent, unit_price: '3' } },
    ]);
    const { platform_id } = made.data;
    expect(made.data).toMatchObject({ is_bill_item: true, bill_item: { unit_price: 3 } });
    const item = await change(ITEMS, { platform_id, raw_data: { Buying: null } });
    expect(item.headers.get('x-svc-item-warning')).toBeNull();
    expect(item.body.data).toMatchObject({ name: 'Gum', is_bill_item: false });
    expect(item.body.data.bill_item?.unit_price ?? null).toBeNull();

    const line = { account_id: rent, quantity: '1', unit_amount: '4' };
    const spent = await books.write('/v3/accounting/expenses', [
      { contact_id: books.ids.vendor, account_id: books.ids.bank, line_items: [line] },
    ]);
    expect(spent.body.data.contact_id).toBe(books.ids.vendor);
    const cleared = await change('/v3/accounting/expenses', {
      platform_id: spent.body.data.platform_id,
      raw_data: { Partner: null },
    });
    expect(cleared.body.data).toMatchObject({ contact_id: null, total_amount: 4 });
  });

  test('starts selling it with the given values', async () => {
    const { body: made } = await books.write(ITEMS, [{ name: 'Ink', code: 'INK-1' }]);
    const { platform_id } = made.data;
    expect(made.data.invoice_item).toBeNull();
    const { body } = await change(ITEMS, { platform_id, invoice_item: { description: 'Black' } });
    expect(body.data).toMatchObject({
      is_invoice_item: true,
      invoice_item: { unit_price: 0, description: 'Black', account_id: null, tax_id: null },
    });
  });
});

describe('a change of a contact', () => {
  const CONTACTS = '/v3/accounting/contacts';

  /** The numbers and links of a contact, by kind. */
  async function reachedBy(svcId: number): Promise<string[]> {
    const expand = 'expand=phone_numbers,external_links';
    const { body } = await books.caller.get(`${CONTACTS}/${svcId}?${expand}`);
    const { phone_numbers: numbers, external_links: links } = body.data;
    return [
      ...numbers.map((one: any) => `${one.type} ${one.number}`),
      ...links.map((one: any) => `${one.type} ${one.link}`),
    ];
  }

  test('leaves the numbers and links that it does not name', async () => {
    const { body: made } = await books.write(CONTACTS, [
      {
        name: 'Reached Co',
        contact_type: 'VENDOR',
        telephone: '1',
        mobile: '2',
        email: 'a@reached.example',
        website: 'https://reached.example',
      },
    ]);
    const { platform_id, svc_id } = made.data;
    await change(CONTACTS, { platform_id, mobile: '22', fax: '3' });
    expect(await reachedBy(svc_id)).toEqual([
      'TELEPHONE 1',
      'MOBILE 22',
      'FAX 3',
      'EMAIL a@reached.example',
      'WEBSITE https://reached.example',
    ]);
  });

  test('clears the numbers and links that it gives as empty', async () => {
    const { body: made } = await books.write(CONTACTS, [
      {
        name: 'Quiet Co',
        contact_type: 'VENDOR',
        telephone: '1',
        mobile: '2',
        fax: '3',
        email: 'a@quiet.example',
        website: 'https://quiet.example',
      },
    ]);
    const { platform_id, svc_id } = made.data;
    await change(CONTACTS, { platform_id, mobile: '' });
    await change(CONTACTS, { platform_id, email: '', website: '' });
    expect(await reachedBy(svc_id)).toEqual(['TELEPHONE 1', 'FAX 3']);
    const { status } = await change(CONTACTS, { platform_id, telephone: '', mobile: '', fax: '' });
    expect(status).toBe(200);
    expect(await reachedBy(svc_id)).toEqual([]);
  });

  test('replaces the first number or address if the platform has several of a kind', async () => {
    const lists = {
      Phones: [
        { Use: 'landline', Number: '1' },
        { Use: 'mobile', Number: '2' },
        { Use: 'landline', Number: '11' },
      ],
      Emails: ['a@several.example', 'b@several.example', 'c@several.example'],
    };
    const { body: made } = await books.write(CONTACTS, [
      { name: 'Several Co', contact_type: 'VENDOR', raw_data: lists },
    ]);
    const { platform_id, svc_id } = made.data;
    await change(CONTACTS, { platform_id, telephone: '5', email: 'c@several.example' });
    expect(await reachedBy(svc_id)).toEqual([
      'TELEPHONE 5',
      'MOBILE 2',
      'TELEPHONE 11',
      'EMAIL c@several.example',
      'EMAIL b@several.example',
    ]);
    await change(CONTACTS, { platform_id, telephone: '' });
    expect(await reachedBy(svc_id)).toEqual([
      'MOBILE 2',
      'EMAIL c@several.example',
      'EMAIL b@several.example',
    ]);
  });

  test("is rebuilt if the platform's record has changed when the request arrives", async () => {
    const { body: made } = await books.write(CONTACTS, [
      { name: 'Moving Co', contact_type: 'VENDOR', mobile: '2' },
    ]);
    const { platform_id, svc_id } = made.data;
    const changes = ['telephone', 'fax', 'mobile'].map((field) =>
      change(CONTACTS, { platform_id, [field]: field }),
    );
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await reachedBy(svc_id)).sort()).toEqual(['FAX fax', 'MOBILE mobile', 'TELEPHONE telephone']);
  });
});

test.each(['', ' ', '.', '..'])(
  'refuses a change of the invalid id %j without sending it',
  async (platform_id) => {
    for (const path of ['contacts', 'items', 'invoices', 'bills', 'expenses']) {
      const { status, body } = await change(`/v3/accounting/${path}`, {
        platform_id,
        raw_data: { Text: 'x' },
      });
      expect({ path, status, error: body.error }).toEqual({
        path,
        status: 400,
        error: {
          code: 'missing-params',
          message: 'Missing required field: platform_id. It is required',
          field: 'platform_id',
          platform_error: null,
        },
      });
    }
  },
);
