import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { definitionOf, records } from '../../src/records/index.js';
import { type IncomingRecord, readyBatch } from '../../src/store/ready-batch.js';
import { storeBatch, storeChanged, type StoreCounts } from '../../src/store/store-records.js';
import { pageBatches } from '../../src/sync/storing/map-page.js';
import { admin } from '../support/admin.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { startApp } from '../support/service.js';
import { statementsOf } from '../support/statements.js';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

type Way = typeof storeBatch;

const record = (platformId: string, more: Partial<IncomingRecord> = {}): IncomingRecord => ({
  platformId,
  values: { name: 'Cash', updatedAt: '2026-05-02T00:00:00.000Z' },
  raw: { text: `{"id":"${platformId}"}`, altered: false },
  dataHash: 'hash',
  mapperVersion: 2,
  ...more,
});
const renamed = { values: { name: 'Petty', updatedAt: '2026-05-03T00:00:00.000Z' }, dataHash: 'other hash' };
const older = { values: { name: 'Older', updatedAt: '2026-05-01T00:00:00.000Z' }, dataHash: 'older hash' };

/** What is stored first, and what comes then. */
const CASES: Readonly<Record<string, readonly [readonly IncomingRecord[], readonly IncomingRecord[]]>> = {
  same: [[record('a')], [record('a')]],
  fresh: [[], [record('a')]],
  changed: [[record('a')], [record('a', renamed)]],
  'older than stored': [[record('a')], [record('a', older)]],
  'of another mapper': [[record('a')], [record('a', { mapperVersion: 3 })]],
  'resolved now': [[record('a', { unresolved: true })], [record('a')]],
  'unresolved still': [[record('a', { unresolved: true })], [record('a', { unresolved: true })]],
  'unresolved now': [[record('a')], [record('a', { unresolved: true })]],
  deleted: [[record('a')], [record('a', { deleted: true })]],
  'deleted still': [[record('a', { deleted: true })], [record('a', { deleted: true })]],
  'back again': [[record('a', { deleted: true })], [record('a')]],
  'twice, the last one as stored': [[record('a')], [record('a', renamed), record('a')]],
  'twice, the last one changed': [[record('a')], [record('a'), record('a', renamed)]],
  'some of each': [
    [record('a'), record('b'), record('c')],
    [record('b', renamed), record('d'), record('a'), record('c', { deleted: true })],
  ],
  'none at all': [[record('a')], []],
};

function storing(tenant: Tenant, way: Way, records: readonly IncomingRecord[]): Promise<StoreCounts> {
  const { scope, companyId, connectionId } = tenant;
  return app.database.sql(scope).transaction((transaction) =>
    way(transaction, {
      definition: definitionOf('Account'),
      svcCompanyId: companyId,
      connectionId,
      integrationType: 'SVC_SANDBOX',
      cause: { kind: 'sync', id: null },
      records,
    }),
  );
}

/** All that is stored of a tenant, but for ids and times. */
async function contentsOf({ companyId }: Tenant) {
  const accounts = await admin.pool.query(
    `SELECT svc_id, platform_id, name, data_hash, mapper_version, unresolved, revision, svc_deleted_at IS NULL AS lives
     FROM accounts WHERE svc_company_id = $1 ORDER BY platform_id`,
    [companyId],
  );
  const platformIds = new Map(accounts.rows.map(({ svc_id, platform_id }) => [svc_id, platform_id]));
  const changes = await admin.pool.query(
    `SELECT position, operation, changes, revision, svc_id FROM record_changes
     WHERE svc_company_id = $1 ORDER BY position`,
    [companyId],
  );
  return {
    accounts: accounts.rows.map(({ svc_id: _id, ...account }) => account),
    changes: changes.rows.map(({ svc_id, ...change }) => ({
      ...change,
      platformId: platformIds.get(svc_id),
    })),
  };
}

test.each(Object.entries(CASES))('a batch of which most is stored: %s', async (name, [before, then]) => {
  const outcomes = [];
  for (const way of [storeBatch, storeChanged]) {
    const tenant = await createTenant(app, name);
    await storing(tenant, storeBatch, before);
    const { unmapped, ...counts } = { unmapped: [], ...(await storing(tenant, way, then)) };
    expect(unmapped).toEqual([]);
    outcomes.push({ counts, ...(await contentsOf(tenant)) });
  }
  expect(outcomes[1]).toEqual(outcomes[0]);
});

test('a record with a value that cannot be stored keeps no other one out', async () => {
  const tenant = await createTenant(app, 'odd value');
  const odd = record('odd', { values: { currentBalance: '1e50' }, dataHash: 'odd' });
  const stored = await storing(tenant, storeChanged, [record('a'), odd, record('b')]);
  const message = expect.stringMatching(/^currentBalance must be a decimal/);
  expect(stored).toMatchObject({ created: 2, unmapped: [{ raw: odd.raw.text, dataHash: 'odd', message }] });
  expect((await contentsOf(tenant)).accounts.map(({ platform_id: id }) => id)).toEqual(['a', 'b']);

  const { batches, unmapped } = pageBatches(definitionOf('Account'), [record('a'), odd], true);
  expect(batches.map(({ platformIds }) => platformIds)).toEqual([['a']]);
  expect(unmapped).toEqual([{ raw: odd.raw.text, dataHash: 'odd', message }]);
});

test('an id that no index holds keeps no other record out', async () => {
  const tenant = await createTenant(app, 'long id');
  const id = randomBytes(5000).toString('hex');
  const long = record(id, { dataHash: 'long' });
  const named = record('b', { values: { parentAccountId: id }, dataHash: 'named' });
  const stored = await storing(tenant, storeChanged, [record('a'), long, named]);
  expect(stored).toMatchObject({
    created: 1,
    unmapped: [
      { dataHash: 'long', message: 'platformId must have at most 2000 bytes' },
      { dataHash: 'named', message: 'parentAccountId must have at most 2000 bytes' },
    ],
  });
});

test('every text of a record that stands in an index is held to what an index holds', async () => {
  const { rows } = await admin.pool.query<{ table: string; column: string }>(
    `SELECT DISTINCT c.relname AS table, a.attname AS column FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY(i.indkey) AND a.atttypid = 'text'::regtype
     WHERE c.relname = ANY($1)`,
    [records.map(({ table }) => table)],
  );
  expect(rows.length).toBeGreaterThan(records.length);
  for (const { table, column } of rows) {
    const definition = records.find((one) => one.table === table);
    const [name] = Object.entries(definition?.own ?? {}).find(([, { wire }]) => wire === column) ?? [];
    if (!definition || (!name && column !== 'platform_id')) throw new Error(`${table}.${column} is no field`);
    const long = 'x'.repeat(2001);
    const one = record(name ? 'a' : long, { values: name ? { [name]: long } : {} });
    expect(() => readyBatch(definition, [one])).toThrow('must have at most 2000 bytes');
  }
});

test('a batch that is stored as it is takes no lock of the organisation', async () => {
  const tenant = await createTenant(app, 'no lock');
  await storing(tenant, storeBatch, [record('a')]);
  const locksOf = async (way: Way) =>
    (await statementsOf(app, () => storing(tenant, way, [record('a')]))).filter(({ text }) =>
      /change_heads|FOR KEY SHARE/.test(text),
    ).length;
  expect(await locksOf(storeBatch)).toBeGreaterThan(0);
  expect(await locksOf(storeChanged)).toBe(0);
});
