import { loadSecretBox, LOGIN_PURPOSE } from '../secrets/keys.js';
import { createProgram, createProgress, runProgram, withDatabase, withOpenDatabase } from './command.js';
import { formatTable } from './output.js';
import { readSettings } from './settings.js';

const program = createProgram(
  'secrets:rotate',
  `Re-encrypts all secrets with the first of SECRET_KEYS, while the service runs, and sets the password of its
database login, which is derived from that key.

To change the key: add the new one at the front of SECRET_KEYS and restart every process, run this, then remove the old
one and restart again. With several processes, first add it after the old one and restart them all: none may encrypt
with a key that another lacks.`,
).action(rotate);

void runProgram(program);

async function rotate(): Promise<void> {
  const config = readSettings();
  const [{ rotateSecrets }, { prepareRuntime }] = await Promise.all([
    import('../operations/secrets/rotate-secrets.js'),
    import('../db/runtime/index.js'),
  ]);
  const secrets = loadSecretBox(config);
  const progress = createProgress();
  const counts = await withDatabase((database) =>
    rotateSecrets(database.pool, secrets, ({ table, checked, renewed }) =>
      progress(`${table}: ${checked} checked, ${renewed} sealed again`),
    ),
  );
  const login = { runtimeUrl: config.databaseRuntimeUrl, passwords: secrets.passwords(LOGIN_PURPOSE) };
  await withOpenDatabase('attach', ({ opened }) => prepareRuntime(opened.url, login));
  const rows = counts.map(({ table, checked, renewed }) => [table, String(checked), String(renewed)]);
  process.stdout.write(formatTable(['table', 'checked', 'sealed again'], rows));
}
