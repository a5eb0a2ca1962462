import pg from 'pg';
import { migrate } from '../../dist/db/migrations/index.js';
import { prepareRuntime } from '../../dist/db/runtime/index.js';
import { migrateJobs } from '../../dist/jobs/worker.js';

/** Makes a migrated database for test files to copy (see database.ts), and tells this process's tests of it. */
export async function makeTemplate(server, template) {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${template}`);
    const url = Object.assign(new URL(server), { pathname: `/${template}` }).href;
    await migrate(url);
    await migrateJobs(url);
    const { login } = await prepareRuntime(url, { runtimeUrl: null, passwords: [template] });
    process.env.TEST_RUNTIME_URL = login.url;
    // Nobody else may be connected to what is copied, autovacuum included.
    await client.query(`ALTER DATABASE ${template} ALLOW_CONNECTIONS false`);
  } finally {
    await client.end();
  }
  process.env.TEST_DATABASE_BASE = server;
  process.env.TEST_DATABASE_TEMPLATE = template;
}
