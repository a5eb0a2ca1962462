import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.js';
import type { PrismaClient } from '../db/__generated__/client.js';
import { AppError } from '../errors.js';
import { createApiKey, hashKey, KEY_SCOPES } from '../operations/keys/api-keys.js';

type KeySettings = Pick<Config, 'demoApiKey' | 'dataDir'>;

const keyFile = ({ dataDir }: KeySettings): string => join(dataDir, 'demo-api-key');

/** The key that the demo has, or had; null where none was made. */
export function readDemoApiKey(config: KeySettings): string | null {
  const file = keyFile(config);
  return config.demoApiKey ?? (existsSync(file) ? readFileSync(file, 'utf8').trim() : null);
}

/**
 * The key of the demo organisation: `DEMO_API_KEY`, else the one in the data folder, else a new one that is kept there
 * (the database holds only its hash).
 */
export async function demoApiKey(
  prisma: PrismaClient,
  organisationId: number,
  config: KeySettings,
): Promise<string> {
  const wanted = readDemoApiKey(config);
  const name = 'Demo key';
  const scopes = KEY_SCOPES;
  if (wanted !== null) {
    const known = await prisma.apiKey.findUnique({ where: { keyHash: hashKey(wanted) } });
    if (known && Number(known.svcOrganisationId) !== organisationId) {
      throw new AppError('conflict', 'DEMO_API_KEY is already the key of another organisation');
    }
    if (known && !known.revokedAt) return wanted;
    if (!known) return (await createApiKey(prisma, { organisationId, name, scopes, key: wanted })).key;
    if (config.demoApiKey) throw new AppError('conflict', 'DEMO_API_KEY was revoked: choose another one');
  }
  const { key } = await createApiKey(prisma, { organisationId, name, scopes });
  mkdirSync(config.dataDir, { recursive: true });
  writeFileSync(keyFile(config), `${key}\n`, { mode: 0o600 });
  return key;
}
