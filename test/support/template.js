import pg from 'pg';
import { migrate } from '../../dist/db/migrations/index.js';
import { prepareRuntime } from '../../dist/db/runtime/index.js';
import { migrateJobs } from '../../dist/jobs/worker.js';
import { distribute } from '../../dist/shards/distribute.js';
import { closeDatabase, joinNodes, nodesOf, onEachNode } from './cluster.js';

/** Makes a migrated database for test files to copy (see database.ts), and tells this process's tests of it. */
export async function makeTemplate(server, template) {
  const nodes = await nodesOf(server);
  await onEachNode(nodes, `CREATE DATABASE ${template}`);
  const url = Object.assign(new URL(server), { pathname: `/${template}` }).href;
  if (nodes.length > 1) await joinNodes(nodes, template);
  await migrate(url);
  await migrateJobs(url);
  if (nodes.length > 1) await spread(url);
  const { login } = await prepareRuntime(url, { runtimeUrl: null, passwords: [template] });
  process.env.TEST_RUNTIME_URL = login.url;
  // Nobody else may be connected to what is copied, autovacuum included.
  await closeDatabase(nodes, template);
  process.env.TEST_DATABASE_NODES = nodes.join(' ');
  process.env.TEST_DATABASE_BASE = server;
  process.env.TEST_DATABASE_TEMPLATE = template;
}

async function spread(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await distribute(client, { dryRun: false, tell: () => undefined });
  await client.end();
}
