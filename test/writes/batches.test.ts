import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Worker } from '../../src/jobs/worker.js';
import type { RequestCount } from '../../src/sandbox/gate/statistics.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { control, startTestSandbox } from '../support/sandbox.js';
import { startApp } from '../support/service.js';
import { until } from '../support/until.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';

let sandbox: Sandbox;
let app: App;
let worker: Worker;
let books: Writing;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url, WRITE_WAIT_MS: '20000' });
  books = await createWriting(app, sandbox);
  worker = await startWorker(sandbox, { LATE_ANSWER_SECONDS: '1' });
});
beforeEach(async () => {
  await control(sandbox, 'DELETE', '/faults');
  await control(sandbox, 'DELETE', '/statistics');
});
afterAll(async () => {
  await worker?.stop();
  await app?.close();
  await sandbox?.stop();
});

const JOURNALS = '/accounting/journal_entries';
const BATCH = 'POST /api/2/:kind/Batch';
const SINGLE = 'POST /api/2/:kind';

const journals = (description: string, count: number): object[] =>
  Array.from({ length: count }, (_, index) =>
    books.journal(index + 1, { description: `${description} ${index}` }),
  );

/** The platform's calls that wrote or looked for something, by method and pattern. */
async function calls(): Promise<Readonly<Record<string, number>>> {
  const { requests } = await control(sandbox, 'GET', '/statistics');
  const counted: Record<string, number> = {};
  for (const { method, path, requests: count } of requests as readonly RequestCount[]) {
    const name = `${method} ${path}`;
    counted[name] = (counted[name] ?? 0) + count;
  }
  return counted;
}

/** The same, once the platform has counted this many batches: it counts a call when it has answered, heard or not. */
const callsWith = (batches: number) =>
  until(`${batches} batches to be counted`, async () => {
    const counted = await calls();
    return counted[BATCH] === batches ? counted : null;
  });

/** What the platform has of journals whose text begins so, in the order in which it made them. */
async function made(description: string): Promise<readonly string[]> {
  const answer = await fetch(
    `${sandbox.url}/_sandbox/objects?account=${books.tenant.account}&platform=accounting&kind=Journals`,
  );
  const texts = [...(await answer.text()).matchAll(/"Text":"([^"]*)"/g)].map(([, text]) => text ?? '');
  return texts.filter((text) => text.startsWith(`${description} `));
}

const fault = (...rules: readonly object[]) => control(sandbox, 'POST', '/faults', { rules });

test('sends many items in one request, in order, and stores a record for each', async () => {
  const items = journals('many', 120);
  const { body } = await books.write(JOURNALS, items);
  expect(body.data.status).toBe('SUCCESS');
  expect(await made('many')).toEqual(items.map((_, index) => `many ${index}`));
  expect(await calls()).toMatchObject({ [BATCH]: 3 });
  const told = body.data.data.map((one: { response: { description: string } }) => one.response.description);
  expect(told).toEqual(items.map((_, index) => `many ${index}`));
});

test('writes the other items if one is refused, whose error is the same as if sent alone', async () => {
  const bad = books.journal(1, { description: 'some bad', currency_id: 'XXX' });
  const { body } = await books.write(JOURNALS, [...journals('some', 2), bad, ...journals('more', 2)]);
  const { data } = body.data;
  expect(data.map((one: { status: string }) => one.status)).toEqual([
    'success',
    'success',
    'failed',
    'success',
    'success',
  ]);
  expect(await calls()).toMatchObject({ [BATCH]: 1 });
  const alone = (await books.write(JOURNALS, [bad])).body.data.data[0];
  expect(data[2].error).toEqual(alone.error);
  expect([await made('some'), await made('more')]).toEqual([
    ['some 0', 'some 1'],
    ['more 0', 'more 1'],
  ]);
});

describe('a batch without an answer', () => {
  test.each([
    ['that was carried out', 'cut', 1],
    ['that was not carried out', '500', 2],
    ['that was not understood', 'html', 2],
  ])('%s is settled and written once', async (name, what, batches) => {
    await fault({ fault: what, path: '/accounting/api/2/Journals/Batch', count: 1 });
    const { body } = await books.write(JOURNALS, journals(name, 5));
    expect(body.data.status).toBe('SUCCESS');
    expect(await made(name)).toHaveLength(5);
    await callsWith(batches);
  });

  test.each([
    ['throttled', '429'],
    ['broken off', 'cut'],
  ])('remains one when the search for it is %s', async (name, what) => {
    await fault(
      { fault: '500', path: '/accounting/api/2/Journals/Batch', count: 1 },
      { fault: what, path: '/accounting/api/2/Journals', method: 'GET', count: 1 },
    );
    const { body } = await books.write(JOURNALS, journals(name, 5));
    expect(body.data.status).toBe('SUCCESS');
    expect(await made(name)).toHaveLength(5);
    expect(await callsWith(2)).not.toHaveProperty([SINGLE]);
  });

  test('is looked for if the platform has no idempotency keys, and missing items are sent individually', async () => {
    const { account } = books.tenant;
    await control(sandbox, 'POST', `/accounts/${account}/idempotency`, { enabled: false });
    try {
      await fault({ fault: 'cut', path: '/accounting/api/2/Journals/Batch', count: 1 });
      const bad = books.journal(1, { description: 'lost bad', currency_id: 'XXX' });
      const { body } = await books.write(JOURNALS, [...journals('lost', 3), bad]);
      expect(body.data.data.map((one: { status: string }) => one.status)).toEqual([
        'success',
        'success',
        'success',
        'failed',
      ]);
      expect(await made('lost')).toHaveLength(3);
      expect(await calls()).toMatchObject({ [BATCH]: 1, [SINGLE]: 1 });
    } finally {
      await control(sandbox, 'POST', `/accounts/${account}/idempotency`, { enabled: true });
    }
  });
});

test('sends the items of a batch that is refused as a whole one by one', async () => {
  await fault({ fault: '400', path: '/accounting/api/2/Journals/Batch', count: 1 });
  const { body } = await books.write(JOURNALS, journals('single', 4));
  expect(body.data.status).toBe('SUCCESS');
  expect(await made('single')).toHaveLength(4);
  expect(await calls()).toMatchObject({ [BATCH]: 1, [SINGLE]: 4 });
});

test("sends items that cannot be batched several at a time, within the platform's limits", async () => {
  const items = Array.from({ length: 16 }, (_, index) => ({
    name: `Beside ${index}`,
    code: `BESIDE-${index}`,
    type: 'INVENTORY',
    quantity_on_hand: index,
  }));
  const { body } = await books.write('/accounting/items', items);
  expect(body.data.status).toBe('SUCCESS');
  const { peakConcurrent, overLimit } = await control(sandbox, 'GET', '/statistics');
  const account = `accounting ${books.tenant.account}`;
  expect(peakConcurrent[account]).toBeGreaterThan(1);
  // How many are under way here is not looked at: the platform may count one whose answer is here already.
  expect(overLimit[account]).toBeUndefined();
});

const invoice = (document_number: string, amount: number) => ({
  contact_id: books.ids.customer,
  document_number,
  line_items: [{ account_id: books.ids.sales, unit_amount: amount, quantity: 1 }],
});

test('writes the first of two items with the same unique number', async () => {
  const items = [invoice('TWICE-1', 1), invoice('TWICE-2', 2), invoice('TWICE-1', 3)];
  const { body } = await books.write('/accounting/invoices', items);
  expect(
    body.data.data.map((one: { status: string; error?: { code: string } }) => one.error?.code ?? one.status),
  ).toEqual(['success', 'success', 'record-already-exists']);
  expect(await calls()).toMatchObject({ [BATCH]: 1, [SINGLE]: 1 });
});

test('writes the first of two items with the same unique number even if it is retried', async () => {
  await fault({ fault: '500', path: '/accounting/api/2/SalesInvoices', method: 'POST', count: 1 });
  const { body } = await books.write('/accounting/invoices', [invoice('AGAIN-1', 1), invoice('AGAIN-1', 2)]);
  expect(
    body.data.data.map((one: { status: string; error?: { code: string } }) => one.error?.code ?? one.status),
  ).toEqual(['success', 'record-already-exists']);
  expect(await calls()).toMatchObject({ [SINGLE]: 3 });
});
