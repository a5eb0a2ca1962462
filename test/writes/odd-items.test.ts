import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Worker } from '../../src/jobs/worker.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { startTestSandbox } from '../support/sandbox.js';
import { startApp } from '../support/service.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';

/** Items that no platform could take, beside one that it can. */
let sandbox: Sandbox;
let app: App;
let worker: Worker;
let books: Writing;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url });
  worker = await startWorker(sandbox);
  books = await createWriting(app, sandbox);
});
afterAll(async () => {
  await worker?.stop();
  await app?.close();
  await sandbox?.stop();
});

const ITEMS = '/accounting/items';
const good = { name: 'Good chair', type: 'SERVICE', is_invoice_item: true };
let made = 0;
/** Codes of items are unique at the platform. */
const fresh = () => ({ ...good, code: `GC-${(made += 1)}` });
const half = '\ud83d';

/** The body as text, so that a number keeps its notation. */
const bulk = (odd: string) =>
  books.caller.post(ITEMS, `{"company_id":${books.companyId},"data":[${odd},${JSON.stringify(fresh())}]}`);

describe.each([
  ['a text', { ...good, code: 'ODD', name: `chair ${half}` }, 'name'],
  [
    'a nested text',
    { ...good, code: 'ODD', invoice_item: { description: half } },
    'invoice_item.description',
  ],
  ['a field of the platform', { ...good, code: 'ODD', raw_data: { Note: half } }, 'raw_data'],
  ['the name of such a field', { ...good, code: 'ODD', raw_data: { [half]: 1 } }, 'raw_data'],
])('half a surrogate pair in %s', (_where, item, field) => {
  test('fails that item and no other', async () => {
    const { status, body } = await bulk(JSON.stringify(item));
    expect(status).toBe(200);
    expect(body.data.status).toBe('PARTIAL_SUCCESS');
    expect(body.data.data[0].error).toMatchObject({ code: 'invalid-params', field });
    expect(body.data.data[1].status).toBe('success');
  });
});

test.each([half, 'a\0b'])('a field named %j is ignored with a warning', async (name) => {
  const { status, body } = await bulk(JSON.stringify({ ...fresh(), [name]: 1 }));
  expect(status).toBe(200);
  expect(body.data.data[0]).toMatchObject({ status: 'success', warnings: [expect.any(String)] });
});

describe.each([
  ['1e400', '"quantity_on_hand":1e400', 'quantity_on_hand'],
  ['-1e400', '"bill_item":{"unit_price":-1e400}', 'bill_item.unit_price'],
  ['1e140000', '"raw_data":{"Weight":1e140000}', 'raw_data'],
])('the number %s', (_name, json, field) => {
  test('fails that item and no other', async () => {
    const { status, body } = await bulk(`{"name":"x","code":"x","type":"SERVICE",${json}}`);
    expect(status).toBe(200);
    expect(body.data.data[0].error).toMatchObject({ code: 'invalid-params', field });
    expect(body.data.data[1].status).toBe('success');
  });
});

describe('a quantity on hand of an item without stock', () => {
  test.each([{ type: 'SERVICE' }, { type: 'NON_INVENTORY' }, {}])(
    'fails %j before it is sent',
    async (type) => {
      const item = { name: 'No goods', code: `NS-${type.type}`, ...type, quantity_on_hand: 5 };
      const { body } = await bulk(JSON.stringify(item));
      expect(body.data.data[0]).toMatchObject({
        status: 'failed',
        error: { code: 'invalid-params', field: 'quantity_on_hand', platform_error: null },
      });
      const again = await bulk(JSON.stringify({ ...item, quantity_on_hand: null }));
      expect(again.body.data.data[0]).toMatchObject({ status: 'success', error: null });
    },
  );

  test.each(['SERVICE', 'NON_INVENTORY'])('of zero is accepted for %s', async (type) => {
    const item = { name: 'None of it', code: `ZERO-${type}`, type, quantity_on_hand: 0 };
    const { body } = await bulk(JSON.stringify(item));
    expect(body.data.data[0]).toMatchObject({
      status: 'success',
      response: { type, quantity_on_hand: null },
    });
  });
});

test.each(['', ' '])('a contact with numbers of %j has none', async (none) => {
  const contact = { name: 'Nora', contact_type: 'CUSTOMER', telephone: none, mobile: none, fax: none };
  const body = { company_id: books.companyId, data: [contact] };
  const answer = await books.caller.post('/v3/accounting/contacts', JSON.stringify(body));
  expect(answer.status).toBe(200);
  expect(answer.body.data.phone_numbers).toEqual([]);
});

test('an item that is no object, or a huge number, fails alone', async () => {
  for (const odd of ['1e400', 'null', '[]', '"\\ud800"', 'true']) {
    const { status, body } = await bulk(odd);
    expect({ odd, status, first: body.data.data[0].status, second: body.data.data[1].status }).toEqual({
      odd,
      status: 200,
      first: 'failed',
      second: 'success',
    });
  }
});

// Reference G16: clients read the field at fault from this form.
test.each([
  [ITEMS, 'company_id', '{"company_id":"x","data":[{}]}'],
  [ITEMS, 'data', '{"company_id":1,"data":{}}'],
  [ITEMS, 'body', '{"company_id":'],
  [`/v3${ITEMS}`, 'data', '{"company_id":1,"data":[{},{}]}'],
  [`/v3${ITEMS}?run_async=maybe`, 'run_async', '{"company_id":1,"data":[{}]}'],
])(
  'a request to %s with an error in %s has the error format of an invalid item',
  async (path, field, odd) => {
    const { status, body } = await books.caller.post(path, odd);
    expect([status, body.error]).toEqual([
      400,
      {
        code: 'invalid-params',
        message: expect.stringMatching(`^Invalid field: ${field}\\. It `),
        field,
        platform_error: null,
      },
    ]);
  },
);

test('amounts that differ beyond what a double holds are different bodies of one key', async () => {
  const write = (digits: string) =>
    books.caller.post(
      ITEMS,
      `{"company_id":${books.companyId},"data":[{"name":"x","code":"K-1","type":"SERVICE","bill_item":{"unit_price":${digits}}}]}`,
      { 'idempotency-key': 'long' },
    );
  expect((await write('1.00000000000000001')).status).toBe(200);
  expect((await write('1.00000000000000001')).headers.get('idempotent-replayed')).toBe('true');
  expect((await write('1.00000000000000002')).status).toBe(422);
});

describe('GraphQL', () => {
  const write = (item: string) =>
    books.caller.graphql(`mutation {
      writeRecords(input: { dataModel: ITEMS, companyId: ${books.companyId}, data: [${item}] }) {
        results { state error { code field } } userErrors { code } } }`);

  test.each([
    ['{ name: "x", code: "x", type: "SERVICE", quantity_on_hand: 1e400 }', ['quantityOnHand']],
    ['{ name: "x", code: "x", type: "SERVICE", raw_data: { Weight: 1e140000 } }', ['rawData']],
  ])('fails %s', async (item, field) => {
    const { status, body } = await write(item);
    expect(status).toBe(200);
    expect(body.data.writeRecords.results[0]).toMatchObject({
      state: 'FAILED',
      error: { code: 'INVALID_PARAMS', field },
    });
  });

  test('keeps the digits of a number in the text of a document', async () => {
    const { text } = await books.caller.graphql(`mutation {
      writeRecords(input: { dataModel: ITEMS, companyId: ${books.companyId}, dryRun: true,
        data: [{ name: "x", code: "x", type: "SERVICE", raw_data: { Weight: 12345678901234567.89 } }] }) {
        results { request { body } } userErrors { message } } }`);
    expect(text).toContain('"Weight":12345678901234567.89');
  });
});
