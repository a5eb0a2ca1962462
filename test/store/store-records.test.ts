import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { startApp } from '../support/service.js';
import { admin } from '../support/admin.js';

let app: App;
let acme: Tenant;

beforeAll(async () => {
  app = await startApp();
});
beforeEach(async () => {
  acme = await createTenant(app, 'store');
});
afterAll(() => app.close());

interface Change {
  position: string;
  operation: string;
  changes: Record<string, [unknown, unknown]> | null;
  revision: number;
  svc_id: string;
}

async function changesOf(tenant: Tenant, dataModel: string): Promise<Change[]> {
  const { rows } = await admin.pool.query<Change>(
    `SELECT position, operation, changes, revision, svc_id FROM record_changes
     WHERE svc_organisation_id = $1 AND data_model = $2 ORDER BY position`,
    [tenant.organisationId, dataModel],
  );
  return rows;
}

const cash = { platformId: 'cash', values: { name: 'Cash', currentBalance: '10.50', category: 'BANK' } };
const note = (lines: { id: string | null; text: string }[], memo = 'first') => ({
  platformId: 'note',
  values: { memo, totalAmount: '20.00' },
  lines: { lineItems: lines.map(({ id, text }) => ({ platformId: id, values: { description: text } })) },
});

async function lineIds(tenant: Tenant): Promise<Record<string, number>> {
  const { rows } = await admin.pool.query<{ description: string; svc_id: string }>(
    'SELECT description, svc_id FROM line_items WHERE svc_company_id = $1 ORDER BY position',
    [tenant.companyId],
  );
  return Object.fromEntries(rows.map((row) => [row.description, Number(row.svc_id)]));
}

const nameOf = async (platformId: string) =>
  (
    await admin.prisma.account.findFirst({
      where: { svcCompanyId: BigInt(acme.companyId), platformId },
    })
  )?.name;

describe('storing a batch', () => {
  test('creates, leaves unchanged alone, and logs only what changed', async () => {
    expect(await acme.store('Account', [cash])).toEqual({ created: 1, updated: 0, deleted: 0, unchanged: 0 });
    expect(await acme.store('Account', [cash])).toEqual({ created: 0, updated: 0, deleted: 0, unchanged: 1 });
    const renamed = { ...cash, values: { ...cash.values, name: 'Petty cash' } };
    expect(await acme.store('Account', [renamed])).toEqual({
      created: 0,
      updated: 1,
      deleted: 0,
      unchanged: 0,
    });
    const changes = await changesOf(acme, 'ACCOUNTS');
    expect(
      changes.map(({ operation, changes: fields, revision }) => ({ operation, fields, revision })),
    ).toEqual([
      { operation: 'CREATE', fields: null, revision: 1 },
      { operation: 'UPDATE', fields: { name: ['Cash', 'Petty cash'] }, revision: 2 },
    ]);
  });

  test('a deleted record keeps its row, and comes back under the same svc_id', async () => {
    const gone = { platformId: 'gone', values: { name: 'Gone' } };
    await acme.store('Account', [gone]);
    expect(await acme.store('Account', [{ ...gone, deleted: true }])).toMatchObject({ deleted: 1 });
    expect(await acme.store('Account', [{ ...gone, deleted: true }])).toMatchObject({ unchanged: 1 });
    expect(await acme.store('Account', [gone])).toMatchObject({ created: 1 });
    const mine = await changesOf(acme, 'ACCOUNTS');
    expect(mine.map(({ operation }) => operation)).toEqual(['CREATE', 'DELETE', 'CREATE']);
    expect(new Set(mine.map(({ svc_id }) => svc_id)).size).toBe(1);
  });

  test('an object older than the stored one loses', async () => {
    const at = (updatedAt: string, name: string) => ({ platformId: 'old', values: { name, updatedAt } });
    await acme.store('Account', [at('2026-05-02T00:00:00.000Z', 'newer')]);
    expect(await acme.store('Account', [at('2026-05-01T00:00:00.000Z', 'older')])).toMatchObject({
      unchanged: 1,
    });
  });

  test('an object as old as the stored one wins: a platform may change one twice in a moment', async () => {
    const at = (name: string) => ({
      platformId: 'moment',
      values: { name, updatedAt: '2026-05-02T00:00:00.000Z' },
    });
    await acme.store('Account', [at('first')]);
    expect(await acme.store('Account', [at('second')])).toMatchObject({ updated: 1 });
    expect(await nameOf('moment')).toBe('second');
  });

  test('of a record that stands in it twice the last one counts', async () => {
    const twice = [
      { platformId: 'twice', values: { name: 'one' } },
      { platformId: 'twice', values: { name: 'two' } },
    ];
    expect(await acme.store('Account', twice)).toMatchObject({ created: 1 });
    expect(await nameOf('twice')).toBe('two');
  });

  test('a value that its field does not take is refused by name, and nothing is stored', async () => {
    const before = await changesOf(acme, 'ACCOUNTS');
    const bad = [
      { platformId: 'fine', values: { name: 'Fine' } },
      { platformId: 'bad', values: { currentBalance: 'much' } },
    ];
    await expect(acme.store('Account', bad)).rejects.toThrow('currentBalance must be');
    expect(await changesOf(acme, 'ACCOUNTS')).toEqual(before);
  });

  test("a word outside a field's closed set is UNKNOWN, or null where the set has no such word", async () => {
    await acme.store('Account', [
      { platformId: 'odd', values: { name: 'Odd', category: 'MONEY' } },
      { platformId: 'even', values: { name: 'Even', category: 'bank' } },
    ]);
    const shop = await acme.company('words', 'PAYMENTS');
    await shop.store('PaymentLink', [{ platformId: 'odd', values: { status: 'PAUSED' } }]);
    const { prisma } = admin;
    const accounts = await prisma.account.findMany({
      where: { svcCompanyId: BigInt(acme.companyId), platformId: { in: ['odd', 'even'] } },
      orderBy: { svcId: 'asc' },
    });
    expect(accounts.map(({ category }) => category)).toEqual(['UNKNOWN', 'BANK']);
    const where = { svcCompanyId: BigInt(shop.companyId) };
    expect(await prisma.paymentLink.findFirst({ where })).toMatchObject({ platformId: 'odd', status: null });
  });

  test('a connection of another organisation is absent', async () => {
    const other = await createTenant(app, 'stranger');
    const { storeRecords } = await import('../../src/store/store-records.js');
    const { definitionOf } = await import('../../src/records/index.js');
    const attempt = storeRecords(app.database.sql(other.scope), {
      definition: definitionOf('Account'),
      svcCompanyId: acme.companyId,
      connectionId: acme.connectionId,
      integrationType: 'SVC_SANDBOX',
      cause: { kind: 'sync', id: null },
      records: [],
    });
    await expect(attempt).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('lines', () => {
  test('keep their svc_id over changes, moves and removals, and belong to an update of their document', async () => {
    await acme.store('InvoiceCreditNote', [
      note([
        { id: 'l1', text: 'lamp' },
        { id: 'l2', text: 'desk' },
      ]),
    ]);
    const first = await lineIds(acme);
    await acme.store('InvoiceCreditNote', [
      note([
        { id: 'l2', text: 'desk' },
        { id: 'l3', text: 'chair' },
        { id: 'l1', text: 'lamp, bent' },
      ]),
    ]);
    const second = await lineIds(acme);
    expect(Object.keys(second)).toEqual(['desk', 'chair', 'lamp, bent']);
    expect(second['desk']).toBe(first['desk']);
    expect(second['lamp, bent']).toBe(first['lamp']);
    await acme.store('InvoiceCreditNote', [note([{ id: 'l3', text: 'chair' }])]);
    expect(await lineIds(acme)).toEqual({ chair: second['chair'] });
    const log = await changesOf(acme, 'INVOICE_CREDIT_NOTES');
    expect(log.map(({ operation }) => operation)).toEqual(['CREATE', 'UPDATE', 'UPDATE']);
  });

  test('without ids are recognised by their content', async () => {
    const shop = await acme.company('lines without ids');
    await shop.store('InvoiceCreditNote', [
      note([
        { id: null, text: 'lamp' },
        { id: null, text: 'desk' },
      ]),
    ]);
    const first = await lineIds(shop);
    await shop.store('InvoiceCreditNote', [
      note(
        [
          { id: null, text: 'desk' },
          { id: null, text: 'lamp' },
        ],
        'second',
      ),
    ]);
    expect(await lineIds(shop)).toEqual({ desk: first['desk'], lamp: first['lamp'] });
  });
});

test('a document that comes back has its lines once, under their svc_ids', async () => {
  const lines = [
    { id: 'l1', text: 'lamp' },
    { id: null, text: 'desk' },
  ];
  await acme.store('InvoiceCreditNote', [note(lines)]);
  const first = await lineIds(acme);
  await acme.store('InvoiceCreditNote', [{ ...note(lines), deleted: true }]);
  await acme.store('InvoiceCreditNote', [note([...lines, { id: 'l3', text: 'chair' }])]);
  const { rowCount } = await admin.pool.query('SELECT FROM line_items WHERE svc_company_id = $1', [
    acme.companyId,
  ]);
  expect(rowCount).toBe(3);
  expect(await lineIds(acme)).toMatchObject(first);
});

describe('the change log', () => {
  test('has no gap and no repeat in its positions, and time goes with position, under parallel writers', async () => {
    const tenant = await createTenant(app, 'parallel');
    const writer = async (worker: number) => {
      for (let round = 0; round < 5; round += 1) {
        const records = Array.from({ length: 20 }, (_, index) => ({
          platformId: `${worker}-${round}-${index}`,
          values: { name: `account ${index}` },
        }));
        await tenant.store('Account', records);
      }
    };
    await Promise.all([0, 1, 2, 3].map(writer));
    const { rows } = await admin.pool.query<{ position: string; changed_at: Date }>(
      'SELECT position, changed_at FROM record_changes WHERE svc_organisation_id = $1 ORDER BY position',
      [tenant.organisationId],
    );
    expect(rows.map(({ position }) => Number(position))).toEqual(
      Array.from({ length: 400 }, (_, index) => index + 1),
    );
    const times = rows.map(({ changed_at }) => changed_at.getTime());
    expect(times).toEqual([...times].sort((left, right) => left - right));
  });

  test('is never ahead of or behind the records: both are rolled back together', async () => {
    const tenant = await createTenant(app, 'rollback');
    await expect(
      tenant.store('Account', [
        { platformId: 'x'.repeat(10), values: { name: 'ok' } },
        { platformId: null as never, values: {} },
      ]),
    ).rejects.toThrow();
    expect(await changesOf(tenant, 'ACCOUNTS')).toEqual([]);
    const { rows } = await admin.pool.query('SELECT 1 FROM accounts WHERE svc_company_id = $1', [
      tenant.companyId,
    ]);
    expect(rows).toEqual([]);
  });
});
