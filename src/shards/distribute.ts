import pg from 'pg';
import { spreadTables } from '../db/spread-tables.js';
import { AppError } from '../errors.js';
import { DISTRIBUTION_COLUMN, type Placement, SPREAD } from './placement.js';
import { policySql, shardPolicySql } from './policy.js';

const { escapeIdentifier, escapeLiteral } = pg;

interface DistributeOptions {
  /** Reports what would be done, and does nothing. */
  readonly dryRun: boolean;
  readonly tell: (line: string) => void;
}

/** Number of tables distributed by this run, and by earlier ones. */
interface Distributed {
  readonly spread: number;
  readonly before: number;
}

interface Table {
  readonly name: string;
  readonly by: Placement;
  readonly rows: number;
  readonly isSpread: boolean;
  /** Whether each row belongs to a company. */
  readonly namesCompany: boolean;
  readonly foreignKeys: readonly string[];
  readonly triggers: readonly string[];
}

/** Same as in the service's sessions: workers must compute the same results as the coordinator. */
const DATABASE_SETTINGS = { timezone: 'UTC', datestyle: 'ISO', jit: 'off', random_page_cost: '1.1' } as const;

/**
 * Distributes the record tables over the workers of a Citus cluster, each with its rows in its own transaction: an
 * interrupted run continues at the next call, and tables distributed so far are usable. Needs a migrated database,
 * checked by `requireCluster`.
 */
export async function distribute(
  client: pg.Client,
  { dryRun, tell }: DistributeOptions,
): Promise<Distributed> {
  if (!(await givesUpSilentWorkers(client))) tell(SILENCE);
  if (!dryRun) await setDatabase(client);
  const tables = await tablesOf(client);
  const waiting = tables.filter(({ isSpread }) => !isSpread);
  for (const [index, table] of waiting.entries()) {
    const what = `${table.name} by ${table.by} (about ${table.rows} rows)`;
    tell(dryRun ? `would spread ${what}` : `${index + 1} of ${waiting.length}: ${what}`);
    const [statements, vacuum] = [stepsOf(table), `VACUUM (ANALYZE) ${nameOf(table)}`];
    if (dryRun) [...statements, vacuum].forEach((statement) => tell(`  ${statement}`));
    else {
      await inTransaction(client, statements);
      // Rows moved to a node have no statistics there, and a count would visit each row.
      await client.query(vacuum);
    }
  }
  if (!dryRun) for (const table of tables) await setShardPolicies(client, table);
  return { spread: waiting.length, before: SPREAD.length - waiting.length };
}

/** Throws `invalid-params` if the database is not a cluster's coordinator, or has no workers. */
export async function requireCluster(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS exists`,
  );
  if (!rows[0]?.exists) throw notCluster('the extension citus is not in it; nothing was changed');
  const { rows: nodes } = await client.query<{ workers: number; isCoordinator: boolean }>(
    `SELECT count(*) FILTER (WHERE isactive AND shouldhaveshards AND groupid <> 0)::int AS workers,
       citus_is_coordinator() AS "isCoordinator" FROM pg_dist_node`,
  );
  if (!nodes[0]?.isCoordinator) throw notCluster('it is a worker: give the address of the coordinator');
  const { rows: views } = await client.query(`SELECT FROM pg_namespace WHERE nspname = 'data'`);
  if (views.length > 0) {
    throw notCluster(
      'it has logins for SQL, which a cluster has not: npm run data-users -- remove, and DROP SCHEMA data CASCADE',
    );
  }
  if (nodes[0].workers === 0)
    throw notCluster('no worker was added to it: SELECT citus_add_node(host, port)');
}

const notCluster = (reason: string): AppError =>
  new AppError('invalid-params', `cannot be distributed over a cluster: ${reason}`, 'DATABASE_URL');

const SILENCE = `a worker that vanishes from the network would hold each statement that needs it for minutes: on the coordinator,
  ALTER SYSTEM SET citus.node_conninfo = 'sslmode=require tcp_user_timeout=3000'; SELECT pg_reload_conf()`;

/** Whether the coordinator soon gives up a connection to a worker that confirms nothing; also if it may not be read. */
async function givesUpSilentWorkers(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ setting: string }>(
    `SELECT setting FROM pg_settings WHERE name = 'citus.node_conninfo'`,
  );
  return rows.every(({ setting }) => /\btcp_user_timeout\b/.test(setting));
}

/** Sessions between the nodes have the settings of their database; the coordinator tells the workers. */
async function setDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  const database = escapeIdentifier(rows[0]?.name ?? '');
  for (const [name, value] of Object.entries(DATABASE_SETTINGS)) {
    await client.query(`ALTER DATABASE ${database} SET ${name} TO ${escapeLiteral(value)}`);
  }
}

/** Also for moved shards, which have reverted to the table's policies known to the cluster. */
async function setShardPolicies(client: pg.Client, table: Table): Promise<void> {
  const { rows } = await client.query<{ result: string }>(shardPolicySql(nameOf(table), table));
  if (rows[0])
    throw new AppError(
      'internal-error',
      `a shard of ${table.name} still has the old policy: ${rows[0].result}`,
    );
}

async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Omit<Table, 'by' | 'isSpread'>>(
    `SELECT c.relname AS name,
       (SELECT GREATEST(0, sum(p.reltuples))::float8 FROM pg_partition_tree(c.oid) t JOIN pg_class p ON p.oid = t.relid
        WHERE t.isleaf) AS rows,
       EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'svc_company_id' AND a.attnotnull)
         AS "namesCompany",
       ARRAY(SELECT k.conname::text FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.conparentid = 0
             ORDER BY k.conname) AS "foreignKeys",
       ARRAY(SELECT g.tgname::text FROM pg_trigger g WHERE g.tgrelid = c.oid AND NOT g.tgisinternal ORDER BY g.tgname)
         AS triggers
     FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY ($1)`,
    [SPREAD.map(({ table }) => table)],
  );
  const found = new Map(rows.map((row) => [row.name, row]));
  const spread = await spreadTables(client);
  return SPREAD.flatMap(({ table, by }) => {
    const row = found.get(table);
    return row ? [{ ...row, by, isSpread: spread.has(table) }] : [];
  });
}

/** The first table of each placement; the others are colocated with it. */
const FIRST = {
  company: SPREAD.find(({ by }) => by === 'company')?.table,
  organisation: SPREAD.find(({ by }) => by === 'organisation')?.table,
} as const;

/**
 * A distributed table's foreign keys may only refer to colocated tables, but these refer to companies and connections:
 * so writers lock the connection's row instead, and a company's rows are deleted before it.
 */
function stepsOf({ name, by, namesCompany, foreignKeys, triggers }: Table): string[] {
  const table = nameOf({ name });
  const beside = FIRST[by] === name ? 'none' : `public.${FIRST[by]}`;
  return [
    ...foreignKeys.map((key) => `ALTER TABLE ${table} DROP CONSTRAINT ${escapeIdentifier(key)}`),
    ...triggers.map((trigger) => `DROP TRIGGER ${escapeIdentifier(trigger)} ON ${table}`),
    `DROP POLICY IF EXISTS svc_scope ON ${table}`,
    `SELECT create_distributed_table('${table}', '${DISTRIBUTION_COLUMN[by]}', colocate_with := '${beside}')`,
    policySql(table, { namesCompany }),
    `SELECT truncate_local_data_after_distributing_table('${table}')`,
  ];
}

const nameOf = ({ name }: Pick<Table, 'name'>): string => `public.${escapeIdentifier(name)}`;

async function inTransaction(client: pg.Client, statements: readonly string[]): Promise<void> {
  await client.query('BEGIN');
  try {
    // Lets a transaction's steps use the same connections to the shards.
    await client.query(`SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`);
    await client.query('SET LOCAL statement_timeout TO 0');
    for (const statement of statements) await client.query(statement);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
