import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { createScope } from '../../src/db/scope.js';
import { scopedArguments } from '../../src/db/tenant-client.js';
import { runRendered } from '../support/rendered.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { startApp } from '../support/service.js';
import { statementsOf } from '../support/statements.js';

let app: App;
let acme: Tenant;

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'choke point');
});
afterAll(() => app.close());

describe('every statement on a tenant table', () => {
  test('carries the scope, for a whole organisation and for some companies', async () => {
    for (const companyIds of [null, [acme.companyId]]) {
      const sql = app.database.sql(createScope(acme.organisationId, companyIds));
      const statements = await statementsOf(app, async () => {
        await runRendered(sql, acme.companyId);
      });
      expect(statements.length).toBeGreaterThan(50);
      for (const { text, values } of statements) {
        expect(text).toMatch(/WHERE \(?t\.svc_organisation_id = \$1\b/);
        expect(values[0]).toBe(acme.organisationId);
        const companies =
          /svc_organisation_id = \$1 AND t\.svc_(?:company_)?id = ANY\(\$(\d+)::bigint\[\]\)/.exec(text)?.[1];
        expect(companies === undefined ? null : values[Number(companies) - 1]).toEqual(companyIds);
        // An `or` of the caller must not reach around the scope.
        expect(text).not.toMatch(/svc_organisation_id = \$1 OR\b/);
      }
    }
  });

  test('is refused without it', async () => {
    const sql = app.database.sql(acme.scope);
    await expect(sql.rows(sql.query(), 'SELECT 1 FROM accounts')).rejects.toThrow(
      'without its scope was refused',
    );
    const other = app.database.sql(createScope(acme.organisationId + 1, null));
    const query = other.query();
    await expect(sql.rows(query, `SELECT 1 FROM accounts t WHERE ${query.within('t')}`)).rejects.toThrow(
      'refused',
    );
  });

  test('runs as a login that owns nothing, is no superuser and changes nothing but tenants', async () => {
    const { pool } = app.database;
    const { rows } = await pool.query<{ mighty: boolean; owned: number }>(
      `SELECT (SELECT rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb FROM pg_roles WHERE rolname = session_user)
           AS mighty, (SELECT count(*)::int FROM pg_tables WHERE tableowner = session_user) AS owned`,
    );
    expect(rows).toEqual([{ mighty: false, owned: 0 }]);
    for (const statement of [
      'SELECT FROM _prisma_migrations',
      'SELECT FROM api_keys',
      'INSERT INTO api_keys SELECT',
      `INSERT INTO organisations (name) VALUES ('made')`,
      'UPDATE organisations SET name = name',
      `UPDATE record_changes SET cause = 'x'`,
      'SELECT FROM record_changes_default',
      `COPY (SELECT 1) TO PROGRAM 'cat'`,
    ]) {
      // PostgreSQL 15 says of a program whose privileges it needs.
      await expect(pool.query(statement)).rejects.toThrow(/permission denied|must be superuser/);
    }
    await expect(pool.query('SET ROLE svc')).rejects.toThrow(/permission denied|does not exist/);
    await expect(pool.query('RESET ROLE; DROP TABLE accounts')).rejects.toThrow('must be owner');
    await expect(pool.query('ALTER TABLE accounts DISABLE ROW LEVEL SECURITY')).rejects.toThrow(
      'must be owner',
    );
  });
});

describe('a scope', () => {
  test.each([
    [NaN, null],
    [0, null],
    [undefined as never, null],
    [1, []],
    [1, [undefined as never]],
    [1.5, null],
  ])('is not made of %p and %p', (organisation, companies) => {
    expect(() => createScope(organisation, companies)).toThrow('scope');
  });
});

describe('the scoped Prisma client', () => {
  const scope = createScope(7, null);
  const limited = createScope(7, [3, 4]);

  test.each([
    'findMany',
    'findFirst',
    'count',
    'aggregate',
    'groupBy',
    'delete',
    'deleteMany',
    'update',
    'updateMany',
  ])('adds the organisation to the where of %s', (operation) => {
    const args = scopedArguments(scope, 'Company', operation, {
      where: { name: 'x', AND: [{ svcId: 1n }] },
      data: {},
    });
    expect(args.where).toEqual({ name: 'x', AND: [{ svcId: 1n }, { svcOrganisationId: 7n }] });
    expect(scopedArguments(scope, 'Account', operation, undefined).where).toEqual({
      AND: [{ svcOrganisationId: 7n }],
    });
    expect(scopedArguments(limited, 'Account', operation, {}).where).toEqual({
      AND: [{ svcOrganisationId: 7n }, { svcCompanyId: { in: [3n, 4n] } }],
    });
  });

  test('a caller cannot widen it: its own organisation in the where only narrows', () => {
    const args = scopedArguments(scope, 'Company', 'findMany', {
      where: { OR: [{ svcOrganisationId: 8n }, {}] },
    });
    expect(args.where).toEqual({ OR: [{ svcOrganisationId: 8n }, {}], AND: [{ svcOrganisationId: 7n }] });
  });

  test('writes only into its organisation and companies', () => {
    expect(
      scopedArguments(scope, 'Company', 'create', { data: { name: 'x', svcOrganisationId: 8n } }).data,
    ).toEqual({ name: 'x', svcOrganisationId: 7n });
    expect(scopedArguments(scope, 'Company', 'createMany', { data: [{ name: 'x' }] }).data).toEqual([
      { name: 'x', svcOrganisationId: 7n },
    ]);
    expect(() => scopedArguments(limited, 'Connection', 'create', { data: { svcCompanyId: 5n } })).toThrow(
      'limited to some companies',
    );
    expect(() =>
      scopedArguments(scope, 'Company', 'update', { where: { svcId: 1n }, data: { svcOrganisationId: 8n } }),
    ).toThrow('nothing moves');
  });

  test('refuses undefined in a where, which Prisma reads as no condition, raw SQL, and findUnique', async () => {
    expect(() => scopedArguments(scope, 'Company', 'findMany', { where: { name: undefined } })).toThrow(
      'where.name is undefined',
    );
    expect(() =>
      scopedArguments(scope, 'Company', 'findMany', { where: { AND: [{ name: { in: [undefined] } }] } }),
    ).toThrow('is undefined');
    const client = app.database.client(acme.scope);
    await expect((async () => client.$queryRaw`SELECT 1`)()).rejects.toThrow('raw SQL is refused');
    await expect((async () => client.company.findUnique({ where: { svcId: 1n } }))()).rejects.toThrow(
      'findUnique is refused',
    );
  });

  test('finds nothing of another organisation by any id', async () => {
    const other = await createTenant(app, 'choke other');
    const client = app.database.client(acme.scope);
    expect(await client.company.findFirst({ where: { svcId: BigInt(other.companyId) } })).toBeNull();
    expect(await client.company.findMany({ where: { svcId: BigInt(other.companyId) } })).toEqual([]);
    await expect(
      client.company.update({ where: { svcId: BigInt(other.companyId) }, data: { name: 'stolen' } }),
    ).rejects.toThrow();
    expect(await client.company.count()).toBe(1);
  });
});
