import { createReadStream, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import { AppError } from '../errors.js';
import { keepSecretKey, readSecretKeys } from '../secrets/keys.js';
import { createProgram, runProgram, tell, withOpenDatabase } from './command.js';

const program = createProgram(
  'restore',
  `Restores a backup, completely or not at all, into the configured database, which must have no organisation yet.

  DATA_DIR=.restored npm run restore -- backup.gz
  DATABASE_URL=postgresql://... npm run restore -- backup.gz`,
)
  .argument('<file>', 'file from `npm run backup`; - for standard input')
  .action(restore);

void runProgram(program);

async function restore(name: string): Promise<void> {
  if (name !== '-' && !existsSync(name)) throw new AppError('not-found', `there is no file ${name}`);
  const [{ readBackup }, { refuseInUse }] = await Promise.all([
    import('../backup/read-backup.js'),
    import('./database.js'),
  ]);
  await withOpenDatabase('own', async ({ opened, config }) => {
    if (!opened.embedded) await refuseInUse(opened.url);
    const file = name === '-' ? process.stdin : createReadStream(name);
    let advice: string[] = [];
    const { header, rows, applied } = await readBackup(file, {
      url: opened.url,
      tell,
      keepKeys: (keys) => (advice = keepKeys(config, keys)),
    });
    const count = Object.values(rows).reduce((sum, one) => sum + one, 0);
    const lines = [`Restored ${count} rows of ${Object.keys(rows).length} tables, as of ${header.madeAt}.`];
    if (applied.length > 0) lines.push(`Then applied what is newer: ${applied.join(', ')}`);
    lines.push(...advice);
    process.stderr.write(`${lines.join('\n')}\n`);
  });
}

/** Saves the backup's keys if this installation lacks them, and returns what to tell the operator. */
function keepKeys(config: Config, backedUp: readonly string[] | null): string[] {
  const [first] = backedUp ?? [];
  if (!backedUp || first === undefined) {
    return ['Its secrets open only with the SECRET_KEYS, or the file secret-key, of where it was made.'];
  }
  const own = readSecretKeys(config);
  if (own[0] === first) return [];
  // An existing key may be the only one that decrypts another database.
  if (own.length === 0 && !config.production && backedUp.length === 1) {
    keepSecretKey(config, first);
    return ['The key of its secrets is in DATA_DIR now.'];
  }
  const file = join(config.dataDir, 'restored-secret-keys');
  mkdirSync(config.dataDir, { recursive: true });
  writeFileSync(file, `${backedUp.join(',')}\n`, { mode: 0o600, flush: true });
  return [`Its secrets open with the SECRET_KEYS that are in ${file} now: set them, then remove the file.`];
}
