import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { connectDatabase } from '../../src/db/database.js';
import { Login } from '../../src/db/pool/login.js';
import { replicaLogin } from '../../src/db/replicas/address.js';
import { prepareRuntime, type RuntimeOptions } from '../../src/db/runtime/index.js';
import { runtimeRoleName } from '../../src/db/runtime/role-name.js';
import { organisationScope } from '../../src/db/scope.js';
import { DEFAULT_LIMITS } from '../../src/limits.js';
import { createSecretBox } from '../../src/secrets/secret-box.js';
import { LOGIN_PURPOSE } from '../../src/secrets/keys.js';
import { withClient } from '../../src/db/pool/client.js';
import { admin } from '../support/admin.js';
import { start as startService } from '../cli/commands.js';
import { createTenant } from '../support/seed.js';
import { createCaller, startApp, testDatabaseUrl, testFileDir, testLogin } from '../support/service.js';

const database = new URL(testDatabaseUrl()).pathname.slice(1);
const role = runtimeRoleName(database);
const old = randomBytes(32);
const young = randomBytes(32);
const passwordsOf = (...keys: Buffer[]) => createSecretBox(keys).passwords(LOGIN_PURPOSE);
const prepare = (options: Partial<RuntimeOptions>) =>
  prepareRuntime(testDatabaseUrl(), { runtimeUrl: null, passwords: passwordsOf(old), ...options });

/** Who is logged in there. */
async function userOf(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return (await client.query<{ name: string }>('SELECT session_user AS name')).rows[0]?.name;
  } finally {
    await client.end();
  }
}

/** Tables and functions that a role was given rights of. */
const rightsOf = async (name: string) =>
  (
    await admin.pool.query(
      `SELECT c.oid::regclass::text AS name, array_agg(a.privilege_type::text ORDER BY a.privilege_type) AS rights
       FROM pg_class c, aclexplode(c.relacl) a JOIN pg_roles r ON r.oid = a.grantee
       WHERE r.rolname = $1 AND c.relkind <> 'S' GROUP BY 1
       UNION ALL
       SELECT p.oid::regprocedure::text, array_agg(a.privilege_type::text)
       FROM pg_proc p, aclexplode(p.proacl) a JOIN pg_roles r ON r.oid = a.grantee
       WHERE r.rolname = $1 GROUP BY 1
       ORDER BY 1`,
      [name],
    )
  ).rows as { name: string; rights: string[] }[];

describe('a name of a role', () => {
  test('carries that of its database, and is never cut off by PostgreSQL', () => {
    expect(runtimeRoleName('books')).toBe('svc_books_runtime');
    const long = ['x'.repeat(63), `${'x'.repeat(62)}y`, 'ö'.repeat(31)].map(runtimeRoleName);
    for (const name of long) {
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
      expect(name).toMatch(/^svc_[xö]+_[0-9a-f]{8}_runtime$/);
    }
    expect(new Set(long).size).toBe(3);
  });
});

describe('the login of requests and jobs', () => {
  beforeAll(() => prepare({}));
  afterAll(() => admin.pool.query(`DROP OWNED BY "${role}"; DROP ROLE "${role}"`));

  test('is a role of this database that is no superuser, and has the rights of the template’s', async () => {
    const { login, problem } = await prepare({});
    expect([await userOf(login.url), problem]).toEqual([role, null]);
    const { rows } = await admin.pool.query(
      `SELECT rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication, rolcanlogin, rolinherit
       FROM pg_roles WHERE rolname = $1`,
      [role],
    );
    expect(rows).toEqual([
      {
        rolsuper: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolbypassrls: false,
        rolreplication: false,
        rolcanlogin: true,
        rolinherit: false,
      },
    ]);
    const rights = await rightsOf(role);
    expect(rights).toEqual(await rightsOf(new URL(testLogin().url).username));
    expect(rights).toEqual(
      expect.arrayContaining([
        { name: 'accounts', rights: ['DELETE', 'INSERT', 'SELECT', 'UPDATE'] },
        { name: 'organisations', rights: ['SELECT'] },
        { name: 'record_changes', rights: ['INSERT', 'SELECT'] },
      ]),
    );
  });

  test('takes the place of an owner’s login in the parameters of the address, which count first', async () => {
    const { hostname, port, username, password, pathname } = new URL(testDatabaseUrl());
    const parametersOf = (values: Record<string, string>) => new URLSearchParams(values).toString();
    const login = parametersOf({
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
    });
    const place = parametersOf({ host: hostname, port: port || '5432' });
    for (const address of [
      `postgresql://${hostname}:${port}${pathname}?${login}`,
      `postgresql://nobody:wrong@${hostname}:${port}${pathname}?${login}`,
      // As of a socket.
      `postgresql://${pathname}?${place}&${login}`,
    ]) {
      const { login: made, problem } = await prepareRuntime(address, {
        runtimeUrl: null,
        passwords: passwordsOf(old),
      });
      expect([await userOf(made.url), problem]).toEqual([role, null]);
      const standby = replicaLogin(`postgresql://${hostname}:${port}${pathname}`, made);
      expect(await userOf(standby.url)).toBe(role);
    }
  });

  test('loses rights that it should not have, and gets those that it lacks', async () => {
    const before = await rightsOf(role);
    await admin.pool.query(
      `GRANT ALL ON api_keys, record_changes TO "${role}"; REVOKE ALL ON accounts FROM "${role}";
       GRANT EXECUTE ON FUNCTION svc_forget_changes TO "${role}"; REVOKE ALL ON FUNCTION svc_measure FROM "${role}"`,
    );
    expect(await rightsOf(role)).not.toEqual(before);
    await prepare({});
    expect(await rightsOf(role)).toEqual(before);
  });

  test('leaves tables and sequences of the operator alone, whose rights it may not be able to give', async () => {
    await admin.pool.query('CREATE TABLE notes_of_ours (id serial)');
    try {
      await prepare({});
      const { rows } = await admin.pool.query(
        `SELECT has_table_privilege($1, 'notes_of_ours', 'SELECT') AS table,
           has_sequence_privilege($1, 'notes_of_ours_id_seq', 'USAGE') AS sequence`,
        [role],
      );
      expect(rows).toEqual([{ table: false, sequence: false }]);
    } finally {
      await admin.pool.query('DROP TABLE notes_of_ours');
    }
  });

  test.each(['parts_of_ours', 'of_ours.record_changes'])(
    'keeps what an operator has granted it on a partition of their table %s',
    async (parts) => {
      await admin.pool.query(
        `CREATE SCHEMA of_ours;
       CREATE TABLE ${parts} (id int) PARTITION BY LIST (id);
       CREATE TABLE part_of_ours PARTITION OF ${parts} DEFAULT;
       GRANT SELECT ON part_of_ours TO "${role}"`,
      );
      try {
        await prepare({});
        const { rows } = await admin.pool.query(
          `SELECT has_table_privilege($1, 'part_of_ours', 'SELECT') AS kept`,
          [role],
        );
        expect(rows).toEqual([{ kept: true }]);
      } finally {
        await admin.pool.query(`DROP TABLE ${parts}; DROP SCHEMA of_ours`);
      }
    },
  );

  test('keeps working while the key is being changed, in every process that knows both', async () => {
    const running = new Login((await prepare({})).login.urls);
    const both = (await prepare({ passwords: passwordsOf(old, young) })).login;
    const service = await connectDatabase(
      both,
      { poolSize: 2, limits: DEFAULT_LIMITS },
      { onError: () => undefined },
    );
    try {
      // Another process starts with the new key in front: it sets the password.
      const changed = await prepare({ passwords: passwordsOf(young, old) });
      expect(await userOf(changed.login.url)).toBe(role);
      await expect(userOf(running.url)).rejects.toThrow('password authentication failed');
      // Connections of the process that has it behind are made all the same.
      const scope = organisationScope(999_999_999);
      expect(await service.client(scope).company.count()).toBe(0);
      expect(await service.answers()).toBe(true);
      expect(await Promise.all([1, 2, 3].map(() => service.client(scope).company.count()))).toEqual([
        0, 0, 0,
      ]);
    } finally {
      await service.close();
    }
    const { login } = await prepare({ passwords: passwordsOf(young) });
    expect(await userOf(login.url)).toBe(role);
  });

  test('stays as it is where somebody starts with keys that do not fit', async () => {
    const url = testDatabaseUrl();
    const app = await startApp({ SECRET_KEYS: old.toString('base64') });
    try {
      const { organisationId } = await createTenant(app, 'sealed');
      const caller = await createCaller(app, organisationId, {
        scopes: ['read', 'webhooks:manage'],
      });
      const webhook = { name: 'sealed', type: 'DATA_MODEL_CHANGES', url: 'https://hooks.example.com/events' };
      expect((await caller.post('/v3/core/webhooks', { webhook })).status).toBe(200);
    } finally {
      await app.close();
    }
    const { login } = await prepare({});
    const settings = { DATABASE_URL: url, PORT: '0', DEMO_DATA: 'false', FILE_DIR: testFileDir() };
    const other = { ...settings, SECRET_KEYS: young.toString('base64') };
    const refused = await startService('dist/main.js', [], other, tmpdir()).ended;
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('SECRET_KEYS do not match this database');
    expect(await userOf(login.url)).toBe(role);
  });

  test('whose password somebody changed is no mistake of the caller, and passes', async () => {
    const { login } = await prepare({});
    const database = await connectDatabase(
      login,
      { poolSize: 1, limits: DEFAULT_LIMITS },
      { onError: () => undefined },
    );
    try {
      await admin.pool.query(`ALTER ROLE "${role}" PASSWORD 'other'`);
      await expect(database.pool.query('SELECT 1')).rejects.toMatchObject({ code: 'service-unavailable' });
      await prepare({});
      expect((await database.pool.query('SELECT 1')).rowCount).toBe(1);
    } finally {
      await database.close();
    }
  });

  test('that is not let in for any other reason is no mistake of the caller, and passes', async () => {
    const { login } = await prepare({});
    const database = await connectDatabase(
      login,
      { poolSize: 1, limits: DEFAULT_LIMITS },
      { onError: () => undefined },
    );
    try {
      await admin.pool.query(`ALTER ROLE "${role}" NOLOGIN`);
      await expect(database.pool.query('SELECT 1')).rejects.toMatchObject({ code: 'service-unavailable' });
      await admin.pool.query(`ALTER ROLE "${role}" LOGIN`);
      expect((await database.pool.query('SELECT 1')).rowCount).toBe(1);
    } finally {
      await admin.pool.query(`ALTER ROLE "${role}" LOGIN`);
      await database.close();
    }
  });

  test('is made once by many that start at the same time', async () => {
    await admin.pool.query(`DROP OWNED BY "${role}"; DROP ROLE "${role}"`);
    const made = await Promise.all([1, 2, 3, 4].map(() => prepare({})));
    expect(made.map(({ problem }) => problem)).toEqual([null, null, null, null]);
  });

  test('never stands in the log of the server: it is told a verifier', async () => {
    const { rows } = await admin.pool.query<{ secret: string }>(
      'SELECT rolpassword AS secret FROM pg_authid WHERE rolname = $1',
      [role],
    );
    expect(rows[0]?.secret).toMatch(/^SCRAM-SHA-256\$4096:/);
  });
});

describe('where the owner may not make roles', () => {
  const owner = `owner_${randomBytes(4).toString('hex')}`;
  const name = `${database}_owned`;
  const url = Object.assign(new URL(testDatabaseUrl()), {
    username: owner,
    password: 'x',
    pathname: `/${name}`,
  });

  beforeAll(async () => {
    await admin.pool.query(`CREATE ROLE ${owner} LOGIN PASSWORD 'x'`);
    await admin.pool.query(`CREATE DATABASE ${name} OWNER ${owner}`);
  });
  afterAll(async () => {
    await admin.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.pool.query(`DROP ROLE ${owner}`);
  });
  const here = (options: Partial<RuntimeOptions> = {}) =>
    prepareRuntime(url.href, { runtimeUrl: null, passwords: passwordsOf(old), ...options });

  test('its own login is used, with the reason', async () => {
    const { login, problem } = await here();
    expect(login.url).toBe(url.href);
    expect(problem).toContain('permission denied to create role');
  });

  test('production does not start so unless it is allowed to', async () => {
    const settings = {
      DATABASE_URL: url.href,
      NODE_ENV: 'production',
      SECRET_KEYS: old.toString('base64'),
      FILE_DIR: testFileDir(),
      PORT: '0',
      DRAIN_SECONDS: '0',
    };
    const refused = await startService('dist/main.js', [], settings, tmpdir()).ended;
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('requests log in as the owner of the database');
    expect(refused.stderr).toContain('permission denied to create role');
    expect(refused.stderr).toContain('DATABASE_RUNTIME_URL, or set ALLOW_OWNER_LOGIN=true');
    const allowed = startService('dist/main.js', [], { ...settings, ALLOW_OWNER_LOGIN: 'true' }, tmpdir());
    await allowed.says('A first request');
    expect(allowed.output()).toContain('requests log in as the owner of the database');
    expect((await allowed.stop()).code).toBe(0);
  });

  test('a login that is given is used, unless it may do more than requests should', async () => {
    const given = `given_${randomBytes(4).toString('hex')}`;
    const runtimeUrl = Object.assign(new URL(url), { username: given }).href;
    const connectionString = Object.assign(new URL(testDatabaseUrl()), { pathname: `/${name}` }).href;
    const inDatabase = (text: string) => withClient({ connectionString }, (client) => client.query(text));
    await admin.pool.query(`CREATE ROLE ${given} LOGIN PASSWORD 'x'`);
    try {
      const { login, problem } = await here({ runtimeUrl });
      expect([await userOf(login.url), problem]).toEqual([given, null]);
      await inDatabase(`CREATE TABLE of_${given} (); ALTER TABLE of_${given} OWNER TO ${given}`);
      expect(await here({ runtimeUrl })).toMatchObject({ problem: null });
      await admin.pool.query(`ALTER ROLE ${given} BYPASSRLS`);
      await expect(here({ runtimeUrl })).rejects.toThrow(
        new RegExp(`^DATABASE_RUNTIME_URL: ${given} is a superuser`),
      );
      const wrong = Object.assign(new URL(runtimeUrl), { password: 'y' }).href;
      await expect(here({ runtimeUrl: wrong })).rejects.toThrow('its login cannot be used: password');
      await expect(here({ runtimeUrl: testDatabaseUrl() })).rejects.toThrow('is a superuser');
    } finally {
      await inDatabase(`DROP OWNED BY ${given}; DROP ROLE ${given}`);
    }
  });
});
