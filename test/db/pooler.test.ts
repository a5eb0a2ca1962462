import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import { integrationTypes } from '../../src/connectors/index.js';
import { Login } from '../../src/db/pool/login.js';
import { openDatabase } from '../../src/db/opening/open.js';
import { createPool } from '../../src/db/pool/pool.js';
import { checkPooler } from '../../src/db/opening/pooler.js';
import { runtimeRoleName } from '../../src/db/runtime/role-name.js';
import { createScope } from '../../src/db/scope.js';
import type { Worker } from '../../src/jobs/worker.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { start } from '../cli/commands.js';
import { admin } from '../support/admin.js';
import { createEmptyDatabase } from '../support/database.js';
import { fillCompany } from '../support/fill-company.js';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../support/pgbouncer.js';
import { startTestSandbox } from '../support/sandbox.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { createCaller, startApp, testDatabaseUrl, testFileDir, testLogin } from '../support/service.js';
import { until } from '../support/until.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';
import { runWithin } from '../support/within.js';

// `.ci/run` installs it.
if (!hasPgBouncer && process.env['CI']) throw new Error('there is no pgbouncer');
const throughPgBouncer = hasPgBouncer ? describe : describe.skip;

throughPgBouncer('through PgBouncer in transaction mode, with two sessions', () => {
  const directUrl = testDatabaseUrl();
  let bouncer: PgBouncer;
  let sandbox: Sandbox;
  let app: App;
  let worker: Worker;
  let books: Writing;

  beforeAll(async () => {
    bouncer = await startPgBouncer(directUrl, { mode: 'transaction', size: 2 });
    sandbox = await startTestSandbox();
    const settings = { DATABASE_URL: bouncer.url(directUrl), DATABASE_DIRECT_URL: directUrl };
    app = await startApp({ ...settings, SANDBOX_URL: sandbox.url, WRITE_WAIT_MS: '60000' });
    worker = await startWorker(sandbox, settings);
    books = await createWriting(app, sandbox);
  });
  afterAll(async () => {
    await worker?.stop();
    await app?.close();
    await sandbox?.stop();
    await bouncer?.stop();
  });

  /** The sessions that PgBouncer has at PostgreSQL for requests and jobs. */
  const sessions = async () =>
    (
      await admin.pool.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND usename = $1
         AND application_name NOT LIKE 'svc%'`,
        [new URL(testLogin().url).username],
      )
    ).rows.length;

  test('a sync, lists and a write work as they do without it', async () => {
    const { body } = await books.caller.get('/v3/accounting/accounts?limit=5&sort[name]=ASC');
    expect(body.data).toHaveLength(5);
    const answer = await books.caller.graphql(
      '{ bills(first: 3) { totalCount nodes { platformId contact { name } lineItems { account { name } } } } }',
    );
    expect(answer.body.errors).toBeUndefined();
    expect(answer.body.data.bills.nodes).toHaveLength(3);
    const written = await books.caller.post('/accounting/journal_entries', {
      company_id: books.companyId,
      data: [books.journal(1, { description: 'through the pooler' })],
    });
    expect([written.status, written.body.data.status]).toEqual([200, 'SUCCESS']);
    // Its job is taken over the direct connections, and run over the pooler's.
    const { body: sync } = await books.caller.post('/v3/core/syncs', {
      company_id: books.companyId,
      integration_type: 'SVC_SANDBOX',
      full_sync: true,
      data_models_to_sync: ['ACCOUNTS', 'BILLS'],
    });
    // A worker may have begun it before the answer.
    expect(sync).toMatchObject({ data: { sync_id: expect.any(String) } });
    const ended = await until('the end of the sync', async () => {
      const { data } = (await books.caller.get(`/v3/core/syncs/${sync.data.sync_id}`)).body;
      return data.end_time === null ? null : data;
    });
    expect(ended).toMatchObject({ status: 'SUCCESS', failed_count: 0 });
    expect(await sessions()).toBeLessThanOrEqual(2);
    // Else nothing of this went through it.
    expect(await sessions()).toBeGreaterThan(0);
  });

  test('who follows changes is woken over a session that is not a pooled one', async () => {
    const list = await books.caller.get('/v3/accounting/accounts?limit=1&return_position=true');
    const position = list.headers.get('x-svc-change-position');
    const stop = new AbortController();
    const answer = await fetch(`${app.url}/v3/core/changes?next=${position}`, {
      headers: { api_key: books.caller.key, accept: 'text/event-stream' },
      signal: stop.signal,
    });
    await until('the session that listens', async () => {
      const { rows } = await admin.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database()
           AND application_name = 'svc wakes' AND state = 'idle' AND query <> ''`,
      );
      return rows.length === 1;
    });
    const data = [books.journal(1, { description: 'heard of' })];
    await books.caller.post('/accounting/journal_entries', { company_id: books.companyId, data });
    let text = '';
    for await (const part of answer.body ?? []) {
      text += Buffer.from(part).toString();
      if (text.includes('heard of')) break;
    }
    stop.abort();
    expect(text).toContain('"data_model":"JOURNAL_ENTRIES"');
  });

  test('statements have the settings that sessions have without it, and leave none behind', async () => {
    const names = ['timezone', 'datestyle', 'jit', 'random_page_cost', 'statement_timeout'];
    const text = `SELECT ${names.map((name) => `current_setting('${name}')`).join(` || ' ' || `)} AS value,
      current_setting('svc.organisation', true) AS organisation, current_setting('svc.companies', true) AS companies`;
    const scope = createScope(7, [8, 9]);
    const pooled = await runWithin(app.database.pool, { text, name: 'settings' }, scope);
    const pool = createPool({
      login: testLogin(),
      size: 1,
      statementMilliseconds: readConfig({}, integrationTypes).limits.statementMilliseconds,
      onError: () => undefined,
    });
    try {
      const direct = await runWithin(pool, { text }, scope);
      expect(pooled.rows).toEqual(direct.rows);
      expect(pooled.rows).toMatchObject([{ organisation: '7', companies: '{8,9}' }]);
    } finally {
      await pool.end();
    }
    for (let round = 0; round < 4; round += 1) {
      const after = await app.database.pool.query<{ organisation: string | null }>(text);
      expect(after.rows[0]?.organisation ?? '').toBe('');
    }
  });

  test('two organisations at once see nothing of each other, also after statements that fail', async () => {
    const tenants: Tenant[] = [];
    for (const name of ['pooled one', 'pooled two']) {
      const tenant = await createTenant(app, name);
      await fillCompany(app, tenant);
      tenants.push(tenant);
    }
    const callers = await Promise.all(tenants.map(({ organisationId }) => createCaller(app, organisationId)));
    /** Without a predicate: row-level security alone keeps them apart. */
    const all = 'SELECT DISTINCT svc_organisation_id::int AS id FROM accounts';
    const failing =
      "SELECT 1 / (svc_id - svc_id) FROM accounts WHERE svc_organisation_id = $1 AND name <> ''";
    /** A statement of each kind: more at once might wait for a session longer than requests do. */
    const round = (tenant: Tenant, which: number) => {
      const { organisationId, scope, companyId } = tenant;
      const sql = app.database.sql(scope);
      return Array.from({ length: 5 }, async (_, kind) => {
        if (kind === 0) {
          await expect(sql.rows(sql.query(), failing)).rejects.toThrow('division by zero');
        } else if (kind === 1) {
          const companies = await app.database.client(scope).company.findMany();
          expect(companies.map(({ svcOrganisationId }) => Number(svcOrganisationId))).toEqual([
            organisationId,
          ]);
        } else if (kind === 2) {
          const seen = await sql.transaction(async (inside) => {
            const read = () => inside.rows(inside.query(), `${all} WHERE svc_organisation_id = $1 OR true`);
            return [...(await read()), ...(await read())];
          });
          expect(seen).toEqual([{ id: organisationId }, { id: organisationId }]);
        } else if (kind === 3) {
          const answer = await callers[which]?.get('/v3/accounting/accounts?limit=100');
          const ids = answer?.body.data.map((row: { svc_company_id: number }) => Number(row.svc_company_id));
          expect(new Set(ids)).toEqual(new Set([companyId]));
        } else {
          const both = await Promise.all([
            runWithin(app.database.pool, { text: all, name: 'all' }, scope),
            app.database.pool.query(all),
          ]);
          expect(both.map(({ rows }) => rows)).toEqual([[{ id: organisationId }], []]);
        }
      });
    };
    for (let turn = 0; turn < 8; turn += 1) await Promise.all(tenants.flatMap(round));
    // What follows a failure on either session belongs to nobody.
    const after = await Promise.all(Array.from({ length: 8 }, () => app.database.pool.query(all)));
    expect(after.flatMap(({ rows }) => rows)).toEqual([]);
    expect(await sessions()).toBeLessThanOrEqual(2);
  });
});

throughPgBouncer('a start', () => {
  const folder = tmpdir();
  const settings = {
    NODE_ENV: 'production',
    SECRET_KEYS: randomBytes(32).toString('base64'),
    FILE_DIR: testFileDir(),
    PORT: '0',
    DRAIN_SECONDS: '0',
    DATABASE_WAIT_SECONDS: '120',
  };

  test.each([
    ['transaction', 'server_round_robin = 0'],
    ['statement', 'server_round_robin = 0'],
    ['transaction', 'server_round_robin = 1'],
  ] as const)('without the direct address refuses a pooler in %s mode, %s', async (mode, more) => {
    const url = testDatabaseUrl();
    const bouncer = await startPgBouncer(url, { mode, size: 2, more });
    try {
      const refused = await start('dist/main.js', [], { ...settings, DATABASE_URL: bouncer.url(url) }, folder)
        .ended;
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain('a connection pooler answers there');
      expect(refused.stderr).toContain('set DATABASE_DIRECT_URL to the address of PostgreSQL itself');
      const both = { databaseUrl: url, databaseDirectUrl: bouncer.url(url), dataDir: '/nowhere' };
      await expect(openDatabase(both, 'own')).rejects.toThrow('DATABASE_DIRECT_URL: cannot use');
    } finally {
      await bouncer.stop();
    }
  });

  test('goes on behind a pooler that keeps sessions', async () => {
    const url = testDatabaseUrl();
    const bouncer = await startPgBouncer(url, { mode: 'session', size: 4 });
    try {
      const config = { databaseUrl: bouncer.url(url), databaseDirectUrl: null, dataDir: '/nowhere' };
      expect(await openDatabase(config, 'own')).toMatchObject({ url: config.databaseUrl, pooledUrl: null });
      const login = new Login([bouncer.url(testLogin().url)]);
      const pool = createPool({ login, size: 1, statementMilliseconds: 1234, onError: () => undefined });
      const text = `SELECT current_setting('timezone') || ' ' || current_setting('statement_timeout') AS value`;
      try {
        const { rows } = await pool.query(text);
        expect(rows).toEqual([{ value: 'UTC 1234ms' }]);
      } finally {
        await pool.end();
      }
    } finally {
      await bouncer.stop();
    }
  });

  test('with both makes the login of requests, which gets through the pooler', async () => {
    const url = await createEmptyDatabase();
    const role = runtimeRoleName(new URL(url).pathname.slice(1));
    const bouncer = await startPgBouncer(url, { mode: 'transaction', size: 3 });
    const addresses = { DATABASE_URL: bouncer.url(url), DATABASE_DIRECT_URL: url };
    const service = start(
      'dist/main.js',
      [],
      { ...settings, ...addresses, PUBLIC_URL: 'http://127.0.0.1' },
      folder,
    );
    try {
      await service.says('A first request');
      const { rows } = await admin.pool.query<{ name: string }>(
        `SELECT DISTINCT application_name AS name FROM pg_stat_activity WHERE usename = $1`,
        [role],
      );
      expect(rows.map(({ name }) => name)).toContain('svc worker');
      expect((await service.stop()).code).toBe(0);
    } finally {
      await service.stop();
      await bouncer.stop();
      await admin.pool.query(`DROP DATABASE "${new URL(url).pathname.slice(1)}" WITH (FORCE)`);
      await admin.pool.query(`DROP ROLE IF EXISTS "${role}"`);
    }
  });

  test('gets through a pooler that looks logins up as docs/operations.md says', async () => {
    const url = testDatabaseUrl();
    const user = { name: `asks_${randomBytes(4).toString('hex')}`, password: 'secret' };
    const page = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const sql = /```sql\n(CREATE ROLE pgbouncer [^`]*)```/.exec(page)?.[1] ?? '';
    const query = /^auth_query = .*$/m.exec(page)?.[0] ?? '';
    await admin.pool.query(
      sql
        .replaceAll(/(ROLE|AUTHORIZATION|TO) pgbouncer\b/g, `$1 ${user.name}`)
        .replace("'...'", `'${user.password}'`),
    );
    const bouncer = await startPgBouncer(url, { mode: 'transaction', size: 2, user, more: query });
    try {
      await checkPooler(testLogin(bouncer.url(url), url));
      await expect(checkPooler(new Login([bouncer.url(url)], [url]))).rejects.toThrow('refuses');
    } finally {
      await bouncer.stop();
      await admin.pool.query(
        `DROP SCHEMA pgbouncer CASCADE; DROP OWNED BY ${user.name}; DROP ROLE ${user.name}`,
      );
    }
  });

  test('refuses a pooler that does not know the login, and one of another database', async () => {
    const url = testDatabaseUrl();
    const unknown = await startPgBouncer(url, {
      mode: 'transaction',
      size: 2,
      more: "auth_query = SELECT usename, passwd FROM pg_shadow WHERE usename = $1 AND usename NOT LIKE '%runtime'",
    });
    try {
      await expect(checkPooler(testLogin(unknown.url(url), url))).rejects.toThrow(
        /^DATABASE_URL leads to the pooler at 127.0.0.1:\d+, which refuses svc_.*_runtime, the login of requests/,
      );
    } finally {
      await unknown.stop();
    }
    const bouncer = await startPgBouncer(url, { mode: 'transaction', size: 2 });
    try {
      await checkPooler(testLogin(bouncer.url(url), url));
      const other = Object.assign(new URL(url), { pathname: '/postgres' }).href;
      await expect(checkPooler(testLogin(bouncer.url(url), other))).rejects.toThrow('a different database');
    } finally {
      await bouncer.stop();
    }
  });
});

test('without PgBouncer here, nothing of this was tested', () => {
  if (!hasPgBouncer)
    process.stderr.write('no PgBouncer: install it, or set PGBOUNCER_PATH, to test poolers\n');
  expect(testLogin().isPooled).toBe(false);
});
