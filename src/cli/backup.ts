import { once } from 'node:events';
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { AppError } from '../errors.js';
import { readSecretKeys } from '../secrets/keys.js';
import { createProgram, runProgram, tell, withOpenDatabase } from './command.js';

const program = createProgram(
  'backup',
  `Writes a consistent snapshot of the database to a file. The service may keep running.

  npm run backup -- --out backup.gz
  npm run backup -- --out - | ssh elsewhere 'cat > backup.gz'

Document files (FILE_DIR or the bucket) are not included. Secrets are included encrypted: store SECRET_KEYS, or the file
secret-key of DATA_DIR, elsewhere, or include them.`,
)
  .requiredOption('--out <file>', 'file to create, which must not exist yet; - for standard output')
  .option('--with-secret-key', 'include the secret keys: anyone with the file can read the secrets')
  .action(backup);

// A partial backup is useless: closing the output early has to fail.
void runProgram(program, { mayCutOutput: false });

async function backup({
  out,
  withSecretKey = false,
}: {
  out: string;
  withSecretKey?: boolean;
}): Promise<void> {
  if (out !== '-' && existsSync(out))
    throw new AppError('conflict', `${out} already exists: name another file`);
  const { refuseOutput, writeBackup } = await import('../backup/write-backup.js');
  const part = `${out}.part`;
  // Readable by its owner only: it contains customers' books.
  // On disk before it gets its name: after a power cut, a whole-looking file could be a short one.
  const file =
    out === '-' ? process.stdout : createWriteStream(part, { mode: 0o600, flags: 'w', flush: true });
  // The writer fails with it; without a listener it would end the process and leave an embedded database running.
  file.on('error', () => undefined);
  try {
    if (out !== '-') await once(file, 'open').catch(refuseOutput);
    await withOpenDatabase('attach', async ({ opened, config }) => {
      const secretKeys = withSecretKey ? readSecretKeys(config) : null;
      if (secretKeys?.length === 0)
        throw new AppError('not-found', 'there is no secret key: nothing has been encrypted yet');
      const { rows } = await writeBackup(file, { url: opened.url, secretKeys, tell });
      if (out !== '-') renameSync(part, out);
      const count = Object.values(rows).reduce((sum, one) => sum + one, 0);
      const keys = secretKeys ? 'with the keys of secrets' : 'without the keys of secrets: keep those too';
      process.stderr.write(`Backed up ${count} rows of ${Object.keys(rows).length} tables, ${keys}.\n`);
    });
  } catch (error) {
    if (out !== '-') rmSync(part, { force: true });
    throw error;
  }
}
