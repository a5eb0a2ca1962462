import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { PullResource } from '../../src/connectors/pull.js';
import { sandboxPay } from '../../src/connectors/sandbox/pay/index.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { stripe } from '../../src/connectors/stripe/index.js';
import { begunSince, leavesGap, newPlan } from '../../src/sync/reading/plan.js';
import type { RecordTypeSync } from '../../src/sync/reading/record-type-sync.js';
import { admin } from '../support/admin.js';
import { control, createSandboxTenant, engineOf, startTestSandbox } from '../support/sandbox.js';
import { createCaller, startApp } from '../support/service.js';
import { createXeroTenant, type XeroTenant } from '../support/xero.js';

let app: App;
let sandbox: Sandbox;
let tenant: XeroTenant;

beforeAll(async () => {
  app = await startApp();
  sandbox = await startTestSandbox();
  tenant = await createXeroTenant(app, 'rereads');
});
afterAll(async () => {
  await tenant?.stop();
  await app?.close();
  await sandbox?.stop();
});

/** Moves the times of a company's marks back by that many hours. */
const passHours = (companyId: number, hours: number) =>
  admin.pool.query(
    `UPDATE sync_marks SET pulled_to = pulled_to - $2::float8 * interval '1 hour',
       swept_at = swept_at - $2::float8 * interval '1 hour',
       complete_at = complete_at - $2::float8 * interval '1 hour' WHERE svc_company_id = $1`,
    [companyId, hours],
  );

const rowsOf = async (table: string, companyId: number): Promise<any[]> =>
  (
    await admin.pool.query(
      `SELECT * FROM ${table} WHERE svc_company_id = $1 AND svc_deleted_at IS NULL ORDER BY platform_id`,
      [companyId],
    )
  ).rows;

test('rereads values that change without a change stamp once their interval is over', async () => {
  const { items } = tenant.books;
  const place = items.findIndex(({ inStock }) => inStock !== null);
  const item = items[place];
  if (!item) throw new Error('no item is in stock');
  const onHand = async () => {
    const rows = await rowsOf('items', tenant.companyId);
    return String(rows.find(({ platform_id: id }) => id === item.id)?.quantity_on_hand);
  };
  expect(await tenant.sync(['ACCOUNTS', 'ITEMS'])).toBe('SUCCESS');
  const before = await onHand();
  // A sale takes from the stock; the item says nothing of it.
  items[place] = { ...item, inStock: (item.inStock ?? 0) - 1 };
  expect(await tenant.sync(['ITEMS'])).toBe('SUCCESS');
  expect(await onHand()).toBe(before);
  await passHours(tenant.companyId, 1);
  expect(await tenant.sync(['ITEMS'])).toBe('SUCCESS');
  expect(Number(await onHand())).toBe((item.inStock ?? 0) - 1);
  // And then not before another hour is over.
  items[place] = item;
  expect(await tenant.sync(['ITEMS'])).toBe('SUCCESS');
  expect(await onHand()).not.toBe(before);
});

test('replaces the records that were split from one object as a set', async () => {
  const { documents } = tenant.books;
  const ids = async () => (await rowsOf('documents', tenant.companyId)).map((row) => row.platform_id);
  expect(await tenant.sync(['DOCUMENTS'])).toBe('SUCCESS');
  const before = await ids();
  const [parent, other] = documents.filter(({ attachments }) => attachments.length > 0);
  if (!parent || !other) throw new Error('there are too few files');
  const [gone] = parent.attachments;
  const theirs = other.attachments.map(({ id }) => id);
  // One loses a file and changes, another loses all of them, and a third does not say that it changed.
  parent.attachments.splice(0, 1);
  parent.updatedAt = new Date();
  other.attachments.splice(0);
  other.updatedAt = new Date();
  expect(await tenant.sync(['DOCUMENTS'])).toBe('SUCCESS');
  const lost = [gone?.id, ...theirs];
  expect(await ids()).toEqual(before.filter((id) => !lost.includes(id)));
});

test('deletes the payment of an allocation that was reversed', async () => {
  const own = await createXeroTenant(app, 'rereads allocations');
  const { advances } = own.books;
  const ids = async () => (await rowsOf('invoice_payments', own.companyId)).map((row) => row.platform_id);
  expect(await own.sync(['INVOICE_PAYMENTS'])).toBe('SUCCESS');
  const before = await ids();
  const advance = advances.find(({ type, allocated }) => type.startsWith('RECEIVE') && allocated.length > 1);
  const [gone] = advance?.allocated.splice(0, 1) ?? [];
  if (!advance || !gone) throw new Error('there is no allocation');
  advance.updatedAt = new Date();
  expect(before).toContain(gone.id);
  expect(await own.sync(['INVOICE_PAYMENTS'])).toBe('SUCCESS');
  expect(await ids()).toEqual(before.filter((id) => id !== gone.id));
  await own.stop();
});

test('allocations without ids of Xero’s are payments of their own, each as often as it is there', async () => {
  const own = await createXeroTenant(app, 'allocations without ids');
  const payments = () => rowsOf('invoice_payments', own.companyId);
  const advance = own.books.advances.find(
    ({ type, allocated }) => type.startsWith('RECEIVE') && allocated.length > 1,
  );
  const [one] = advance?.allocated ?? [];
  if (!advance || !one) throw new Error('there is no allocation');
  const nameless = { ...one, id: undefined as never };
  advance.allocated.splice(
    0,
    advance.allocated.length,
    nameless,
    { ...nameless },
    { ...nameless, amount: one.amount.plus(1) },
  );
  expect(await own.sync(['INVOICE_PAYMENTS'])).toBe('SUCCESS');
  const ids = async () =>
    (await payments()).map((row) => String(row.platform_id)).filter((id) => id.startsWith(advance.id));
  const day = one.date;
  const id = `${advance.id}:${one.document.id}:${day}:${one.amount.toFixed()}`;
  const more = `${advance.id}:${one.document.id}:${day}:${one.amount.plus(1).toFixed()}`;
  expect((await ids()).sort()).toEqual([id, `${id}:2`, more].sort());
  advance.allocated.reverse();
  advance.allocated.pop();
  advance.updatedAt = new Date();
  expect(await own.sync(['INVOICE_PAYMENTS'])).toBe('SUCCESS');
  expect((await ids()).sort()).toEqual([id, more].sort());
  const caller = await createCaller(app, own.organisationId);
  const { body } = await caller.get(
    `/v3/accounting/invoice_payments?svc_company_id[eq]=${own.companyId}&platform_id[eq]=${id}`,
  );
  expect(body.data).toMatchObject([
    { invoice_id: one.document.id, amount: one.amount.toNumber(), payment_id: id },
  ]);
  await own.stop();
});

test('after a longer silence than a feed reaches back, everything is read and what is gone is found', async () => {
  const company = await createSandboxTenant(engineOf(app, sandbox.url), sandbox, { records: 20 });
  const connected = await company.connect('PAYMENTS');
  await company.run(connected.syncSvcId);
  const living = async () =>
    (await rowsOf('payment_customers', company.companyId)).map((row) => row.platform_id);
  const readIn = async (syncSvcId: number) =>
    admin.prisma.syncJob.findFirstOrThrow({
      where: { syncSvcId: BigInt(syncSvcId), dataModel: 'PAYMENT_CUSTOMERS' },
    });
  const before = await living();
  const change = { account: company.account, platform: 'payments', kind: 'customers', deletes: 1 };
  const { deleted } = await control(sandbox, 'POST', '/mutate', change);
  expect(deleted).toHaveLength(1);
  // Pay has forgotten what it could tell.
  await admin.pool.query('DELETE FROM sandbox.events');
  expect((await readIn(await company.sync(connected))).since).not.toBeNull();
  expect(await living()).toEqual(before);
  await passHours(company.companyId, 24 * 29);
  expect((await readIn(await company.sync(connected))).since).not.toBeNull();
  await passHours(company.companyId, 24 * 30);
  const job = await readIn(await company.sync(connected));
  expect([job.since, job.deleted]).toEqual([null, 1]);
  expect(await living()).toEqual(before.filter((id) => id !== deleted[0].id));
});

describe('a feed with a sweep beside it', () => {
  const none = async function* () {};
  const resource: PullResource = {
    ...sandboxPay.pulls[0],
    incremental: true,
    deletions: [
      { kind: 'feed', reachDays: 30, pages: none },
      { kind: 'sweep', pages: none },
    ],
  } as PullResource;
  const waysAfter = (days: number) => {
    const time = new Date(Date.now() - days * 86_400_000).toISOString();
    const mark = { pulledTo: time, sweptAt: time, completeAt: time };
    const work = { resource, run: { fullSync: false }, settings: { sweepHours: 24 }, mark } as RecordTypeSync;
    return newPlan(work, { since: new Date(time), isFirst: false }).ways.map(({ kind }) => kind);
  };

  test.each([
    [1, ['feed']],
    [29, ['feed']],
    [31, ['sweep']],
  ])('%i days after it was read last', (days, ways) => {
    expect(waysAfter(days)).toEqual(ways);
  });
});

describe('of a company whose data begins at a date', () => {
  const oldest = new Date('2024-01-01');
  const sinceOf = (dataModel: string, days: number | null) => {
    const resource = stripe.pulls.find(({ definition }) => definition.dataModel === dataModel);
    const time = days === null ? null : new Date(Date.now() - days * 86_400_000).toISOString();
    const mark = time === null ? null : { pulledTo: time, sweptAt: time, completeAt: time };
    const run = { fullSync: false, syncFrom: null };
    return begunSince({
      resource,
      run,
      mark,
      oldest,
      job: { state: 'CREATED' },
    } as unknown as RecordTypeSync);
  };

  test('objects that can be listed by time are read since then, others all', () => {
    expect(sinceOf('PAYMENT_CUSTOMERS', null)).toEqual(oldest);
    expect(sinceOf('PAYMENT_PAYMENT_LINKS', null)).toBeNull();
    expect(sinceOf('PAYMENT_PAYMENT_LINKS', 31)).toBeNull();
    expect(Number(sinceOf('PAYMENT_PAYMENT_LINKS', 1))).toBeGreaterThan(Number(oldest));
  });
});

test.each([
  [1, 60, false],
  [29, 60, false],
  [29, 1, true],
  [45, 60, true],
])(
  'of changes that are told for 30 days, %i days after the last sync, a sync of %i days may leave a gap',
  (last, from, gap) => {
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
    const mark = { pulledTo: ago(last).toISOString(), sweptAt: null, completeAt: null };
    const resource = { ...sandboxPay.pulls[0], reachDays: 30 };
    const since = ago(from);
    const work = { resource, mark, run: { syncFrom: since.toISOString() } } as unknown as RecordTypeSync;
    expect(leavesGap(work, { since, isFirst: false, isComplete: false, ways: [] })).toBe(gap);
  },
);
