import { rotateSecrets } from '../operations/secrets/rotate-secrets.js';
import { loadSecretBox } from '../secrets/keys.js';
import { loadEnvFile, readConfig } from '../config.js';
import { createProgram, runProgram, withDatabase } from './command.js';
import { formatTable } from './output.js';

const program = createProgram(
  'secrets:rotate',
  `Seals all secrets again with the first of SECRET_KEYS, while the service runs.

To change the key: put the new one in front of SECRET_KEYS and restart every process, run this, then take the old one
off the list and restart again.`,
).action(rotate);

await runProgram(program);

async function rotate(): Promise<void> {
  loadEnvFile();
  const secrets = loadSecretBox(readConfig(process.env));
  const counts = await withDatabase((database) => rotateSecrets(database.prisma, secrets));
  const rows = counts.map(({ table, checked, renewed }) => [table, String(checked), String(renewed)]);
  process.stdout.write(formatTable(['table', 'checked', 'sealed again'], rows));
}
