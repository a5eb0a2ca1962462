import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type pg from 'pg';
import type { App } from '../../src/app.js';
import { createScope, organisationScope, type Scope } from '../../src/db/scope.js';
import { control } from '../../src/db/pool/cluster-scope.js';
import { runScoped } from '../../src/db/scoped-query.js';
import { openLocalStore } from '../../src/files/local-store.js';
import { runUpload } from '../../src/writes/upload-job.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { SPREAD } from '../../src/shards/placement.js';
import { admin } from '../support/admin.js';
import { fillCompany } from '../support/fill-company.js';
import { runRendered } from '../support/rendered.js';
import { engineOf, startTestSandbox, writeEngineOf } from '../support/sandbox.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { startApp, testFileDir } from '../support/service.js';
import { type Statement, statementsOf } from '../support/statements.js';
import { runWithin } from '../support/within.js';
import { createWriting } from '../support/writing.js';

let app: App;
let sandbox: Sandbox;
let mine: Tenant;
/** Another organisation, that has nothing at all: whatever a statement answers within it is foreign. */
let stranger: Scope;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url });
  mine = await createTenant(app, 'second wall');
  await fillCompany(app, mine);
  const { svcId } = await admin.prisma.organisation.create({ data: { name: 'second wall stranger' } });
  stranger = organisationScope(Number(svcId));
});
afterAll(async () => {
  await app?.close();
  await sandbox?.stop();
});

const within = (scope: Scope, config: pg.QueryConfig) => runWithin(app.database.pool, config, scope);

describe('every table', () => {
  test('of tenants has row-level security and its policy; the login of requests can reach no other', async () => {
    const { rows } = await admin.pool.query<{
      name: string;
      isTenant: boolean;
      isHeld: boolean;
      rights: string;
    }>(
      `SELECT c.relname AS name, c.relrowsecurity AND EXISTS (
           SELECT FROM pg_policies p WHERE p.tablename = c.relname AND p.policyname = 'svc_scope'
             AND p.qual LIKE '%svc.organisation%' AND (p.qual LIKE '%svc.companies%' OR NOT EXISTS (
               SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'svc_company_id'))) AS "isHeld",
         (SELECT string_agg(right_, ',') FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) right_
           WHERE has_table_privilege($1, c.oid, right_)) AS rights
       FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v')
         -- What a cluster says of itself.
         AND NOT starts_with(c.relname, 'citus_')`,
      [(await app.database.pool.query<{ name: string }>('SELECT session_user AS name')).rows[0]?.name],
    );
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter(({ rights, isHeld }) => rights !== null && !isHeld)).toEqual([]);
    const unreachable = rows.filter(({ rights }) => rights === null).map(({ name }) => name);
    expect(unreachable.filter((name) => !name.startsWith('record_changes_'))).toEqual(
      expect.arrayContaining([
        '_prisma_migrations',
        'api_keys',
        'data_users',
        'request_budgets',
        'live_subscriptions',
        'secret_canaries',
      ]),
    );
    expect(unreachable.filter((name) => !name.startsWith('record_changes_'))).toHaveLength(6);
  });

  test('is empty without a scope, and within that of another organisation or company', async () => {
    const { rows: tables } = await admin.pool.query<{ name: string }>(
      `SELECT DISTINCT table_name AS name FROM information_schema.columns c
       WHERE table_schema = 'public' AND column_name = 'svc_company_id' AND NOT table_name LIKE 'record_changes_%'`,
    );
    expect(tables.length).toBeGreaterThan(45);
    const count = async (table: string, scope: Scope | null) => {
      const text = `SELECT count(*)::int AS count FROM ${table}`;
      const { rows } = await (scope ? within(scope, { text }) : app.database.pool.query(text));
      return (rows[0] as { count: number }).count;
    };
    const other = createScope(mine.organisationId, [mine.companyId + 1_000_000]);
    for (const { name } of tables) {
      const counts = [null, stranger, other].map((scope) => count(name, scope));
      expect({ name, counts: await Promise.all(counts) }).toEqual({ name, counts: [0, 0, 0] });
      expect({ name, isEmpty: (await count(name, mine.scope)) === 0 }).toEqual({ name, isEmpty: false });
      const limited = createScope(mine.organisationId, [mine.companyId]);
      expect(await count(name, limited)).toBe(await count(name, mine.scope));
    }
  });
});

test('settings end with their statement, with their transaction, and with a statement that fails', async () => {
  const { pool } = app.database;
  const seen = async (runner: pg.Pool | pg.PoolClient) =>
    (
      await runner.query<{ id: string | null }>(
        `SELECT NULLIF(current_setting('svc.organisation', true), '') AS id`,
      )
    ).rows[0]?.id;
  const client = await pool.connect();
  try {
    await runScoped(client, { text: 'SELECT FROM accounts' }, mine.scope);
    expect(await seen(client)).toBeNull();
    await expect(runScoped(client, { text: 'SELECT 1 / 0' }, mine.scope)).rejects.toThrow('division');
    expect(await seen(client)).toBeNull();
    await control(client, 'BEGIN', () => client.query('BEGIN'));
    await runScoped(client, { text: 'SELECT FROM accounts' }, mine.scope);
    expect(await seen(client)).toBe(String(mine.organisationId));
    await control(client, 'COMMIT', () => client.query('COMMIT'));
    expect(await seen(client)).toBeNull();
  } finally {
    client.release();
  }
});

test('a row cannot be written for another organisation, nor a job', async () => {
  const insert = (values: readonly unknown[]) =>
    within(stranger, { text: 'INSERT INTO activities (svc_organisation_id, svc_company_id, activity_type) VALUES ($1, $2, $3)', values: [...values] }); // prettier-ignore
  await expect(insert([mine.organisationId, mine.companyId, 'X'])).rejects.toThrow('row-level security');
  const job = {
    text: `SELECT svc_add_job('sync', $1, 'q', now(), 'k')`,
    values: [{ organisationId: mine.organisationId }],
  };
  await expect(within(stranger, job)).rejects.toThrow('a job is of the organisation that adds it');
});

/** Prisma's statements of many scopes at once, also while there are fewer connections than statements. */
test('the scoped Prisma client sees its own organisation only, however many ask at once', async () => {
  const own = app.database.client(mine.scope);
  const foreign = app.database.client(stranger);
  const counts = await Promise.all(
    Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? own : foreign).company.count()),
  );
  expect(counts).toEqual(counts.map((_, index) => (index % 2 === 0 ? 1 : 0)));
  // Past the predicate that the client adds: the database holds it, too.
  const { rows } = await within(stranger, { text: 'SELECT * FROM companies' });
  expect(rows).toEqual([]);
});

describe('the statements of the service without the predicates of their scope', () => {
  const OWN = /\b\w+\.svc_organisation_id = \$1\b/g;
  const COMPANIES = /\b\w+\.svc_(?:company_)?id = ANY\((\$\d+)::bigint\[\]\)/g;
  const PRISMA = /"public"\."\w+"\."svc_organisation_id" = (\$\d+)/g;
  const stripped = ({ text, values }: Statement): Statement => ({
    text: text
      .replace(OWN, '$1::bigint IS NOT NULL')
      .replace(COMPANIES, '$1::bigint[] IS NOT NULL')
      .replace(PRISMA, '$1::bigint IS NOT NULL'),
    values,
  });
  let statements: Statement[] = [];
  let tables: ReadonlySet<string>;

  beforeAll(async () => {
    const { rows } = await admin.pool.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    tables = new Set(rows.map(({ name }) => name));
    const own = createScope(mine.organisationId, [mine.companyId]);
    statements = await statementsOf(app, async () => {
      await runRendered(app.database.sql(mine.scope), mine.companyId);
      await runRendered(app.database.sql(own), mine.companyId);
      await everyPath();
    });
    statements = [...new Map(statements.map((one) => [one.text, one])).values()].filter(
      (one) => stripped(one).text !== one.text,
    );
  }, 300_000);

  /** Connecting, syncing, writing, all core lists, deleting: what the service does beside reading records. */
  async function everyPath(): Promise<void> {
    const books = await createWriting(app, sandbox);
    const { tenant, caller, companyId } = books;
    const written = await books.write('/accounting/journal_entries', [books.journal(1)], { run_async: true });
    const uploadId = written.body.data.upload_job_id as string;
    const upload = await admin.prisma.upload.findFirstOrThrow({ where: { uploadId } });
    const engine = writeEngineOf(engineOf(app, sandbox.url), await openLocalStore(testFileDir()));
    const { organisationId } = tenant;
    const payload = { organisationId, svcCompanyId: companyId, uploadSvcId: Number(upload.svcId) };
    await runUpload(engine, payload, { workerId: 'test', signal: new AbortController().signal });
    expect((await books.untilOver(uploadId)).status).toBe('SUCCESS');
    await tenant.sync(books.connected);
    for (const path of ['companies', 'integrations', 'webhooks', 'link', 'syncs', 'uploads', 'activities']) {
      await caller.get(`/v3/core/${path}`);
    }
    await caller.graphql(
      '{ inviteLinks { nodes { id } } connections { nodes { id } } writes { nodes { id } } }',
    );
    expect((await caller.remove(`/v3/core/companies/${companyId}`)).status).toBe(200);
  }

  test('answer nothing of another organisation, and change nothing of it', async () => {
    expect(statements.length).toBeGreaterThan(150);
    const client = await app.database.pool.connect();
    const open: string[] = [];
    let answered = 0;
    try {
      for (const one of statements) {
        const { text, values } = stripped(one);
        if ((await rowsOf(client, text, values, stranger)).length > 0) open.push(one.text);
        const owner = await admin.pool.connect();
        // Not for nothing: the owner, whom nothing holds, does get foreign rows by many of them.
        if ((await rowsOf(owner, text, values, null)).length > 0) answered += 1;
        owner.release();
      }
    } finally {
      client.release();
    }
    expect(open).toEqual([]);
    expect(answered).toBeGreaterThan(60);
  }, 300_000);

  /** Rules that a cluster sets (docs/scale.md), held on one PostgreSQL, too. */
  test('can be run by a cluster: what it spreads is joined with nothing of the coordinator, and locked by nobody', () => {
    const spread = new Set(SPREAD.map(({ table }) => table));
    const tablesOf = (text: string) =>
      [...text.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE|,)\s+(?:"?public"?\.)?"?([a-z_]+)"?/g)].flatMap(
        ([, name = '']) => (tables.has(name) ? [name] : []),
      );
    // A value that is looked up first, by a sub-select in brackets that names nothing of the statement around it.
    const withoutValues = (text: string) =>
      text.replace(/\(\s*SELECT (?:[^()]|\([^()]*\))*\)/g, (part) =>
        tablesOf(part).some((name) => spread.has(name)) ? part : '()',
      );
    const refused = statements
      .map(({ text }) => withoutValues(text))
      .filter((text) => {
        const named = tablesOf(text);
        const ofCluster = named.filter((name) => spread.has(name));
        if (ofCluster.length === 0) return false;
        const isLocked = /\bFOR (NO KEY UPDATE|UPDATE|KEY SHARE|SHARE)\b/.test(text);
        // Under row-level security only an insertion that returns something is one of a cluster's own.
        const isMute = text
          .split(/\bINSERT INTO /)
          .slice(1)
          .map((rest) => rest.split(/\n\s*\)/)[0] ?? '')
          .some(
            (insertion) => /\bSELECT\b/.test(insertion) && !/\b(RETURNING|ON CONFLICT)\b/.test(insertion),
          );
        const isTimed = /\bDO UPDATE SET\b[^;]*\bnow\(\)/.test(text);
        return ofCluster.length < named.length || isLocked || isMute || isTimed;
      });
    expect(refused).toEqual([]);
  });

  /** What a statement answers, counts of nothing left out; it is rolled back, and may be refused. */
  async function rowsOf(
    client: pg.PoolClient,
    text: string,
    values: readonly unknown[],
    scope: Scope | null,
  ): Promise<unknown[]> {
    await control(client, 'BEGIN', () => client.query('BEGIN'));
    try {
      const config = { text, values: [...values] };
      const { rows, rowCount, command } = await (scope
        ? runScoped(client, config, scope)
        : client.query(config));
      const isChange = ['INSERT', 'UPDATE', 'DELETE'].includes(command);
      if (isChange && rows.length === 0 && rowCount) return [rowCount];
      // Beside a count stands what was asked for.
      return rows.filter((row: { count?: unknown }) =>
        ('count' in row ? [row.count] : Object.values(row)).some(
          (value) => !EMPTY.has(JSON.stringify(value)),
        ),
      );
    } catch (error) {
      // Of a row of another organisation; of a statement whose rows have changed since, as the owner.
      if (scope === null || /row-level security|a job is of/.test((error as Error).message)) return [];
      throw error;
    } finally {
      await client.query('ROLLBACK');
    }
  }

  const EMPTY = new Set(['null', '0', '"0"', '""', 'false', '[]', '"[]"', undefined]);
});
