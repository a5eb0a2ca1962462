import { createHash, randomBytes } from 'node:crypto';
import type { PrismaClient } from '../db/__generated__/client.js';
import { createScope, type Scope } from '../db/scope.js';

/** What a key may do beyond its organisation's boundary (design section 7). */
export const KEY_SCOPES = [
  'read',
  'write',
  'passthrough',
  'integrations:secrets',
  'webhooks:manage',
] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Only this is stored: a dump of the database holds no key. Keys are long and random, so no slow hash is needed. */
export function hashKey(key: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(key).digest());
}

export interface NewKey {
  readonly organisationId: number;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  /** Empty: every company. */
  readonly companyIds?: readonly number[];
  readonly expiresAt?: Date | null;
  /** A fixed key instead of a random one. */
  readonly key?: string;
}

/** Makes a key. The key itself is in the answer and nowhere else. */
export async function createApiKey(prisma: PrismaClient, options: NewKey): Promise<{ id: string; key: string }> {
  const id = randomBytes(6).toString('hex');
  const key = options.key ?? `svc_${id}_${randomBytes(32).toString('base64url')}`;
  const data = {
    svcOrganisationId: BigInt(options.organisationId),
    name: options.name,
    keyHash: hashKey(key),
    scopes: [...options.scopes],
    companyIds: (options.companyIds ?? []).map(BigInt),
    expiresAt: options.expiresAt ?? null,
  };
  await prisma.apiKey.create({ data: { id, ...data } });
  return { id, key };
}

/** A key that may be used now. */
export interface ActiveKey {
  readonly id: string;
  readonly scopes: ReadonlySet<string>;
  readonly scope: Scope;
}

/** The key, or null when it is unknown, revoked or expired: all alike to the caller. */
export async function findActiveKey(prisma: PrismaClient, key: string, now: Date): Promise<ActiveKey | null> {
  const row = await prisma.apiKey.findUnique({ where: { keyHash: hashKey(key) } });
  if (!row || row.revokedAt || (row.expiresAt && row.expiresAt <= now)) return null;
  if (!row.lastUsedAt || now.getTime() - row.lastUsedAt.getTime() > 60_000) {
    await prisma.apiKey.update({ where: { id: row.id }, data: { lastUsedAt: now } });
  }
  const companyIds = row.companyIds.length > 0 ? row.companyIds.map(Number) : null;
  return {
    id: row.id,
    scopes: new Set(row.scopes),
    scope: createScope(Number(row.svcOrganisationId), companyIds),
  };
}
