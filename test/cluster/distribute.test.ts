import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { migrate } from '../../src/db/migrations/index.js';
import { SPREAD } from '../../src/shards/placement.js';
import { Folders, start } from '../cli/commands.js';
import { joinNodes, onEachNode } from '../support/nodes.js';
import { until } from '../support/until.js';

const nodes = (process.env['TEST_DATABASE_NODES'] ?? '').split(' ');
const [coordinator = ''] = nodes;
const folders = new Folders();

let url: string;
let owner: pg.Client;

const ROWS = 200;
const COMPANIES = 20;

beforeAll(async () => {
  const name = `${process.env['TEST_DATABASE_TEMPLATE']}_full_${randomBytes(3).toString('hex')}`;
  await onEachNode(nodes, `CREATE DATABASE ${name} TEMPLATE template0`);
  await joinNodes(nodes, name);
  url = Object.assign(new URL(coordinator), { pathname: `/${name}` }).href;
  await migrate(url);
  owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query('SET session_replication_role = replica');
  for (const { table } of SPREAD) await fill(table);
  await owner.query('RESET session_replication_role');
});
afterAll(async () => {
  await owner.end();
  folders.remove();
});

const VALUES: Readonly<Record<string, string>> = {
  bigint: 'n',
  integer: 'n',
  numeric: 'n / 7.0',
  text: `'x' || n`,
  jsonb: `jsonb_build_object('n', n)`,
  boolean: 'n % 2 = 0',
  ARRAY: `ARRAY['x' || n]`,
  uuid: 'gen_random_uuid()',
  date: `date '2026-11-01' + n`,
  // Of the change log they are of several months, and some of none that has a partition.
  'timestamp with time zone': `timestamptz '2026-09-01' + n * interval '1 day'`,
};

/** Every column of rows of some companies has a value. */
async function fill(table: string): Promise<void> {
  const { rows } = await owner.query<{ name: string; type: string }>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'`,
    [table],
  );
  const values = rows.map(({ name, type }) => {
    if (name === 'svc_organisation_id') return table === 'change_heads' ? 'n' : '1';
    return name === 'svc_company_id' ? `n % ${COMPANIES}` : (VALUES[type] ?? 'NULL');
  });
  await owner.query(
    `INSERT INTO ${table} (${rows.map(({ name }) => name).join(', ')})
     SELECT ${values.join(', ')} FROM generate_series(1, ${ROWS}) n`,
  );
}

/** What a table holds, in one line. */
async function contents(table: string): Promise<string> {
  const { rows } = await owner.query<{ text: string }>(`SELECT t::text AS text FROM ${table} t`);
  return rows
    .map(({ text }) => text)
    .sort()
    .join('\n');
}

const run = (...options: string[]) =>
  start('dist/cli/cluster.js', ['distribute', ...options], { DATABASE_URL: url }, folders.make());

const spread = async (): Promise<number> => {
  const { rowCount } =
    await owner.query(`SELECT FROM pg_dist_partition WHERE partmethod = 'h' AND NOT EXISTS (
    SELECT FROM pg_class c WHERE c.oid = logicalrelid AND c.relispartition)`);
  return rowCount ?? 0;
};

/** Shards whose row-level security has no sub-select for each of its settings. */
async function perRow(): Promise<unknown[]> {
  const { rows } = await owner.query(
    `SELECT table_name, result FROM (SELECT DISTINCT table_name FROM citus_shards) t, run_command_on_shards(t.table_name, $$
       SELECT string_agg(qual, ' ') FROM pg_policies
       WHERE policyname = 'svc_scope' AND format('%%I.%%I', schemaname, tablename)::regclass = '%s'::regclass $$)
     WHERE table_name::text NOT LIKE 'record_changes\\_%'
       AND result NOT LIKE CASE WHEN result LIKE '%svc_company_id%' THEN '%SELECT%SELECT%' ELSE '%SELECT%' END`,
  );
  return rows;
}

test('a full database is spread row by row, in several goes where it is interrupted, and only once', async () => {
  const before = new Map<string, string>();
  for (const { table } of SPREAD) before.set(table, await contents(table));
  expect([...before.values()].every((text) => text.split('\n').length === ROWS)).toBe(true);

  const dry = await run('--dry-run').ended;
  expect(dry).toMatchObject({
    code: 0,
    stdout: `${SPREAD.length} tables would be spread over the workers; 0 were already.\n`,
  });
  expect(dry.stderr).toContain(`SELECT create_distributed_table('public."accounts"', 'svc_company_id'`);
  expect(await spread()).toBe(0);

  const killed = run();
  await until('some tables to be spread', async () => (await spread()) >= 5);
  await killed.stop('SIGKILL');
  await until('the killed session to end', async () => {
    const { rowCount } = await owner.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
         AND backend_type = 'client backend' AND state <> 'idle'`,
    );
    return rowCount === 0;
  });
  const done = await spread();
  expect(done).toBeLessThan(SPREAD.length);

  const second = await run().ended;
  expect(second).toMatchObject({
    code: 0,
    stdout: `${SPREAD.length - done} tables were spread over the workers; ${done} were already.\n`,
  });
  expect((await run().ended).stdout).toBe(
    `0 tables were spread over the workers; ${SPREAD.length} were already.\n`,
  );
  for (const { table } of SPREAD) expect([table, await contents(table)]).toEqual([table, before.get(table)]);

  // Nothing is left of them at the coordinator, and both workers have some.
  const { rows: left } = await owner.query<{ bytes: string }>(
    `SELECT sum(pg_relation_size(p.logicalrelid)) AS bytes FROM pg_dist_partition p`,
  );
  expect(Number(left[0]?.bytes)).toBe(0);
  const { rows: places } = await owner.query('SELECT DISTINCT nodeport FROM citus_shards');
  expect(places).toHaveLength(nodes.length - 1);

  // Each node has looked through what it was given.
  const { rows: known } = await owner.query<{ rows: number }>(
    `SELECT sum(result::float8) AS rows FROM run_command_on_shards($1, $$
       SELECT reltuples FROM pg_class WHERE oid = '%s'::regclass $$)`,
    [SPREAD.findLast(({ table }) => table !== 'record_changes')?.table],
  );
  expect(known[0]?.rows).toBe(ROWS);

  // What a session may read is looked up once a statement: a shard that was moved has that, too, when it is called again.
  expect(await perRow()).toEqual([]);
  await owner.query(
    `SELECT run_command_on_shards('accounts', $$ALTER POLICY svc_scope ON %s USING (svc_organisation_id = 1)$$)`,
  );
  expect((await perRow()).length).toBeGreaterThan(0);
  expect(await run().ended).toMatchObject({ code: 0 });
  expect(await perRow()).toEqual([]);

  const diff = await start('dist/cli/db.js', ['diff'], { DATABASE_URL: url }, folders.make()).ended;
  expect(diff).toMatchObject({ code: 0, stdout: '' });
});
