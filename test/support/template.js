import { migrate } from '../../dist/db/migrations/index.js';
import { prepareRuntime } from '../../dist/db/runtime/index.js';
import { migrateJobs } from '../../dist/jobs/migrate-jobs.js';
import { distribute } from '../../dist/shards/distribute.js';
import { closeDatabase, joinNodes, onEachNode, withClient } from './nodes.js';

/**
 * Creates a migrated database for test files to copy (see database.ts), and announces it in this process's environment.
 * For a cluster, `nodes` are given, the server first: the database is distributed over them. `from` is a database that
 * is migrated already.
 */
export async function makeTemplate(server, template, nodes = [server], from = 'template1') {
  await onEachNode(nodes, `CREATE DATABASE ${template} TEMPLATE ${from}`);
  const url = Object.assign(new URL(server), { pathname: `/${template}` }).href;
  const isCluster = nodes.length > 1;
  if (isCluster) await joinNodes(nodes, template);
  await migrate(url);
  await migrateJobs(url);
  if (isCluster)
    await withClient(url, (client) => distribute(client, { dryRun: false, tell: () => undefined }));
  const { login } = await prepareRuntime(url, { runtimeUrl: null, passwords: [template] });
  process.env.TEST_RUNTIME_URL = login.url;
  // A database that is copied must have no other connections, including autovacuum's.
  await closeDatabase(nodes, template);
  process.env.TEST_DATABASE_NODES = nodes.join(' ');
  process.env.TEST_DATABASE_BASE = server;
  process.env.TEST_DATABASE_TEMPLATE = template;
}

/**
 * Settings for databases that last a few minutes: autovacuum would visit two hundred of them in turn, several a second,
 * and nothing needs to outlive the machine.
 */
export async function quieten(server) {
  await withClient(server, async (client) => {
    for (const name of ['autovacuum', 'fsync', 'full_page_writes'])
      await client.query(`ALTER SYSTEM SET ${name} = off`);
    await client.query('SELECT pg_reload_conf()');
  });
}
