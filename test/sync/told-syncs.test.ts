import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { TradeDocument } from '../connectors/xero-fake/domain.js';
import { admin } from '../support/admin.js';
import { createXeroHook, xeroEvent } from '../support/hooks.js';
import { startApp } from '../support/service.js';
import { createXeroTenant, type XeroTenant } from '../support/xero.js';

let app: App;
let tenant: XeroTenant;
let tell: Awaited<ReturnType<typeof createXeroHook>>;

beforeAll(async () => {
  app = await startApp();
});
afterEach(() => tenant.stop());
afterAll(() => app.close());

async function connect(name: string, dayLimit?: number): Promise<void> {
  tenant = await createXeroTenant(app, name, dayLimit);
  tell = await createXeroHook(tenant.organisationId);
}

/** The syncs that events led to, oldest first. */
const toldSyncs = () =>
  admin.prisma.sync.findMany({
    where: { svcCompanyId: BigInt(tenant.companyId), toldByPlatform: true },
    orderBy: { svcId: 'asc' },
  });
const waiting = async () => (await toldSyncs()).find(({ state }) => state === 'PENDING');

/** Runs the sync that waits, where its time has come. The calls that it cost, null where there was nothing to run. */
async function runWaiting(): Promise<readonly string[] | null> {
  const sync = await waiting();
  if (!sync) return null;
  const before = tenant.calls.length;
  const state = await tenant.run(Number(sync.svcId));
  if (state === 'PENDING') return null;
  expect(state).toBe('SUCCESS');
  return tenant.calls.slice(before).map((url) => url.replace('/api.xro/2.0/', ''));
}

const change = (document: TradeDocument, reference: string): TradeDocument =>
  Object.assign(document, { reference, updatedAt: new Date() });
const documentsOf = (...types: readonly string[]) =>
  tenant.books.documents.filter(({ type, status }) => types.includes(type) && status === 'AUTHORISED');
const invoiceEvent = ({ id }: TradeDocument) => xeroEvent(tenant.books.tenantId, 'INVOICE', id);

async function referenceOf(table: 'invoices' | 'bills', { id }: TradeDocument): Promise<string | null> {
  const { rows } = await admin.pool.query(
    `SELECT raw_data->>'Reference' AS reference FROM ${table} WHERE svc_company_id = $1 AND platform_id = $2
       AND svc_deleted_at IS NULL`,
    [tenant.companyId, id],
  );
  return rows[0]?.reference ?? null;
}

test('objects that events name are read by their ids, for several record types in one call', async () => {
  await connect('told');
  expect(await tenant.sync(['ACCOUNTS', 'ITEMS', 'INVOICES', 'BILLS'])).toBe('SUCCESS');
  const marks = () => admin.prisma.syncMark.findMany({ where: { svcCompanyId: BigInt(tenant.companyId) } });
  const before = await marks();
  const [invoice, other] = documentsOf('ACCREC');
  const [bill] = documentsOf('ACCPAY');
  if (!invoice || !other || !bill) throw new Error('there are too few documents');
  for (const one of [invoice, other, bill]) change(one, 'told');
  await tell(app, [invoiceEvent(invoice), invoiceEvent(invoice)]);
  await tell(app, [invoiceEvent(bill)]);
  const calls = await runWaiting();
  expect(calls).toHaveLength(1);
  expect(calls?.[0]).toMatch(/^Invoices\?/);
  expect(await referenceOf('invoices', invoice)).toBe('told');
  expect(await referenceOf('bills', bill)).not.toBeNull();
  // Nothing else was asked for, and what changed since the last sync is still to be read.
  expect(await referenceOf('invoices', other)).not.toBe('told');
  expect(await marks()).toEqual(before);
  expect(await tenant.sync(['INVOICES'])).toBe('SUCCESS');
  expect(await referenceOf('invoices', other)).toBe('told');
});

test('removes an object named by an event from its old record type if the platform has it as another', async () => {
  await connect('told types');
  expect(await tenant.sync(['INVOICES', 'BILLS'])).toBe('SUCCESS');
  const [invoice] = documentsOf('ACCREC');
  if (!invoice) throw new Error('there is no invoice');
  const place = tenant.books.documents.indexOf(invoice);
  tenant.books.documents[place] = { ...invoice, type: 'ACCPAY', updatedAt: new Date() };
  await tell(app, [invoiceEvent(invoice)]);
  await runWaiting();
  expect([await referenceOf('invoices', invoice), await referenceOf('bills', invoice)]).toEqual([
    null,
    expect.any(String),
  ]);
});

test('reads changes instead of ids if events name more objects than one call can read', async () => {
  await connect('told many');
  expect(await tenant.sync(['INVOICES', 'BILLS'])).toBe('SUCCESS');
  const [invoice] = documentsOf('ACCREC');
  if (!invoice) throw new Error('there is no invoice');
  change(invoice, 'told');
  const id = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const others = Array.from({ length: 40 }, (_, index) =>
    xeroEvent(tenant.books.tenantId, 'INVOICE', id(index)),
  );
  await tell(app, [invoiceEvent(invoice), ...others]);
  const calls = await runWaiting();
  expect(calls?.some((call) => call.includes('IDs='))).toBe(false);
  expect(await referenceOf('invoices', invoice)).toBe('told');
});

/** So much of the connection's time passes. */
async function pass(seconds: number): Promise<void> {
  await admin.pool.query(
    `UPDATE connections SET told_until = told_until - $2::float8 * interval '1 second',
       day_left_at = day_left_at - $2::float8 * interval '1 second',
       minute_reset_at = minute_reset_at - $2::float8 * interval '1 second',
       hour_reset_at = hour_reset_at - $2::float8 * interval '1 second',
       day_reset_at = day_reset_at - $2::float8 * interval '1 second',
       recent_slot = recent_slot - ceil($2::float8 / 5)::int
     WHERE svc_company_id = $1`,
    [tenant.companyId, seconds],
  );
}

test('10,000 events of a day are read within the calls that are left of it, and none is missed', async () => {
  const DAY_LIMIT = 300;
  await connect('told trickle', DAY_LIMIT);
  expect(await tenant.sync(['ACCOUNTS', 'ITEMS', 'INVOICES', 'BILLS'])).toBe('SUCCESS');
  const first = tenant.calls.length;
  const documents = documentsOf('ACCREC').slice(0, 40);
  expect(documents.length).toBeGreaterThan(10);
  const requests = 125;
  let syncs = 0;
  let longest = 0;
  let waited = 0;
  for (let request = 0; request < requests; request += 1) {
    documents.forEach((document) => change(document, `after ${request}`));
    const events = Array.from({ length: 10_000 / requests }, (_, index) => {
      const document = documents[index % documents.length];
      if (!document) throw new Error('there are no documents');
      return invoiceEvent(document);
    });
    expect((await tell(app, events)).status).toBe(200);
    const hasRun = (await runWaiting()) !== null;
    if (hasRun) syncs += 1;
    waited = hasRun ? 0 : waited + 1;
    longest = Math.max(longest, waited);
    await pass(86_400 / requests);
  }
  // One sync at most waits, each is one call, and what writes and other syncs may use is left.
  expect((await toldSyncs()).length - syncs).toBeLessThanOrEqual(1);
  expect(tenant.calls.length - first).toBe(syncs);
  expect(tenant.calls.length).toBeLessThanOrEqual(DAY_LIMIT - 200);
  // Changes came all day long, the last ones no more than an hour or two after they were told.
  expect(syncs).toBeGreaterThan(24);
  expect((longest * 86_400) / requests).toBeLessThan(2 * 3600);
  for (let hour = 0; hour < 4 && (await waiting()); hour += 1) {
    await runWaiting();
    await pass(3600);
  }
  for (const document of documents)
    expect(await referenceOf('invoices', document)).toBe(`after ${requests - 1}`);
});

test('runs two waiting syncs of a connection one after the other without losing changes', async () => {
  await connect('told race');
  expect(await tenant.sync(['INVOICES', 'BILLS'])).toBe('SUCCESS');
  const [one, other] = documentsOf('ACCREC');
  if (!one || !other) throw new Error('there are too few invoices');
  change(one, 'first');
  await tell(app, [invoiceEvent(one)]);
  const [first] = await toldSyncs();
  // The first begins while events arrive: each is read by one of the two.
  change(other, 'second');
  const [state] = await Promise.all([tenant.run(Number(first?.svcId)), tell(app, [invoiceEvent(other)])]);
  expect(state).toBe('SUCCESS');
  const left = await waiting();
  // Of two workers that have it, the one that came first is fenced off.
  if (left) await Promise.allSettled([tenant.run(Number(left.svcId)), tenant.run(Number(left.svcId))]);
  expect([await referenceOf('invoices', one), await referenceOf('invoices', other)]).toEqual([
    'first',
    'second',
  ]);
  expect((await toldSyncs()).every((sync) => sync.state === 'SUCCESS')).toBe(true);
});
