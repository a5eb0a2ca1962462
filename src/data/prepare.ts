import { createHash } from 'node:crypto';
import pg from 'pg';
import { databaseRoleName } from '../db/runtime/role-name.js';
import { dataViews, DATA_SCHEMA, type DataView, viewSql } from './views.js';

const { escapeIdentifier, escapeLiteral } = pg;

/** The policies' organisation lookup: by login, regardless of the role or settings that it has assumed. */
const OF_LOGIN = 'FROM public.data_users d WHERE d.role_name = session_user::text';

/**
 * Creates the schema `data`, its views and their owner: a role without login that may read the underlying tables and is
 * limited by row-level security to the organisation and companies of the querying login.
 */
export async function prepareDataViews(owner: pg.ClientBase): Promise<void> {
  const views = dataViews();
  const reader = await readerName(owner);
  const statements = [...policiesSql(views, reader), ...views.flatMap(viewSql)];
  const digest = createHash('sha256').update(statements.join(';\n')).digest('hex');
  const mark = `Records for SQL and BI tools: see docs/sql.md. Definitions: ${digest}`;
  const { rows } = await owner.query<{ isCurrent: boolean }>(
    `SELECT obj_description(n.oid, 'pg_namespace') = $2 AND $3 = (
       SELECT count(*)::int FROM pg_class c WHERE c.relnamespace = n.oid AND c.relkind = 'v') AS "isCurrent"
     FROM pg_namespace n WHERE n.nspname = $1`,
    [DATA_SCHEMA, mark, views.length],
  );
  if (rows[0]?.isCurrent) return;
  await owner.query('BEGIN');
  try {
    await owner.query(`DROP SCHEMA IF EXISTS ${DATA_SCHEMA} CASCADE`);
    await makeReader(owner, reader);
    const role = escapeIdentifier(reader);
    const names = views.map(({ name }) => `${DATA_SCHEMA}.${escapeIdentifier(name)}`);
    const logins = await loginsOf(owner);
    const steps = [
      `CREATE SCHEMA ${DATA_SCHEMA}`,
      `COMMENT ON SCHEMA ${DATA_SCHEMA} IS ${escapeLiteral(mark)}`,
      `GRANT USAGE, CREATE ON SCHEMA ${DATA_SCHEMA} TO ${role}`,
      `GRANT USAGE ON SCHEMA public TO ${role}`,
      ...statements,
      ...names.map((name) => `ALTER VIEW ${name} OWNER TO ${role}`),
      // A login without a row in data_users sees nothing in them.
      `GRANT SELECT ON ALL TABLES IN SCHEMA ${DATA_SCHEMA} TO PUBLIC`,
      `REVOKE CREATE ON SCHEMA ${DATA_SCHEMA} FROM ${role}`,
      ...logins.map((login) => `GRANT USAGE ON SCHEMA ${DATA_SCHEMA} TO ${escapeIdentifier(login)}`),
    ];
    // One at a time: a cluster forwards the whole text that contains a statement.
    for (const step of steps) await owner.query(step);
    await owner.query('COMMIT');
  } catch (error) {
    await owner.query('ROLLBACK');
    throw error;
  }
}

/** The role that owns the views of this database. */
export const readerName = (owner: pg.ClientBase): Promise<string> => roleName(owner, 'data');

/** A role of this database. */
export async function roleName(owner: pg.ClientBase, name: string): Promise<string> {
  const { rows } = await owner.query<{ database: string }>('SELECT current_database() AS database');
  return databaseRoleName(rows[0]?.database ?? '', name);
}

async function makeReader(owner: pg.ClientBase, reader: string): Promise<void> {
  const role = escapeIdentifier(reader);
  const { rows } = await owner.query<{ isMember: boolean }>(
    `SELECT pg_has_role(current_user, r.oid, 'MEMBER') AS "isMember" FROM pg_roles r WHERE r.rolname = $1`,
    [reader],
  );
  if (rows.length === 0) await owner.query(`CREATE ROLE ${role} NOLOGIN NOINHERIT`);
  // Only a member of a role can make it the owner of views.
  if (!rows[0]?.isMember) await owner.query(`GRANT ${role} TO CURRENT_USER`);
}

async function loginsOf(owner: pg.ClientBase): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    'SELECT d.role_name AS name FROM data_users d JOIN pg_roles r ON r.rolname = d.role_name',
  );
  return rows.map(({ name }) => name);
}

/** A permissive policy grants access; a restrictive one is needed too, as the requests' policy trusts a setting. */
function policiesSql(views: readonly DataView[], reader: string): string[] {
  const role = escapeIdentifier(reader);
  const tables = new Map(views.flatMap((view) => view.tables.map((one) => [one.table, one] as const)));
  const protect = (table: string, rule: string) => [
    `DROP POLICY IF EXISTS svc_data ON public.${table}`,
    `DROP POLICY IF EXISTS svc_data_own ON public.${table}`,
    `CREATE POLICY svc_data ON public.${table} FOR SELECT TO ${role} USING (true)`,
    `CREATE POLICY svc_data_own ON public.${table} AS RESTRICTIVE FOR SELECT TO ${role} USING (${rule})`,
    `GRANT SELECT ON public.${table} TO ${role}`,
  ];
  return [
    ...protect('data_users', 'role_name = session_user::text'),
    ...[...tables.values()].flatMap(({ table, companyColumn }) =>
      protect(
        table,
        `svc_organisation_id = (SELECT d.svc_organisation_id ${OF_LOGIN})
         AND COALESCE(${companyColumn} = ANY ((SELECT NULLIF(d.company_ids, '{}') ${OF_LOGIN})::bigint[]), true)`,
      ),
    ),
  ];
}
