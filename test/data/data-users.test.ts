import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { App } from '../../src/app.js';
import { prepareDataViews } from '../../src/data/prepare.js';
import { refreshDataViews } from '../../src/data/refresh.js';
import { createDataUser, dropDataUsers, listDataUsers, removeDataUser } from '../../src/data/users.js';
import { dataViews } from '../../src/data/views.js';
import { fillCompany } from '../support/fill-company.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { startApp, testDatabaseUrl } from '../support/service.js';

const LIMITS = { statementMilliseconds: 60_000, connections: 5 };

let app: App;
let owner: pg.Client;
let acme: Tenant;
let second: Tenant;
let other: Tenant;
/** Of all of acme, and of its second company. */
let all: pg.Client;
let limited: pg.Client;
let made: { readonly role: string; readonly password: string | null };
const open: pg.Client[] = [];

async function connect(user: string, password: string): Promise<pg.Client> {
  const url = Object.assign(new URL(testDatabaseUrl()), { username: user, password });
  const client = new pg.Client({ connectionString: url.href });
  client.on('error', () => undefined);
  await client.connect();
  open.push(client);
  return client;
}

const addUser = (tenant: Tenant, name: string, companyIds: readonly number[] = []) =>
  createDataUser(owner, { organisationId: tenant.organisationId, name, companyIds, role: null, ...LIMITS });

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'data users');
  second = await acme.company('second');
  other = await createTenant(app, 'data users elsewhere');
  for (const tenant of [acme, second, other]) await fillCompany(app, tenant);
  owner = new pg.Client({ connectionString: testDatabaseUrl() });
  await owner.connect();
  made = await addUser(acme, 'bi');
  all = await connect(made.role, made.password ?? '');
  const narrow = await addUser(acme, 'narrow', [second.companyId]);
  limited = await connect(narrow.role, narrow.password ?? '');
});
afterAll(async () => {
  await Promise.all(open.map((client) => client.end().catch(() => undefined)));
  await dropDataUsers(owner);
  await owner.end();
  await app.close();
});

const companiesIn = async (client: pg.Client, view: string): Promise<number[]> => {
  const column = view === 'companies' ? 'svc_id' : 'svc_company_id';
  const { rows } = await client.query(`SELECT DISTINCT ${column}::int AS id FROM data.${view} ORDER BY 1`);
  return rows.map(({ id }) => id);
};

describe('a login for SQL', () => {
  test.each(dataViews().map(({ name }) => name))(
    'reads its companies in data.%s, and no others',
    async (view) => {
      const ids = [acme.companyId, second.companyId].sort((one, next) => one - next);
      expect(await companiesIn(all, view)).toEqual(ids);
      expect(await companiesIn(limited, view)).toEqual([second.companyId]);
    },
  );

  test('sees nothing more by a setting, a role or another session authorisation', async () => {
    const { organisationId } = other;
    await all.query(`SET svc.organisation = '${organisationId}'`);
    await all.query(
      `SELECT set_config('svc.organisation', '${organisationId}', false), set_config('svc.companies', '', false)`,
    );
    expect(await companiesIn(all, 'invoices')).not.toContain(other.companyId);
    await limited.query(`SELECT set_config('svc.companies', '{${acme.companyId}}', false)`);
    expect(await companiesIn(limited, 'invoices')).toEqual([second.companyId]);
    const { rows } = await owner.query('SELECT current_user AS owner, current_database() AS database');
    const { owner: mighty, database } = rows[0];
    for (const role of [mighty, `svc_${database}_data`, `svc_${database}_runtime`, 'pg_read_all_data']) {
      await expect(all.query(`SET ROLE "${role}"`)).rejects.toThrow(/permission denied|does not exist/);
      await expect(all.query(`SET SESSION AUTHORIZATION "${role}"`)).rejects.toThrow(
        /permission denied|does not exist/,
      );
    }
    await expect(all.query(`ALTER ROLE "${made.role}" BYPASSRLS`)).rejects.toThrow(
      /permission denied|must be|read-only/,
    );
    await expect(all.query('SET row_security = off; SELECT count(*) FROM data.invoices')).rejects.toThrow(
      /row-level security/,
    );
    await all.query('RESET row_security');
  });

  test('reaches no table, sequence or other view, and no function of the service that runs as its owner', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname IN ('public', 'graphile_worker') AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')
         AND (has_table_privilege($1, c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE')
           OR has_any_column_privilege($1, c.oid, 'SELECT, INSERT, UPDATE'))`,
      [made.role],
    );
    expect(rows).toEqual([]);
    for (const table of ['api_keys', 'connection_credentials', 'invoices', 'data_users', 'webhooks']) {
      await expect(all.query(`SELECT * FROM public.${table}`)).rejects.toThrow(/permission denied/);
    }
    const functions = await owner.query<{ name: string }>(
      `SELECT p.oid::regprocedure::text AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
       WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND p.prosecdef AND has_function_privilege($1, p.oid, 'EXECUTE')`,
      [made.role],
    );
    expect(functions.rows).toEqual([]);
    for (const sql of [
      `SELECT pg_read_file('PG_VERSION')`,
      `SELECT pg_ls_dir('.')`,
      `COPY (SELECT 1) TO PROGRAM 'id'`,
      `SELECT rolpassword FROM pg_authid`,
      `SELECT lo_import('/etc/passwd')`,
      `SELECT * FROM pg_stats WHERE schemaname = 'public' AND tablename = 'nothing' UNION ALL SELECT * FROM pg_statistic`,
    ]) {
      await expect(all.query(sql)).rejects.toThrow(/permission denied|must be|each UNION/);
    }
    const { rows: seen } = await all.query(`SELECT tablename FROM pg_stats WHERE schemaname = 'public'`);
    expect(seen).toEqual([]);
  });

  test('writes nothing, also after it has allowed itself to', async () => {
    const write = `UPDATE data.invoices SET memo = 'mine'`;
    await expect(all.query('CREATE TABLE data.mine (a int)')).rejects.toThrow(/read-only/);
    await all.query('SET default_transaction_read_only = off');
    for (const sql of [
      write,
      'DELETE FROM data.invoices',
      `INSERT INTO data.companies (name) VALUES ('x')`,
      'CREATE TABLE data.mine (a int)',
      'CREATE TABLE public.mine (a int)',
      'CREATE VIEW data.mine AS SELECT 1',
      'CREATE SCHEMA mine',
    ]) {
      await expect(all.query(sql)).rejects.toThrow(
        /permission denied|cannot update|cannot insert|cannot delete/,
      );
    }
    await all.query('RESET default_transaction_read_only');
  });

  test('is shown no row of others by a function that tells what it is given, nor by EXPLAIN', async () => {
    await other.store('Contact', [{ platformId: 'canary', values: { name: 'canary-of-others' } }]);
    const heard: string[] = [];
    const listen = ({ message }: { message?: string | undefined }) => void heard.push(message ?? '');
    all.on('notice', listen);
    await all.query('SET default_transaction_read_only = off');
    await all.query(
      `CREATE FUNCTION pg_temp.tell(word text) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS
       $$ BEGIN RAISE NOTICE 'heard %', word; RETURN true; END $$`,
    );
    await all.query('SELECT count(*) FROM data.contacts WHERE pg_temp.tell(name)');
    await expect(
      all.query(`SELECT 1 / (CASE name WHEN 'canary-of-others' THEN 0 ELSE 1 END) FROM data.contacts`),
    ).resolves.toBeDefined();
    const { rows } = await all.query(
      `EXPLAIN (ANALYZE, VERBOSE) SELECT * FROM data.contacts WHERE name = 'canary' || '-of-others'`,
    );
    all.off('notice', listen);
    await all.query('RESET default_transaction_read_only');
    expect(heard.length).toBeGreaterThan(1);
    expect(heard.join()).not.toContain('canary');
    expect(JSON.stringify(rows)).not.toMatch(/permission/);
    expect(rows.some((row) => /never executed|rows=0/.test(row['QUERY PLAN']))).toBe(true);
  });

  test('has a time for a statement, a number of connections and the schema in its path', async () => {
    const show = async (name: string) => (await all.query(`SHOW ${name}`)).rows[0][name];
    expect(await show('statement_timeout')).toBe('1min');
    expect(await show('default_transaction_read_only')).toBe('on');
    expect((await all.query('SELECT count(*)::int AS count FROM invoices')).rows[0].count).toBeGreaterThan(0);
    const { rows } = await owner.query('SELECT rolconnlimit AS most FROM pg_roles WHERE rolname = $1', [
      made.role,
    ]);
    expect(rows[0].most).toBe(5);
  });
});

describe('the views', () => {
  test('show what REST calls it, each with a comment, and lines with their record', async () => {
    const { rows } = await all.query(
      `SELECT c.relname AS name, obj_description(c.oid) AS comment FROM pg_class c
       WHERE c.relnamespace = 'data'::regnamespace AND obj_description(c.oid) IS NULL`,
    );
    expect(rows).toEqual([]);
    const { rows: lines } = await all.query(
      `SELECT i.total_amount, l.description FROM data.invoices i
       JOIN data.invoice_line_items l ON l.invoice_svc_id = i.svc_id WHERE i.svc_company_id = $1`,
      [acme.companyId],
    );
    expect(lines[0]).toEqual({ total_amount: '12.30', description: 'text' });
    const { rows: commented } = await all.query(
      `SELECT col_description('data.invoices'::regclass, attnum) AS comment FROM pg_attribute
       WHERE attrelid = 'data.invoices'::regclass AND attname = 'total_amount'`,
    );
    expect(commented[0].comment).toEqual(expect.any(String));
  });

  test('leave out deleted records, and their lines', async () => {
    await acme.store('Invoice', [{ platformId: 'two', deleted: true, values: {} }]);
    const { rows } = await all.query(
      `SELECT (SELECT count(*)::int FROM data.invoices WHERE svc_company_id = $1) AS records,
         (SELECT count(*)::int FROM data.invoice_line_items WHERE svc_company_id = $1) AS lines`,
      [acme.companyId],
    );
    expect(rows[0]).toEqual({ records: 1, lines: 1 });
  });

  test('are made again when one is missing, by a start, and left alone when all are as they should be', async () => {
    const oid = async () => (await owner.query(`SELECT 'data.items'::regclass::oid AS oid`)).rows[0].oid;
    const before = await oid();
    await prepareDataViews(owner);
    expect(await oid()).toBe(before);
    await owner.query('DROP VIEW data.bills CASCADE');
    await refreshDataViews(testDatabaseUrl());
    expect(await oid()).not.toBe(before);
    expect(await companiesIn(limited, 'bills')).toEqual([second.companyId]);
  });
});

describe('logins', () => {
  test('are listed, made once, and gone with their sessions when removed', async () => {
    const { role, password } = await addUser(acme, 'short_lived');
    const client = await connect(role, password ?? '');
    expect(await listDataUsers(owner, other.organisationId)).toEqual([]);
    expect(await listDataUsers(owner, acme.organisationId)).toContainEqual(
      expect.objectContaining({ role, name: 'short_lived', companyIds: [], hasLogin: true }),
    );
    await expect(addUser(acme, 'short_lived')).rejects.toMatchObject({ code: 'conflict' });
    await expect(addUser(other, 'short_lived')).rejects.toMatchObject({ code: 'conflict' });
    await removeDataUser(owner, role);
    await expect(client.query('SELECT 1')).rejects.toThrow();
    await expect(connect(role, password ?? '')).rejects.toThrow(/authentication failed|does not exist/);
    await expect(removeDataUser(owner, role)).rejects.toMatchObject({ code: 'not-found' });
  });

  test('are gone with their sessions when an owner removes them who may make roles and is no superuser', async () => {
    const { role, password } = await addUser(acme, 'of_maker');
    const client = await connect(role, password ?? '');
    await owner.query('CREATE ROLE svc_test_maker NOLOGIN CREATEROLE BYPASSRLS');
    await owner.query('GRANT ALL ON data_users TO svc_test_maker; ALTER SCHEMA data OWNER TO svc_test_maker');
    // As if it had made it: what PostgreSQL 16 and later do by themselves.
    const { rows } = await owner.query(
      `SELECT current_setting('server_version_num')::int >= 160000 AS "isNewer"`,
    );
    if (rows[0].isNewer)
      await owner.query(`GRANT "${role}" TO svc_test_maker WITH ADMIN OPTION, INHERIT FALSE`);
    const maker = new pg.Client({ connectionString: testDatabaseUrl() });
    await maker.connect();
    try {
      await maker.query('SET ROLE svc_test_maker');
      expect(await removeDataUser(maker, role)).toBe(true);
      await expect(client.query('SELECT 1')).rejects.toThrow();
      await expect(connect(role, password ?? '')).rejects.toThrow(/authentication failed|does not exist/);
    } finally {
      await maker.end();
      await owner.query(
        'ALTER SCHEMA data OWNER TO CURRENT_USER; DROP OWNED BY svc_test_maker; DROP ROLE svc_test_maker',
      );
    }
  });

  test('are gone, too, when an owner removes them who may make roles and inherits no rights', async () => {
    const { role } = await addUser(acme, 'of_heir');
    await owner.query('CREATE ROLE svc_test_maker NOLOGIN NOINHERIT CREATEROLE BYPASSRLS');
    await owner.query('GRANT ALL ON data_users TO svc_test_maker; ALTER SCHEMA data OWNER TO svc_test_maker');
    await owner.query(`GRANT "${role}" TO svc_test_maker WITH ADMIN OPTION`);
    const maker = new pg.Client({ connectionString: testDatabaseUrl() });
    await maker.connect();
    try {
      await maker.query('SET ROLE svc_test_maker');
      expect(await removeDataUser(maker, role)).toBe(true);
    } finally {
      await maker.end();
      await owner.query(
        'ALTER SCHEMA data OWNER TO CURRENT_USER; DROP OWNED BY svc_test_maker; DROP ROLE svc_test_maker',
      );
    }
  });

  test('are gone with the large objects that they made, and are said to stay where those are in another database', async () => {
    const { role, password } = await addUser(acme, 'hoarder');
    const client = await connect(role, password ?? '');
    const allowed = 'SET default_transaction_read_only = off';
    await client.query(allowed);
    const { rows } = await client.query('SELECT lo_create(0) AS oid');
    const name = `${new URL(testDatabaseUrl()).pathname.slice(1)}_hoard`;
    await owner.query(`CREATE DATABASE "${name}"`);
    const url = Object.assign(new URL(testDatabaseUrl()), { pathname: `/${name}` });
    const elsewhere = new pg.Client({ connectionString: url.href });
    try {
      await elsewhere.connect();
      await elsewhere.query(`${allowed}; SET ROLE "${role}"; SELECT lo_create(0)`);
      await elsewhere.end();
      expect(await removeDataUser(owner, role)).toBe(false);
      const left = await owner.query('SELECT FROM pg_largeobject_metadata WHERE oid = $1', [rows[0].oid]);
      expect(left.rowCount).toBe(0);
    } finally {
      await owner.query(`DROP DATABASE "${name}"`);
    }
    await addUser(acme, 'hoarder');
    expect(await removeDataUser(owner, role)).toBe(true);
  });

  test('of the database that a backup is of go on when the copy is emptied', async () => {
    const name = `${new URL(testDatabaseUrl()).pathname.slice(1)}_copy`;
    await owner.query(`CREATE DATABASE "${name}"`);
    const url = Object.assign(new URL(testDatabaseUrl()), { pathname: `/${name}` });
    const copy = new pg.Client({ connectionString: url.href });
    await copy.connect();
    try {
      await copy.query('CREATE TABLE data_users (role_name text)');
      await copy.query('INSERT INTO data_users VALUES ($1)', [made.role]);
      await dropDataUsers(copy);
      expect(await companiesIn(all, 'companies')).toContain(acme.companyId);
    } finally {
      await copy.end();
      await owner.query(`DROP DATABASE "${name}"`);
    }
  });

  test('of other companies, and roles that no policy holds, are refused', async () => {
    await expect(addUser(acme, 'wide', [other.companyId])).rejects.toMatchObject({ code: 'not-found' });
    const { rows } = await owner.query('SELECT current_user AS role');
    const given = { organisationId: acme.organisationId, name: 'x', companyIds: [], ...LIMITS };
    await expect(createDataUser(owner, { ...given, role: rows[0].role })).rejects.toMatchObject({
      code: 'invalid-params',
    });
  });

  test('cannot be made by an owner who may not make roles, who is told what an administrator has to run', async () => {
    await owner.query('BEGIN');
    await owner.query('CREATE ROLE svc_test_weak_owner NOLOGIN');
    await owner.query('GRANT ALL ON ALL TABLES IN SCHEMA public TO svc_test_weak_owner');
    await owner.query('COMMIT');
    const weak = new pg.Client({ connectionString: testDatabaseUrl() });
    await weak.connect();
    try {
      await weak.query('SET ROLE svc_test_weak_owner');
      const given = {
        organisationId: acme.organisationId,
        name: 'weak',
        companyIds: [],
        role: null,
        ...LIMITS,
      };
      await expect(createDataUser(weak, given)).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringMatching(/may not create roles[^]*CREATE ROLE "svc_\w+_data_weak" LOGIN/),
      });
    } finally {
      await weak.end();
      await owner.query('DROP OWNED BY svc_test_weak_owner; DROP ROLE svc_test_weak_owner');
    }
  });
});

test('names of views and of their columns are what clients rely on', () => {
  const names = dataViews().map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  expect(names).toEqual(
    expect.arrayContaining(['companies', 'invoices', 'invoice_line_items', 'payment_customer_addresses']),
  );
  const lines = dataViews().find(({ name }) => name === 'invoice_line_items');
  expect(lines?.columns.slice(0, 3).map(({ name }) => name)).toEqual([
    'invoice_svc_id',
    'line_position',
    'svc_id',
  ]);
  for (const { columns } of dataViews()) {
    const all = columns.map(({ name }) => name);
    expect(all).toEqual([...new Set(all)]);
  }
});

test('a limited login that a restored database lacks is made again with its companies', async () => {
  const create = (companyIds: readonly number[]) => addUser(acme, 'auditor', companyIds);
  const { role } = await create([second.companyId]);
  // As on the server that a backup was restored on: the list is there, the login is not.
  await owner.query(`REVOKE ALL ON SCHEMA data FROM "${role}"; DROP ROLE "${role}"`);
  const again = await create([]);
  const client = await connect(again.role, again.password ?? '');
  const { rows } = await client.query('SELECT svc_id::int AS id FROM data.companies ORDER BY 1');
  expect(rows).toEqual([{ id: second.companyId }]);
});
