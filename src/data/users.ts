import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { scramVerifier } from '../db/runtime/scram.js';
import { isDistributed } from '../db/spread-tables.js';
import { AppError, codeOf } from '../errors.js';
import { prepareDataViews, readerName, roleName } from './prepare.js';
import { DATA_SCHEMA } from './views.js';

const { escapeIdentifier, escapeLiteral } = pg;

interface NewDataUser {
  readonly organisationId: number;
  readonly name: string;
  /** Empty: every company of the organisation. */
  readonly companyIds: readonly number[];
  /** Milliseconds that a statement may take, unless the login asks for more. */
  readonly statementMilliseconds: number;
  readonly connections: number;
  /** A login created by the operator; null: it is created here. */
  readonly role: string | null;
}

export interface DataUser {
  readonly role: string;
  readonly organisation: string;
  readonly name: string;
  readonly companyIds: readonly number[];
  readonly createdAt: Date;
  /** Whether PostgreSQL has this login: a restored database lacks those of the original server. */
  readonly hasLogin: boolean;
}

const NOT_ALLOWED = '42501';
/** The role owns objects in another database of the server. */
const DEPENDED_ON = '2BP01';

/** A view on distributed tables cannot look up the querying login. */
async function refuseCluster(owner: pg.ClientBase): Promise<void> {
  if (await isDistributed(owner)) {
    throw new AppError('invalid-params', 'on a cluster there are no logins for SQL (docs/scale.md)', 'name');
  }
}

/** Creates a login for SQL, and the views if it is the first. Returns its password; null for an existing login. */
export async function createDataUser(
  owner: pg.ClientBase,
  { organisationId, name, companyIds, role: given, ...limits }: NewDataUser,
): Promise<{ readonly role: string; readonly password: string | null }> {
  await refuseCluster(owner);
  const role = given ?? (await roleName(owner, `data_${name}`));
  const password = given === null ? randomBytes(24).toString('base64url') : null;
  await refuseOtherCompanies(owner, organisationId, companyIds);
  try {
    await prepareDataViews(owner);
    await owner.query('BEGIN');
    if (password !== null) await makeLogin(owner, { role, password, ...limits });
    await refuseMighty(owner, role);
    const added = await owner.query(
      `INSERT INTO data_users (role_name, svc_organisation_id, name, company_ids) VALUES ($1, $2, $3, $4)
       ON CONFLICT (role_name) DO UPDATE SET name = EXCLUDED.name,
         company_ids = COALESCE(NULLIF(EXCLUDED.company_ids, '{}'), data_users.company_ids)
       WHERE data_users.svc_organisation_id = EXCLUDED.svc_organisation_id`,
      [role, organisationId, name, companyIds],
    );
    if (added.rowCount === 0)
      throw new AppError('conflict', `${role} is a login of another organisation`, 'name');
    await owner.query(`GRANT USAGE ON SCHEMA ${DATA_SCHEMA} TO ${escapeIdentifier(role)}`);
    await owner.query('COMMIT');
    return { role, password };
  } catch (error) {
    await owner.query('ROLLBACK');
    throw codeOf(error) === NOT_ALLOWED ? await notAllowed(owner, role, error) : error;
  }
}

/** The logins for SQL, oldest first. */
export async function listDataUsers(
  owner: pg.ClientBase,
  organisationId: number | null,
): Promise<DataUser[]> {
  const { rows } = await owner.query<Omit<DataUser, 'companyIds'> & { companyIds: string[] }>(
    `SELECT d.role_name AS role, o.name AS organisation, d.name, d.company_ids AS "companyIds",
       d.created_at AS "createdAt", EXISTS (SELECT FROM pg_roles r WHERE r.rolname = d.role_name) AS "hasLogin"
     FROM data_users d JOIN organisations o ON o.svc_id = d.svc_organisation_id
     WHERE $1::bigint IS NULL OR d.svc_organisation_id = $1 ORDER BY d.created_at, d.role_name`,
    [organisationId],
  );
  return rows.map((row) => ({ ...row, companyIds: row.companyIds.map(Number) }));
}

/** Revokes a login's rights, ends its sessions and drops it. False if the login itself stays: see `dropLogins`. */
export async function removeDataUser(owner: pg.ClientBase, role: string): Promise<boolean> {
  const { rowCount } = await owner.query('DELETE FROM data_users WHERE role_name = $1', [role]);
  if (!rowCount) throw new AppError('not-found', `there is no login for SQL named ${role}`);
  return dropLogins(owner, [role]);
}

/** For use before a database is emptied: logins belong to the server and would be left over. */
export async function dropDataUsers(owner: pg.ClientBase): Promise<void> {
  const { rows } = await owner.query<{ isThere: boolean }>(
    `SELECT to_regclass('public.data_users') IS NOT NULL AS "isThere"`,
  );
  if (rows[0]?.isThere) {
    const users = await owner.query<{ role: string }>('SELECT role_name AS role FROM data_users');
    await dropLogins(
      owner,
      users.rows.map(({ role }) => role),
    );
  }
  await owner.query(`DROP SCHEMA IF EXISTS ${DATA_SCHEMA} CASCADE`);
}

/** Returns whether all are gone: logins of the operator stay, as do those that own objects in another database. */
async function dropLogins(owner: pg.ClientBase, roles: readonly string[]): Promise<boolean> {
  const prefix = `${await readerName(owner)}_`;
  const { rows } = await owner.query<{ name: string; hasSchema: boolean }>(
    `SELECT rolname AS name, to_regnamespace('${DATA_SCHEMA}') IS NOT NULL AS "hasSchema"
     FROM pg_roles WHERE rolname = ANY ($1)`,
    [roles],
  );
  let left = 0;
  for (const { name, hasSchema } of rows) {
    const role = escapeIdentifier(name);
    if (hasSchema) await owner.query(`REVOKE ALL ON SCHEMA ${DATA_SCHEMA} FROM ${role}`);
    // Keeps logins made by the operator, and those that belong to the database that was backed up.
    const isOurs = name.startsWith(prefix) && (await isAllowed(owner, `GRANT ${role} TO CURRENT_USER`));
    // Only a member of a role may end its sessions.
    await owner.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE usename = $1 AND datname = current_database() AND pg_has_role(usesysid, 'USAGE')`,
      [name],
    );
    // Any login may create large objects, which prevent dropping its role; an owner that inherits no rights may not
    // drop them.
    if (isOurs) await isAllowed(owner, `DROP OWNED BY ${role}`);
    if (!isOurs || !(await isAllowed(owner, `DROP ROLE ${role}`))) left += 1;
  }
  return left === 0;
}

/** Runs it and returns whether it is possible and this owner may do it. */
async function isAllowed(owner: pg.ClientBase, statement: string): Promise<boolean> {
  try {
    await owner.query(statement);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === NOT_ALLOWED || code === DEPENDED_ON) return false;
    throw error;
  }
}

interface Login extends Pick<NewDataUser, 'statementMilliseconds' | 'connections'> {
  readonly role: string;
  readonly password: string;
}

async function makeLogin(
  owner: pg.ClientBase,
  { role, password, statementMilliseconds, connections }: Login,
): Promise<void> {
  const name = escapeIdentifier(role);
  const { rowCount } = await owner.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
  const known = await owner.query('SELECT FROM data_users WHERE role_name = $1', [role]);
  // A login that a restored database lost is created again; other databases' logins have other names.
  if (rowCount && known.rowCount) throw new AppError('conflict', `${role} already exists`, 'name');
  const secret = `LOGIN NOINHERIT CONNECTION LIMIT ${connections} PASSWORD ${escapeLiteral(scramVerifier(password))}`;
  await owner.query(`${rowCount ? 'ALTER' : 'CREATE'} ROLE ${name} ${secret}`);
  await owner.query(
    [
      `ALTER ROLE ${name} SET default_transaction_read_only = on`,
      `ALTER ROLE ${name} SET statement_timeout = ${statementMilliseconds}`,
      `ALTER ROLE ${name} SET idle_in_transaction_session_timeout = ${statementMilliseconds}`,
      `ALTER ROLE ${name} SET search_path = ${DATA_SCHEMA}`,
      `ALTER ROLE ${name} SET timezone = 'UTC'`,
    ].join(';\n'),
  );
}

/** Refuses a login that bypasses policies or may assume another role: it would see other organisations. */
async function refuseMighty(owner: pg.ClientBase, role: string): Promise<void> {
  const { rows } = await owner.query<{ isMighty: boolean }>(
    `SELECT r.rolsuper OR r.rolbypassrls OR r.rolcreaterole OR r.rolreplication
       OR EXISTS (SELECT FROM pg_auth_members m WHERE m.member = r.oid) AS "isMighty"
     FROM pg_roles r WHERE r.rolname = $1`,
    [role],
  );
  if (rows.length === 0) throw new AppError('not-found', `PostgreSQL has no login ${role}`, 'role');
  if (!rows[0]?.isMighty) return;
  throw new AppError(
    'invalid-params',
    `${role} must be an ordinary login: not a superuser, and without BYPASSRLS, CREATEROLE, REPLICATION and membership of other roles`,
    'role',
  );
}

async function refuseOtherCompanies(
  owner: pg.ClientBase,
  organisationId: number,
  companyIds: readonly number[],
): Promise<void> {
  const { rows } = await owner.query<{ svcId: string }>(
    'SELECT svc_id AS "svcId" FROM companies WHERE svc_organisation_id = $1 AND svc_id = ANY ($2)',
    [organisationId, companyIds],
  );
  const found = new Set(rows.map(({ svcId }) => Number(svcId)));
  const unknown = companyIds.find((id) => !found.has(id));
  if (unknown !== undefined) {
    throw new AppError('not-found', `the organisation has no company ${unknown}`, 'companies');
  }
}

async function notAllowed(owner: pg.ClientBase, role: string, cause: unknown): Promise<AppError> {
  const reader = await readerName(owner);
  const { rows } = await owner.query<{ name: string }>('SELECT current_user AS name');
  const message = `the database's owner may not create roles (${(cause as Error).message}). Let an administrator run
  CREATE ROLE "${reader}" NOLOGIN NOINHERIT; GRANT "${reader}" TO "${rows[0]?.name ?? ''}";
  CREATE ROLE "${role}" LOGIN NOINHERIT CONNECTION LIMIT 5 PASSWORD '...';
and then this command again with --role "${role}"`;
  return new AppError('forbidden', message, [], { cause });
}
