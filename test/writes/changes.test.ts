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

  test('leaves what it does not name of the prices that it names', async () => {
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

  test('starts to sell it with what is given', async () => {
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
