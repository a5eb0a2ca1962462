import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import type { OwnerDatabase } from '../db/database.js';
import { AppError } from '../errors.js';
import { createApiKey, KEY_SCOPES } from '../operations/keys/api-keys.js';
import { hashSecret } from '../secrets/hash-secret.js';

type KeySettings = Pick<Config, 'demoApiKey' | 'dataDir'>;

const keyFile = ({ dataDir }: KeySettings): string => join(dataDir, 'demo-api-key');

/** As `DEMO_API_KEY` has to be: what is shorter is a file that was cut off. */
const MIN_LENGTH = 24;

/** The demo's current or last key; null if there was none. */
export function readDemoApiKey(config: KeySettings): string | null {
  return config.demoApiKey ?? readKeyFile(keyFile(config));
}

function readKeyFile(file: string): string | null {
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return text.length < MIN_LENGTH ? null : text;
}

/** Writes and renames, so that the file never contains a partial key. */
function writeKeyFile(file: string, key: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, `${key}\n`, { mode: 0o600, flush: true });
  renameSync(temporary, file);
}

/**
 * The key of the demo organisation: `DEMO_API_KEY`, else the one in the data folder, else a new one that is stored
 * there (the database holds only its hash).
 */
export async function demoApiKey(
  owner: Pick<OwnerDatabase, 'pool' | 'prisma'>,
  organisationId: number,
  config: KeySettings,
): Promise<string> {
  const wanted = readDemoApiKey(config);
  const name = 'Demo key';
  const scopes = KEY_SCOPES;
  if (wanted !== null) {
    const { rows } = await owner.pool.query<{ organisationId: string; revokedAt: Date | null }>(
      `SELECT svc_organisation_id AS "organisationId", revoked_at AS "revokedAt" FROM api_keys WHERE key_hash = $1`,
      [hashSecret(wanted)],
    );
    const [known] = rows;
    if (known && Number(known.organisationId) !== organisationId) {
      throw new AppError('conflict', 'DEMO_API_KEY is already the key of another organisation');
    }
    if (known && !known.revokedAt) return wanted;
    if (!known) return (await createApiKey(owner.prisma, { organisationId, name, scopes, key: wanted })).key;
    if (config.demoApiKey) throw new AppError('conflict', 'DEMO_API_KEY was revoked: choose another one');
  }
  const { key } = await createApiKey(owner.prisma, { organisationId, name, scopes });
  mkdirSync(config.dataDir, { recursive: true });
  writeKeyFile(keyFile(config), key);
  return key;
}
