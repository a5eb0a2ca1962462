import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { dataFolder } from '../../src/db/embedded/data-folder.js';
import { startEmbedded } from '../../src/db/embedded/index.js';
import { migrate } from '../../src/db/migrations/index.js';
import { codeOf } from '../../src/errors.js';
import { migrateJobs } from '../../src/jobs/migrate-jobs.js';
import { quieten } from './template.js';
import { until } from './until.js';

/** Of all files of the run, whose end removes it. */
const made = dataFolder(`${process.env['TEST_FILE_DIR']}.data`);

/**
 * Puts a migrated database without records into an empty data folder, for tests of what comes after a first start:
 * a copy costs a tenth of what a first start does.
 */
export async function fillDataFolder(dataDir: string): Promise<void> {
  if (!existsSync(made.path)) await makeOnce();
  const folder = dataFolder(dataDir);
  cpSync(made.cluster, folder.cluster, { recursive: true });
  cpSync(made.password, folder.password);
}

/** Whichever process comes first makes it, and the others wait. */
async function makeOnce(): Promise<void> {
  const making = `${made.path}.new`;
  try {
    mkdirSync(making);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return void (await until('the data folder of the run', () => existsSync(made.path)));
  }
  // Another process may have made it since.
  if (existsSync(made.path)) return;
  const database = await startEmbedded({ dataDir: making });
  try {
    await migrate(database.url);
    await migrateJobs(database.url);
    await quieten(database.url);
  } finally {
    await database.stop();
  }
  renameSync(making, made.path);
}
