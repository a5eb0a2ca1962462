import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../../dist/db/embedded/index.js';
import { migrate } from '../../dist/db/migrations/index.js';
import { prepareRuntime } from '../../dist/db/runtime/index.js';
import { migrateJobs } from '../../dist/jobs/worker.js';

/**
 * A migrated template on DATABASE_URL's server or an embedded one; each test file copies it (see database.ts). Names carry
 * the run's id: several runs may share a server.
 */
export default async function setup() {
  const outside = process.env.DATABASE_URL;
  const dataDir = outside ? null : mkdtempSync(join(tmpdir(), 'svc-test-'));
  const embedded = dataDir && (await startEmbedded({ dataDir }));
  const server = embedded?.url ?? outside;
  const template = `svc_test_${randomBytes(4).toString('hex')}`;
  const fileDir = mkdtempSync(join(tmpdir(), 'svc-test-files-'));
  globalThis.__svcTest = { embedded, dataDir, fileDir, server, template };
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
  process.env.TEST_FILE_DIR = fileDir;
}
