import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTemplate } from '../support/template.js';
import { startCluster } from './citus.js';

/** A cluster, and a migrated template that is spread over it; each test file copies that (see test/support/database.ts). */
export default async function setup() {
  const cluster = await startCluster(process.env.TEST_CLUSTER_BIN);
  const fileDir = mkdtempSync(join(tmpdir(), 'svc-test-files-'));
  globalThis.__svcTest = { cluster, fileDir };
  process.env.TEST_CLUSTER = JSON.stringify(cluster.nodes);
  await makeTemplate(
    cluster.url,
    `svc_test_${randomBytes(4).toString('hex')}`,
    cluster.nodes.map(({ url }) => url),
  );
  process.env.TEST_FILE_DIR = fileDir;
}
