import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { App } from '../../src/app.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import type { SyncEngine } from '../../src/sync/engine.js';
import { createSandboxTenant, engineOf, type SandboxTenant, startTestSandbox } from '../support/sandbox.js';
import { startApp, testDatabaseUrl } from '../support/service.js';
import { admin } from '../support/admin.js';

let app: App;
let sandbox: Sandbox;
let engine: SyncEngine;
let owner: pg.Client;
let tenant: SandboxTenant;
let connectionId: number;

beforeAll(async () => {
  app = await startApp();
  sandbox = await startTestSandbox();
  engine = engineOf(app, sandbox.url);
  owner = new pg.Client({ connectionString: testDatabaseUrl() });
  await owner.connect();
  tenant = await createSandboxTenant(engine, sandbox);
  const connected = await tenant.connect('ACCOUNTING');
  connectionId = connected.connectionId;
  await tenant.run(connected.syncSvcId);
});
afterAll(async () => {
  await owner.end();
  await sandbox.stop();
  await app.close();
});

const runOf = (syncSvcId: number) =>
  admin.prisma.sync.findFirstOrThrow({
    where: { svcId: BigInt(syncSvcId) },
    include: { jobs: true },
  });
const sync = async (dataModel: string) => {
  const connected = { connectionId } as never;
  return runOf(await tenant.sync(connected, { fullSync: true, dataModels: [dataModel] }));
};
/** Makes the platform send something without an id in place of its first objects of a kind. */
const spoil = async (kind: string, count: number): Promise<string[]> => {
  const { rows } = await owner.query<{ body: string }>(
    `UPDATE sandbox.objects SET body = replace(body, '"Guid"', '"Guide"')
     WHERE (account, kind, position) IN (SELECT o.account, o.kind, o.position FROM sandbox.objects o
       JOIN sandbox.accounts a ON a.key = o.account WHERE a.id = $1 AND o.kind = $2 AND o.deleted_at IS NULL
       ORDER BY o.position LIMIT $3) RETURNING body`,
    [tenant.account, kind, count],
  );
  return rows.map(({ body }) => body);
};
const living = (table: string) =>
  owner
    .query(
      `SELECT count(*)::int AS count FROM ${table} WHERE svc_company_id = $1 AND svc_deleted_at IS NULL`,
      [tenant.companyId],
    )
    .then(({ rows }) => rows[0].count as number);

test.each([
  ['ITEMS', 'Products', 'items'],
  // Found deleted by a complete pull: what could not be read is not gone.
  ['CURRENCIES', 'Currencies', 'currencies'],
])(
  'an object of %s that cannot be mapped is kept as it came and stops nothing',
  async (dataModel, kind, table) => {
    const before = await living(table);
    const spoilt = await spoil(kind, 2);
    const { state, jobs } = await sync(dataModel);
    expect(state).toBe('PARTIAL_SUCCESS');
    expect(jobs).toMatchObject([{ state: 'SUCCESS', failed: 2, deleted: 0 }]);
    expect(jobs[0]?.problems).toEqual([expect.stringMatching(/Guid/), expect.stringMatching(/Guid/)]);
    expect(await living(table)).toBe(before);
    const kept = await admin.prisma.unmappedRecord.findMany({
      where: { svcCompanyId: BigInt(tenant.companyId), dataModel },
    });
    expect(kept.map(({ rawData }) => rawData)).toEqual(
      expect.arrayContaining(spoilt.map((body) => expect.objectContaining(pick(JSON.parse(body))))),
    );
    // The platform mends them: they are records again, and nothing is left of the complaint.
    await owner.query(
      `UPDATE sandbox.objects SET body = replace(body, '"Guide"', '"Guid"') WHERE kind = $1`,
      [kind],
    );
    expect(await sync(dataModel)).toMatchObject({ state: 'SUCCESS' });
    expect(
      await admin.prisma.unmappedRecord.count({
        where: { svcCompanyId: BigInt(tenant.companyId), dataModel },
      }),
    ).toBe(0);
  },
);

test('stores a tiny number, as double arithmetic leaves instead of zero, like any other', async () => {
  const { rowCount } = await owner.query(
    `UPDATE sandbox.objects SET body = regexp_replace(body, '"OnHand":[0-9."]+', '"OnHand":5.684341886080802e-14')
     WHERE kind = 'Products' AND account IN (SELECT key FROM sandbox.accounts WHERE id = $1)`,
    [tenant.account],
  );
  expect(rowCount).toBeGreaterThan(0);
  expect(await sync('ITEMS')).toMatchObject({ state: 'SUCCESS', jobs: [{ failed: 0 }] });
  const [item] = await admin.prisma.item.findMany({
    where: { svcCompanyId: BigInt(tenant.companyId), quantityOnHand: { not: null } },
  });
  expect(item?.quantityOnHand?.toFixed()).toBe('0.00000000000005684342');
});

const pick = ({ Guide, Title }: Record<string, unknown>) => ({ Guide, Title });
