import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { borrowFrom } from '../../src/http/limits/limit-requests.js';
import { OpenSubscriptions } from '../../src/http/live/open-subscriptions.js';
import { RequestLoans } from '../../src/http/limits/request-loans.js';
import { findLink, findLinkOfState } from '../../src/connect/find-link.js';
import { organisationScope } from '../../src/db/scope.js';
import { findActiveKey } from '../../src/operations/keys/api-keys.js';
import { countCrash, freeWork } from '../../src/runs/crashes.js';
import { forgetOldKeys } from '../../src/writes/forget-keys.js';
import { admin } from '../support/admin.js';
import { addSync, connectXero, fillCompany } from '../support/fill-company.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';
import { until } from '../support/until.js';
import { hashSecret } from '../../src/secrets/hash-secret.js';

/** What finds things before an organisation is known runs as the owner: each is named here, and tested below. */
const FUNCTIONS = [
  'svc_add_every_minute()',
  'svc_add_job(text,json,text,timestamp with time zone,text)',
  'svc_borrow_requests(bigint[],text[],integer[],integer[],integer[],bigint[])',
  'svc_claim_webhooks(text,timestamp with time zone,integer,integer,integer,integer[])',
  'svc_connections_to_sync(bigint,integer)',
  'svc_count_given_up()',
  'svc_ensure_change_partitions(integer)',
  'svc_find_by_field(regclass,text,jsonpath,text,text,text[],bigint,integer)',
  'svc_find_hook(text)',
  'svc_find_link(text)',
  'svc_find_link_of_state(bytea)',
  'svc_forget_idempotency_keys()',
  'svc_is_account_connected(bigint,text,text)',
  'svc_measure(integer[])',
  'svc_open_subscriptions(text,bigint[],text[],integer[],integer[],integer)',
  'svc_organisations_of_workers(text[])',
  'svc_pass_change(bigint)',
  'svc_pass_mapping()',
  'svc_remove_changes(bigint,bigint,integer)',
  'svc_use_api_key(bytea,text)',
];

let app: App;
let acme: Tenant;
let connectionId: number;

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'lookups');
  connectionId = await connectXero(app, acme);
});
afterAll(() => app.close());

test.each(['disk_full', 'read_only_sql_transaction'])(
  'a key is good for reading where its use cannot be noted: %s',
  async (problem) => {
    const caller = await createCaller(app, acme.organisationId);
    await admin.pool.query(
      `CREATE FUNCTION refuse_note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE ${problem}; END $$;
       CREATE TRIGGER refuse_note BEFORE UPDATE ON api_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_note()`,
    );
    try {
      expect((await caller.get('/v3/accounting/accounts')).status).toBe(200);
    } finally {
      await admin.pool.query('DROP FUNCTION refuse_note CASCADE');
    }
    const { lastUsedAt } = await admin.prisma.apiKey.findFirstOrThrow({
      where: { keyHash: hashSecret(caller.key) },
    });
    expect(lastUsedAt).toBeNull();
  },
);

test('the functions that run as the owner are known, have a fixed search path and are nobody else’s', async () => {
  const { rows } = await admin.pool.query<{ name: string; path: string; isOpen: boolean }>(
    `SELECT p.oid::regprocedure::text AS name, array_to_string(p.proconfig, ';') AS path,
       p.proacl IS NULL OR EXISTS (SELECT FROM aclexplode(p.proacl) a WHERE a.grantee = 0) AS "isOpen"
     FROM pg_proc p WHERE p.prosecdef AND p.pronamespace = 'public'::regnamespace ORDER BY 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(FUNCTIONS);
  for (const { name, path, isOpen } of rows) {
    expect({ name, isFixed: /search_path=pg_catalog, pg_temp/.test(path), isOpen }).toEqual({
      name,
      isFixed: true,
      isOpen: false,
    });
  }
});

test('nobody but the owner removes what was kept long enough', async () => {
  const { rows } = await admin.pool.query<{ call: string }>(
    `SELECT format('SELECT %I(%s)', p.proname,
       (SELECT string_agg('0', ', ') FROM generate_series(1, p.pronargs))) AS call
     FROM pg_proc p WHERE p.proname ~ '^svc_(forget|files_to_forget)' AND p.proname <> 'svc_forget_idempotency_keys'`,
  );
  expect(rows).toHaveLength(7);
  for (const { call } of rows)
    await expect(app.database.pool.query(call)).rejects.toThrow('permission denied');
});

test('a change log goes with its company, when none of its connections is left', async () => {
  const gone = await createTenant(app, 'removed changes');
  await gone.store('Account', [{ platformId: 'cash', values: { name: 'Cash' } }]);
  const changes = () => admin.prisma.recordChange.count({ where: { svcCompanyId: gone.companyId } });
  // As somebody would who has the login and writes statements of their own.
  const removeAs = async (organisationId: number, companies = '') => {
    const { rows } = await app.database.pool.query<{ count: string }>(
      `WITH scope AS MATERIALIZED
         (SELECT set_config('svc.organisation', $1, true), set_config('svc.companies', $2, true))
       SELECT svc_remove_changes($3, $4, 100) AS count FROM scope`,
      [organisationId, companies, gone.organisationId, gone.companyId],
    );
    return Number(rows[0]?.count);
  };
  expect([await changes(), await removeAs(gone.organisationId)]).toEqual([1, 0]);
  await admin.prisma.connection.deleteMany({ where: { svcCompanyId: gone.companyId } });
  expect(await removeAs(acme.organisationId)).toBe(0);
  expect(await removeAs(gone.organisationId, `{${acme.companyId}}`)).toBe(0);
  expect([await removeAs(gone.organisationId), await changes()]).toEqual([1, 0]);
  const client = app.database.client(organisationScope(gone.organisationId));
  await expect(client.recordChange.deleteMany()).rejects.toThrow('permission denied');
});

test('a job of the queue is added by nobody but the function that knows whose it is', async () => {
  const insert = `INSERT INTO graphile_worker._private_jobs (task_id, payload)
    SELECT id, '{"organisationId": 1}' FROM graphile_worker._private_tasks`;
  await expect(app.database.pool.query(insert)).rejects.toThrow('permission denied');
});

test('the job of every minute waits once, whoever adds it', async () => {
  const add = () => app.database.pool.query('SELECT svc_add_every_minute()');
  await Promise.all([add(), add(), add()]);
  const { rows } = await admin.pool.query(
    `SELECT payload, run_at > now() AS "waits" FROM graphile_worker._private_jobs WHERE key = 'every_minute'`,
  );
  expect(rows).toEqual([{ payload: {}, waits: true }]);
});

test('a key is found by its hash while it may be used, and its use is noted', async () => {
  const { key, keyId } = await createCaller(app, acme.organisationId, { companyIds: [acme.companyId] });
  const find = () => findActiveKey(app.database.pool, key, '192.0.2.1');
  expect(await find()).toMatchObject({
    id: keyId,
    scope: { organisationId: acme.organisationId, companyIds: [acme.companyId], keyId },
  });
  const row = () => admin.prisma.apiKey.findUniqueOrThrow({ where: { id: keyId } });
  const { lastUsedAt } = await row();
  expect(lastUsedAt).not.toBeNull();
  await find();
  expect((await row()).lastUsedAt).toEqual(lastUsedAt);
  const uses = () => admin.prisma.auditEvent.findMany({ where: { keyId, eventType: 'KEY_USED' } });
  expect((await uses()).map(({ subject }) => subject)).toEqual(['192.0.2.1']);
  await findActiveKey(app.database.pool, key, '192.0.2.2');
  expect((await uses()).map(({ subject }) => subject)).toEqual(['192.0.2.1', '192.0.2.2']);
  const change = (data: object) => admin.prisma.apiKey.update({ where: { id: keyId }, data });
  await change({ expiresAt: new Date(Date.now() - 1000) });
  expect(await find()).toBeNull();
  await change({ expiresAt: null, revokedAt: new Date() });
  expect(await find()).toBeNull();
  expect(await findActiveKey(app.database.pool, `${key}x`, '192.0.2.1')).toBeNull();
});

test('requests of a minute are lent to processes that ask at the same time, and no more than there may be', async () => {
  const { organisationId } = acme;
  const counted = { organisationId, keyId: 'lent', max: 100 };
  const { pool } = app.database;
  const admittedBy = async (processes: number) => {
    const verdicts = await Promise.all(
      Array.from({ length: processes }, () => new RequestLoans(borrowFrom(pool))).flatMap((loans) =>
        Array.from({ length: 30 }, async () => loans.take(counted)),
      ),
    );
    return verdicts.filter(({ isAdmitted }) => isAdmitted).length;
  };
  expect(await admittedBy(8)).toBe(100);
  expect(await admittedBy(1)).toBe(0);
  // Of another key and another organisation nothing was lent.
  const row = () => admin.prisma.requestBudget.findMany({ where: { svcOrganisationId: organisationId } });
  expect(await row()).toMatchObject([{ keyId: 'lent', lent: 100 }]);
  await admin.prisma.requestBudget.updateMany({ where: { keyId: 'lent' }, data: { minuteEnds: 0 } });
  expect(await admittedBy(2)).toBe(60);
  expect(await row()).toMatchObject([{ lent: 60 }]);
  // What is given back is that of the minute that it was lent in.
  const borrow = borrowFrom(pool);
  const ask = { ...counted, wanted: 5 };
  const [first] = await borrow([{ ...ask, givenBack: 0, minuteEnd: 0 }]);
  expect(first).toMatchObject({ loan: 5, lentInAll: 65 });
  const [old] = await borrow([{ ...ask, wanted: 0, givenBack: 5, minuteEnd: 1 }]);
  expect(old).toMatchObject({ loan: 0, lentInAll: 65 });
  const [own] = await borrow([{ ...ask, wanted: 0, givenBack: 5, minuteEnd: first?.minuteEnd ?? 0 }]);
  expect(own).toMatchObject({ loan: 0, lentInAll: 60 });
});

test('subscriptions of a key are counted over processes that ask at the same time, until one has died', async () => {
  const { organisationId } = acme;
  const key = { id: 'live', scope: { organisationId } };
  const processes = [1, 2, 3, 4].map(() => new OpenSubscriptions(app.database.pool, 10));
  const openMany = async (process: OpenSubscriptions | undefined, count: number) =>
    (await Promise.allSettled(Array.from({ length: count }, async () => process?.open(key)))).flatMap(
      (one) => (one.status === 'fulfilled' ? [one.value] : []),
    );
  const opened = await Promise.all(processes.map((process) => openMany(process, 4)));
  expect(opened.flat()).toHaveLength(10);
  const [first, second] = processes;
  const stored = () =>
    admin.prisma.liveSubscription.aggregate({
      where: { keyId: 'live', svcOrganisationId: organisationId },
      _sum: { open: true },
    });
  expect((await stored())._sum.open).toBe(10);
  // Two that end make room elsewhere, and one that ends twice for one.
  const [end, another] = opened.find((one) => one.length > 1) ?? [];
  end?.();
  end?.();
  another?.();
  await until('two free places', async () => (await stored())._sum.open === 8);
  expect(await openMany(first, 3)).toHaveLength(2);
  // What a process has not confirmed for a while is not counted: the four here are alive, and are noted again.
  await admin.prisma.liveSubscription.updateMany({ where: { keyId: 'live' }, data: { seenAt: new Date(0) } });
  const held = await admin.prisma.liveSubscription.count({ where: { keyId: 'live' } });
  expect(held).toBeGreaterThan(1);
  expect((await openMany(second, 20)).length).toBeGreaterThan(2);
  await Promise.all(processes.map(async (process) => process.close()));
});

test('a link is found by its id, and by the state of an authorisation, with why it has ended', async () => {
  const owner = { svcOrganisationId: BigInt(acme.organisationId), svcCompanyId: BigInt(acme.companyId) };
  const inviteLinkId = randomBytes(16).toString('hex');
  const { svcId } = await admin.prisma.inviteLink.create({
    data: { ...owner, inviteLinkId, integrations: ['XERO'] },
  });
  const { pool } = app.database;
  const found = {
    inviteLinkId,
    svcId: Number(svcId),
    svcCompanyId: acme.companyId,
    companyName: 'lookups company',
    organisationName: expect.stringContaining('lookups'),
    integrations: ['XERO'],
    integrationCategories: [],
    ended: null,
    scope: { organisationId: acme.organisationId, companyIds: [acme.companyId], keyId: null, position: null },
  };
  expect(await findLink(pool, inviteLinkId)).toEqual(found);
  expect(await findLink(pool, randomBytes(16).toString('hex'))).toBeNull();
  await admin.prisma.authorization.create({
    data: {
      ...owner,
      stateHash: hashSecret('a state'),
      inviteLinkSvcId: svcId,
      integrationType: 'XERO',
      category: 'ACCOUNTING',
      codeVerifier: 'sealed',
      redirectUri: 'http://127.0.0.1/',
      expiresAt: new Date(),
    },
  });
  expect(await findLinkOfState(pool, 'a state')).toEqual(found);
  expect(await findLinkOfState(pool, 'another')).toBeNull();
  const change = (data: object) => admin.prisma.inviteLink.updateMany({ where: { inviteLinkId }, data });
  await change({ expiresAt: new Date(Date.now() - 1000) });
  expect((await findLink(pool, inviteLinkId))?.ended).toBe('expired');
  await change({ revokedAt: new Date() });
  expect((await findLink(pool, inviteLinkId))?.ended).toBe('revoked');
});

test('connections with credentials that are healthy are found in the order of their svc_ids, page by page', async () => {
  const { pool } = app.database;
  const page = async (after: number, most: number) =>
    (await pool.query('SELECT svc_id::int AS id, marks FROM svc_connections_to_sync($1, $2)', [after, most]))
      .rows as { id: number; marks: unknown[] }[];
  await admin.prisma.syncMark.create({
    data: {
      svcOrganisationId: BigInt(acme.organisationId),
      svcCompanyId: BigInt(acme.companyId),
      connectionId: BigInt(connectionId),
      dataModel: 'ACCOUNTS',
      pulledTo: new Date('2026-01-02T03:04:05.678Z'),
    },
  });
  const all = await page(0, 1000);
  expect(all.find(({ id }) => id === connectionId)?.marks).toEqual([
    {
      dataModel: 'ACCOUNTS',
      pulledTo: expect.stringContaining('2026-01-02T03:04:05.678'),
      triedAt: null,
    },
  ]);
  // That of the tenant itself has no credentials.
  expect(all.map(({ id }) => id)).not.toContain(acme.connectionId);
  expect((await page(connectionId - 1, 1)).map(({ id }) => id)).toEqual([connectionId]);
  expect((await page(connectionId, 1000)).map(({ id }) => id)).not.toContain(connectionId);
});

describe('work of workers', () => {
  const stateOf = async (svcId: bigint) =>
    (await admin.prisma.sync.findFirstOrThrow({ where: { svcId } })).state;

  test('that died or were replaced is found in every organisation, and that of others is left', async () => {
    const other = await createTenant(app, 'lookups other');
    const held: { workerId: string; syncSvcId: bigint }[] = [];
    for (const tenant of [acme, other]) {
      const connection = await connectXero(app, tenant, 'held');
      for (const workerId of ['dead', 'living']) {
        held.push({
          workerId,
          ...(await addSync(tenant, { connectionId: connection, sync: { workerId } })),
        });
      }
    }
    const states = async (workerId: string) =>
      Promise.all(held.filter((one) => one.workerId === workerId).map((one) => stateOf(one.syncSvcId)));
    expect(await countCrash(app.database, { workerIds: ['dead'] })).toBe(0);
    expect(await states('dead')).toEqual(['INTERRUPTED', 'INTERRUPTED']);
    expect(await states('living')).toEqual(['RUNNING', 'RUNNING']);
    await freeWork(app.database, ['living']);
    expect(await states('living')).toEqual(['INTERRUPTED', 'INTERRUPTED']);
  });

  test('that was given up is counted over all organisations', async () => {
    const count = async () => {
      const { rows } = await app.database.pool.query<{ kind: string; count: string }>(
        'SELECT * FROM svc_count_given_up() ORDER BY kind',
      );
      return rows.map(({ kind, count: number }) => [kind, Number(number)]);
    };
    const [[, syncs = 0] = []] = await count();
    await addSync(acme, { connectionId, state: 'GIVEN_UP' });
    expect(await count()).toEqual([
      ['sync', Number(syncs) + 1],
      ['write', expect.any(Number)],
    ]);
  });
});

test('numbers over all organisations are measured for metrics', async () => {
  const measure = async (metric: string, label: string, other: string | null = null) => {
    const { rows } = await app.database.pool.query<{ value: number }>(
      `SELECT value FROM svc_measure() WHERE metric = $1 AND label = $2 AND other IS NOT DISTINCT FROM $3`,
      [metric, label, other],
    );
    return rows[0]?.value ?? 0;
  };
  const open = await measure('syncs_open', 'XERO', 'SLEEPING');
  const connections = await measure('connections', 'XERO', 'HEALTHY');
  for (const name of ['measure one', 'measure two']) {
    const tenant = await createTenant(app, name);
    const connection = await connectXero(app, tenant);
    await addSync(tenant, { connectionId: connection, state: 'SLEEPING' });
    await addSync(tenant, { connectionId: connection, state: 'SUCCESS', sync: { endedAt: new Date() } });
  }
  expect(await measure('syncs_open', 'XERO', 'SLEEPING')).toBe(open + 2);
  expect(await measure('syncs_open', 'XERO', 'SUCCESS')).toBe(0);
  expect(await measure('connections', 'XERO', 'HEALTHY')).toBe(connections + 2);
  expect(await measure('platform_budget_left', 'XERO', 'minute')).toBe(1);
  await admin.pool.query(
    `UPDATE connections SET max_per_minute = 100, minute_calls = 75, minute_reset_at = now(), status = 'EXPIRED'
     WHERE svc_id = (SELECT max(svc_id) FROM connections WHERE integration_type = 'XERO')`,
  );
  expect(await measure('platform_budget_left', 'XERO', 'minute')).toBe(0.25);
  expect(await measure('connections', 'XERO', 'EXPIRED')).toBe(1);
});

test('the lag of syncs is that of what the schedule syncs', async () => {
  const tenant = await createTenant(app, 'lag');
  const key = { svcOrganisationId: BigInt(tenant.organisationId), svcCompanyId: BigInt(tenant.companyId) };
  const days = async () => {
    const { rows } = await app.database.pool.query<{ days: number }>(
      `SELECT value / 86400 AS days FROM svc_measure() WHERE metric = 'sync_lag_seconds' AND label = 'XERO'`,
    );
    return Math.floor(rows[0]?.days ?? 0);
  };
  const connection = BigInt(await connectXero(app, tenant));
  await admin.prisma.connection.updateMany({
    where: key,
    data: { lastSyncedAt: new Date(Date.now() - 10.1 * 86_400_000) },
  });
  expect(await days()).toBe(10);

  const dataModels = ['ACCOUNTS', 'BILLS'];
  const set = async (setting: object) => {
    await admin.prisma.syncConfig.deleteMany({ where: key });
    await admin.prisma.syncConfig.createMany({
      data: dataModels.map((dataModel) => ({ ...key, category: 'ACCOUNTING', dataModel, ...setting })),
    });
  };
  await set({ frequency: 'WEEKLY' });
  // Nothing was read yet that could wait for a week.
  expect(await days()).toBe(10);
  await admin.prisma.syncMark.createMany({
    data: dataModels.map((dataModel) => ({ ...key, connectionId: connection, dataModel })),
  });
  expect(await days()).toBe(10 - 6);
  await set({ enabled: false });
  expect(await days()).toBe(0);
  await set({ mayRead: false });
  expect(await days()).toBe(0);
  await admin.prisma.syncMark.create({ data: { ...key, connectionId: connection, dataModel: 'INVOICES' } });
  expect(await days()).toBe(10);
  await admin.prisma.connectionCredential.deleteMany({ where: key });
  expect(await days()).toBe(0);
});

test('idempotency keys of all organisations are forgotten after 30 days', async () => {
  const tenant = await createTenant(app, 'lookups keys');
  await fillCompany(app, tenant);
  const keys = () => admin.prisma.idempotencyKey.count({ where: { svcCompanyId: BigInt(tenant.companyId) } });
  const age = (days: number) =>
    admin.prisma.idempotencyKey.updateMany({
      where: { svcCompanyId: BigInt(tenant.companyId) },
      data: { createdAt: new Date(Date.now() - days * 86_400_000) },
    });
  await age(29.9);
  await forgetOldKeys(app.database.pool);
  expect(await keys()).toBe(1);
  await age(30.1);
  await forgetOldKeys(app.database.pool);
  expect(await keys()).toBe(0);
});

test('partitions of the change log are made by a login that owns none of them', async () => {
  const months = async () =>
    (
      await admin.pool.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_inherits WHERE inhparent = 'record_changes'::regclass`,
      )
    ).rows[0]?.count ?? 0;
  const before = await months();
  await app.database.pool.query('SELECT svc_ensure_change_partitions(5)');
  expect(await months()).toBe(before + 2);
});

test('partitions of the change log are made later while a backup reads it, and nobody waits behind them', async () => {
  const backup = await admin.pool.connect();
  const isMade = async () => {
    const { rows } = await admin.pool.query<{ made: boolean }>(
      `SELECT to_regclass('record_changes_' || to_char(date_trunc('month', now() AT TIME ZONE 'UTC')
         + interval '6 months', '"y"YYYY"m"MM')) IS NOT NULL AS made`,
    );
    return rows[0]?.made;
  };
  try {
    await backup.query('BEGIN');
    await backup.query('SELECT count(*) FROM record_changes');
    await app.database.pool.query('SELECT svc_ensure_change_partitions(6)');
    expect(await isMade()).toBe(false);
  } finally {
    await backup.query('ROLLBACK');
    backup.release();
  }
  await app.database.pool.query('SELECT svc_ensure_change_partitions(6)');
  expect(await isMade()).toBe(true);
});

test('a job is added by its organisation only', async () => {
  const sql = app.database.sql(organisationScope(acme.organisationId));
  const query = sql.query();
  const payload = query.bind(JSON.stringify({ organisationId: acme.organisationId + 1 }));
  await expect(
    sql.rows(
      query,
      `SELECT svc_add_job('sync', ${payload}::json, 'q', now(), 'k')
       FROM organisations t WHERE t.svc_id = $1 AND EXISTS (SELECT FROM companies c WHERE c.svc_organisation_id = $1)`,
    ),
  ).rejects.toThrow('a job is of the organisation that adds it');
});

test('webhooks that have something to send are leased once, a limited number of each organisation', async () => {
  const { pool } = app.database;
  const make = async (tenant: Tenant, data: object = {}) => {
    const id = randomBytes(12).toString('hex');
    await admin.prisma.webhook.create({
      data: {
        id,
        svcOrganisationId: BigInt(tenant.organisationId),
        name: id,
        type: 'DATA_MODEL_CHANGES',
        url: 'https://hooks.example.com/',
        headers: '',
        enabled: true,
        ...data,
      },
    });
    return id;
  };
  const at = new Date('2030-01-01T00:00:00.000Z');
  const claim = async (most: number, mostEach: number) =>
    (
      await pool.query<{ id: string }>('SELECT id FROM svc_claim_webhooks($1, $2, $3, $4, 20)', [
        '',
        at,
        most,
        mostEach,
      ])
    ).rows.map(({ id }) => id);
  const busy = await createTenant(app, 'lookups busy');
  const other = await createTenant(app, 'lookups beside it');
  for (const tenant of [busy, other]) await tenant.store('Account', [{ platformId: 'one', values: {} }]);
  const first = [await make(busy), await make(busy), await make(busy)];
  const beside = await make(other);
  await make(busy, { enabled: false });
  await make(busy, { position: 1n });
  await make(busy, { type: 'SYNC_COMPLETED' });
  await make(busy, { dueAt: new Date(at.getTime() + 1) });
  const replayed = await make(other, { position: 1n, replayAfter: 0n, replayUntil: 1n });
  const claimed = await claim(100, 2);
  expect(claimed.filter((id) => first.includes(id))).toHaveLength(2);
  expect(claimed).toEqual(expect.arrayContaining([beside, replayed]));
  expect(claimed).toHaveLength(4);
  // Two of the first organisation are worked for, and that is all that it may have.
  expect(await claim(100, 2)).toEqual([]);
  expect(await claim(100, 3)).toHaveLength(1);
  await admin.prisma.webhook.updateMany({ data: { leasedUntil: new Date(Date.now() - 1000) } });
  expect(await claim(1, 100)).toHaveLength(1);
  const past = new Date(Date.now() - 1000);
  await admin.prisma.webhook.updateMany({ data: { enabled: false, leasedUntil: past } });

  // Of those that are equally far behind, each is passed over by what it wants itself.
  const wanting = { dataModels: ['ACCOUNTS'], operations: ['CREATE'] };
  const wants = await make(other, wanting);
  const passedOver = [
    await make(other, { ...wanting, dataModels: ['INVOICES'] }),
    await make(other, { ...wanting, operations: ['UPDATE', 'DELETE'] }),
    await make(other, { ...wanting, companyIds: [BigInt(busy.companyId)] }),
  ];
  expect(await claim(100, 100)).toEqual([wants]);
  const { position } = await admin.prisma.changeHead.findUniqueOrThrow({
    where: { svcOrganisationId: BigInt(other.organisationId) },
  });
  const stands = new Map(
    (await admin.prisma.webhook.findMany()).map((webhook) => [webhook.id, webhook.position]),
  );
  expect(passedOver.map((id) => stands.get(id))).toEqual([position, position, position]);
  expect(stands.get(wants)).toBe(0n);
  await admin.prisma.webhook.updateMany({ data: { enabled: false, leasedUntil: past } });

  // What fails leaves half of an organisation's turns, and half of a worker's, to what does not.
  const failing: string[] = [];
  for (let count = 0; count < 6; count += 1) failing.push(await make(busy, { failingSince: at }));
  const taken = (ids: readonly string[]) => ids.filter((id) => failing.includes(id)).length;
  const release = (ids: string[]) =>
    admin.prisma.webhook.updateMany({ where: { id: { in: ids } }, data: { leasedUntil: past } });
  const working = await make(busy);
  const fair = await claim(100, 4);
  expect(fair).toContain(working);
  expect(taken(fair)).toBe(2);
  await release([working]);
  expect(await claim(100, 4)).toEqual([working]);
  await release([...failing, working]);
  expect(taken(await claim(6, 100))).toBe(3);
  // Three failing ones and the other one are worked for: two places are free, and failing ones have their half.
  expect(await claim(2, 100)).toEqual([]);
  await release([working]);
  expect(await claim(3, 100)).toEqual([working]);
  await admin.prisma.webhook.updateMany({ data: { enabled: false } });

  // What a webhook does not want is passed over without a lease; what retention has removed is not.
  const quiet = await createTenant(app, 'lookups passed over');
  await quiet.store(
    'Account',
    [1, 2, 3].map((one) => ({ platformId: `${one}`, values: {} })),
  );
  const passed = [
    await make(quiet, { dataModels: ['BILLS'] }),
    await make(quiet, { operations: ['DELETE'] }),
    await make(quiet, { companyIds: [BigInt(other.companyId)] }),
  ];
  const wanted = await make(quiet, { dataModels: ['ACCOUNTS'], operations: ['CREATE'], position: 2n });
  const leased = await make(quiet, {
    dataModels: ['BILLS'],
    workerId: '',
    leasedUntil: new Date(Date.now() + 60_000),
  });
  const behind = await make(quiet, { dataModels: ['ITEMS'], position: 0n });
  await admin.prisma.changeHead.update({
    where: { svcOrganisationId: BigInt(quiet.organisationId) },
    data: { forgotten: 1n },
  });
  await admin.prisma.webhook.updateMany({ where: { id: { in: passed } }, data: { position: 1n } });
  expect((await claim(100, 100)).sort()).toEqual([wanted, behind].sort());
  const positions = async (ids: readonly string[]) =>
    (await admin.prisma.webhook.findMany({ where: { id: { in: [...ids] } } })).map(({ position }) =>
      Number(position),
    );
  expect(await positions(passed)).toEqual([3, 3, 3]);
  expect(await positions([leased])).toEqual([0]);
  await admin.prisma.webhook.updateMany({ data: { enabled: false } });
});
