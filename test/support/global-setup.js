import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../dist/db/embedded/index.js';
import { makeTemplate, quieten } from './template.js';

/**
 * Creates a migrated template on DATABASE_URL's server or an embedded one, which each test file copies (see
 * database.ts). Names include a run id because runs may share a server.
 */
export default async function setup() {
  const outside = process.env.DATABASE_URL;
  const dataDir = outside ? null : mkdtempSync(join(tmpdir(), 'svc-test-'));
  const embedded = dataDir && (await startEmbedded({ dataDir }));
  const server = embedded?.url ?? outside;
  if (embedded) await quieten(server);
  const template = `svc_test_${randomBytes(4).toString('hex')}`;
  const fileDir = mkdtempSync(join(tmpdir(), 'svc-test-files-'));
  globalThis.__svcTest = { embedded, dataDir, fileDir, server, template };
  await makeTemplate(server, template);
  process.env.TEST_FILE_DIR = fileDir;
}
