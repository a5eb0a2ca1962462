import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { untilEventSync } from '../../src/platforms/budget.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { admin } from '../support/admin.js';
import { createXeroHook, xeroEvent } from '../support/hooks.js';
import { createSandboxTenant, engineOf, startTestSandbox } from '../support/sandbox.js';
import { createCaller, startApp } from '../support/service.js';
import { untilBlocked } from '../support/until-blocked.js';
import { createXeroTenant } from '../support/xero.js';

let app: App;
let sandbox: Sandbox;

beforeAll(async () => {
  app = await startApp();
  sandbox = await startTestSandbox();
});
afterEach(async () => {
  await admin.pool.query('DROP FUNCTION IF EXISTS refuse_one CASCADE; DROP SEQUENCE IF EXISTS refused');
});
afterAll(async () => {
  await sandbox.stop();
  await app.close();
});

test.each(['deadlock_detected', 'serialization_failure', 'lock_not_available'])(
  'a sync goes on after a %s',
  async (problem) => {
    const tenant = await createSandboxTenant(engineOf(app, sandbox.url), sandbox, { records: 20 });
    const connected = await tenant.connect('PAYMENTS');
    await admin.pool.query(
      `CREATE SEQUENCE refused; GRANT USAGE ON SEQUENCE refused TO PUBLIC;
     CREATE FUNCTION refuse_one() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF nextval('refused') = 1 THEN RAISE ${problem}; END IF;
       RETURN NEW;
     END $$;
     CREATE TRIGGER refuse_one BEFORE INSERT ON payment_transactions FOR EACH STATEMENT EXECUTE FUNCTION refuse_one()`,
    );
    // Thrown, so that the job begins again.
    await expect(tenant.run(connected.syncSvcId)).rejects.toMatchObject({ code: 'service-unavailable' });
    await tenant.run(connected.syncSvcId);
    const { state } = await admin.prisma.sync.findFirstOrThrow({
      where: { svcId: BigInt(connected.syncSvcId) },
    });
    expect(state).toBe('SUCCESS');
  },
);

test('who ends a connection while its platform tells of changes waits for nobody, nor does the platform', async () => {
  const tenant = await createXeroTenant(app, 'deadlock');
  const tell = await createXeroHook(tenant.organisationId);
  const caller = await createCaller(app, tenant.organisationId);
  const events = [xeroEvent(tenant.books.tenantId, 'INVOICE')];
  expect((await tell(app, events)).status).toBe(200);
  const { connectionId } = tenant;
  const answers: Promise<unknown>[] = [];
  const client = await admin.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT FROM syncs WHERE connection_id = $1 FOR UPDATE', [connectionId]);
    const disconnect = `mutation { disconnectConnection(input: { connectionId: ${connectionId} }) { wasPlatformTold } }`;
    answers.push(caller.graphql(disconnect).then(({ body }) => body.errors?.[0].extensions.code ?? 200));
    await untilBlocked(1);
    answers.push(tell(app, events).then(({ status }) => status));
    await Promise.race([answers[1], untilBlocked(2)]);
  } finally {
    await client.query('COMMIT');
    client.release();
  }
  expect(await Promise.all(answers)).toEqual([200, 200]);
  // What was told of after the end of the others is not read either.
  const syncs = await admin.prisma.sync.findMany({ where: { connectionId: BigInt(connectionId) } });
  for (const { svcId, endedAt } of syncs) if (endedAt === null) await tenant.run(Number(svcId));
  const states = await admin.prisma.sync.findMany({ where: { connectionId: BigInt(connectionId) } });
  expect(states.map(({ state, errorCode }) => [state, errorCode])).toEqual(
    states.map(() => ['FAILED', 'connection-expired']),
  );
  await tenant.stop();
});

test('a sync that is begun while its connection is ended leaves nothing that runs', async () => {
  const tenant = await createSandboxTenant(engineOf(app, sandbox.url), sandbox, { records: 20 });
  const caller = await createCaller(app, tenant.organisationId);
  const { connectionId, syncSvcId } = await tenant.connect('PAYMENTS');
  const client = await admin.pool.connect();
  // What a sync that begins shows of its connection comes after what its end says.
  await client.query(`SELECT pg_advisory_lock(77);
    CREATE FUNCTION refuse_one() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF current_query() LIKE '%last_synced_at = CASE%' THEN PERFORM pg_advisory_xact_lock(77); END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER refuse_one BEFORE UPDATE ON connections FOR EACH STATEMENT EXECUTE FUNCTION refuse_one()`);
  const run = tenant.run(syncSvcId).catch((error: unknown) => error);
  await untilBlocked();
  const ended = caller.graphql(
    `mutation { disconnectConnection(input: { connectionId: ${connectionId} }) { wasPlatformTold } }`,
  );
  await Promise.race([ended, untilBlocked(2)]);
  await client.query('SELECT pg_advisory_unlock(77)');
  client.release();
  expect((await ended).body.errors).toBeUndefined();
  await run;
  const connection = await admin.prisma.connection.findFirstOrThrow({
    where: { svcId: BigInt(connectionId) },
  });
  expect(connection).toMatchObject({ status: 'DISCONNECTED', syncStatus: 'IDLE' });
});

test('the call of a process that died is taken back while a platform tells of changes', async () => {
  const tenant = await createSandboxTenant(engineOf(app, sandbox.url), sandbox, { records: 20 });
  const { connectionId } = await tenant.connect('PAYMENTS');
  const key = { svcCompanyId: tenant.companyId, connectionId };
  await admin.pool.query(
    `INSERT INTO platform_calls (id, svc_organisation_id, svc_company_id, connection_id, leased_until)
     VALUES (gen_random_uuid(), $1, $2, $3, now() - interval '1 minute')`,
    [tenant.organisationId, tenant.companyId, connectionId],
  );
  const sql = app.database.sql(tenant.link.scope);
  const waits: Promise<number>[] = [];
  await sql.transaction(async (transaction) => {
    const query = transaction.query();
    await transaction.rows(
      query,
      `SELECT FROM connections t WHERE ${query.within('t')} AND t.svc_id = ${query.bind(connectionId)} FOR NO KEY UPDATE`,
    );
    waits.push(untilEventSync(sql, key));
    await untilBlocked();
    waits.push(untilEventSync(transaction, key));
    await waits[1];
  });
  expect(await Promise.all(waits)).toEqual([0, 0]);
  expect(await admin.prisma.platformCall.count({ where: { connectionId: BigInt(connectionId) } })).toBe(0);
});
