import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { PrismaClient } from '../../db/__generated__/client.js';
import { createScope, type Scope } from '../../db/scope.js';
import { AppError } from '../../errors.js';
import { parseName } from '../../base/values.js';
import { listCompanies, revokeKeys } from '../organisations/organisations.js';
import { hashSecret } from '../../secrets/hash-secret.js';

/** Scopes of a key (Reference G13). */
export const KEY_SCOPES = [
  'read',
  'write',
  'passthrough',
  'integrations:secrets',
  'webhooks:manage',
] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** A revoked key works at most this much longer, in processes that have just seen it. */
export const KEY_TRUST_MILLISECONDS = 3000;

interface NewKey {
  readonly organisationId: number;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  /** Empty: every company. */
  readonly companyIds?: readonly number[];
  readonly expiresAt?: Date | null;
  /** A fixed key instead of a random one. */
  readonly key?: string;
}

/** Creates a key. Only the result contains the key itself. Throws on a company of another organisation. */
export async function createApiKey(
  prisma: PrismaClient,
  options: NewKey,
): Promise<{ id: string; key: string }> {
  await refuseUnknownCompanies(prisma, options);
  const id = randomBytes(6).toString('hex');
  const key = options.key ?? `svc_${id}_${randomBytes(32).toString('base64url')}`;
  const data = {
    svcOrganisationId: BigInt(options.organisationId),
    name: parseName(options.name, 'name'),
    keyHash: hashSecret(key),
    scopes: [...options.scopes],
    companyIds: (options.companyIds ?? []).map(BigInt),
    expiresAt: options.expiresAt ?? null,
  };
  const { svcOrganisationId, name } = data;
  await prisma.$transaction([
    prisma.apiKey.create({ data: { id, ...data } }),
    prisma.auditEvent.create({
      data: { svcOrganisationId, eventType: 'KEY_MADE', keyId: id, subject: name },
    }),
  ]);
  return { id, key };
}

async function refuseUnknownCompanies(prisma: PrismaClient, options: NewKey): Promise<void> {
  if (!options.companyIds?.length) return;
  const known = await listCompanies(prisma, options.organisationId);
  const unknown = options.companyIds.filter((id) => !known.some(({ svcId }) => svcId === id));
  if (unknown.length === 0) return;
  const names = known.map(({ svcId, name }) => `${svcId} (${name})`);
  throw new AppError(
    'not-found',
    `the organisation has no company ${unknown.join(', ')}; ` +
      (names.length > 0 ? `its companies are ${names.join(', ')}` : 'it has no company yet'),
    'companies',
  );
}

/** A key as listed: everything but the key itself. */
export interface ListedKey {
  readonly id: string;
  readonly name: string;
  readonly organisation: string;
  readonly scopes: readonly string[];
  /** Empty: every company. */
  readonly companyIds: readonly number[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** The keys of one organisation or, with null, of all; oldest first. */
export async function listApiKeys(prisma: PrismaClient, organisationId: number | null): Promise<ListedKey[]> {
  const rows = await prisma.apiKey.findMany({
    where: organisationId === null ? {} : { svcOrganisationId: BigInt(organisationId) },
    include: { organisation: { select: { name: true } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    organisation: row.organisation.name,
    scopes: row.scopes,
    companyIds: row.companyIds.map(Number),
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    lastUsedAt: row.lastUsedAt,
    revokedAt: row.revokedAt,
  }));
}

/** Revokes a key. An already revoked key stays unchanged; `revokedNow` tells. Throws `not-found`. */
export async function revokeApiKey(
  prisma: PrismaClient,
  id: string,
): Promise<{ name: string; organisation: string; revokedNow: boolean }> {
  const revokedNow = (await revokeKeys(prisma, { id })) > 0;
  const row = await prisma.apiKey.findUnique({
    where: { id },
    include: { organisation: { select: { name: true } } },
  });
  if (!row) throw new AppError('not-found', `there is no API key with the id ${id}`, 'id');
  return { name: row.name, organisation: row.organisation.name, revokedNow };
}

/** A currently valid key. */
export interface ActiveKey {
  readonly id: string;
  readonly scopes: ReadonlySet<string>;
  readonly scope: Scope;
}

interface KeyRow {
  readonly id: string;
  readonly svc_organisation_id: string;
  readonly scopes: readonly string[];
  readonly company_ids: readonly string[];
}

/**
 * The key, or null if unknown, revoked or expired, which callers cannot distinguish. Records its use and the address it
 * was used from, once a day.
 */
export const findActiveKey = (pool: pg.Pool, key: string, address: string): Promise<ActiveKey | null> =>
  findKeyByHash(pool, hashSecret(key), address);

/** The same for a key that was given before. */
export async function findKeyByHash(
  pool: pg.Pool,
  hash: Uint8Array,
  address: string,
): Promise<ActiveKey | null> {
  const { rows } = await pool.query<KeyRow>('SELECT * FROM svc_use_api_key($1, $2)', [hash, address]);
  const [row] = rows;
  if (!row) return null;
  const companyIds = row.company_ids.length > 0 ? row.company_ids.map(Number) : null;
  return {
    id: row.id,
    scopes: new Set(row.scopes),
    scope: createScope(Number(row.svc_organisation_id), companyIds, row.id),
  };
}
