import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../../dist/db/embedded/index.js';
import { migrate } from '../../dist/db/migrations/index.js';
import { migrateJobs } from '../../dist/jobs/worker.js';

const TEMPLATE = 'svc_test_template';

/** A migrated template and a copy of it per worker, on DATABASE_URL's server or an embedded one. */
export default async function setup({ maxWorkers }) {
  const outside = process.env.DATABASE_URL;
  const dataDir = outside ? null : mkdtempSync(join(tmpdir(), 'svc-test-'));
  const embedded = dataDir && (await startEmbedded({ dataDir }));
  const server = embedded?.url ?? outside;
  const at = (database) => Object.assign(new URL(server), { pathname: `/${database}` }).href;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`);
  await client.query(`CREATE DATABASE ${TEMPLATE}`);
  await migrate(at(TEMPLATE));
  await migrateJobs(at(TEMPLATE));
  const names = [];
  for (let worker = 1; worker <= maxWorkers; worker += 1) {
    const name = `svc_test_${worker}`;
    names.push(name);
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  }
  await client.end();
  const fileDir = mkdtempSync(join(tmpdir(), 'svc-test-files-'));
  process.env.TEST_DATABASE_BASE = server;
  process.env.TEST_FILE_DIR = fileDir;
  globalThis.__svcTest = { embedded, dataDir, fileDir, server, names: [TEMPLATE, ...names] };
}
