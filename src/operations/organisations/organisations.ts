import { databaseTime } from '../../db/clock.js';
import type { PrismaClient } from '../../db/__generated__/client.js';
import { AppError } from '../../errors.js';
import { parseName } from '../../base/values.js';

/** The organisation of that name, or null. */
export async function findOrganisation(
  prisma: PrismaClient,
  name: string,
): Promise<{ svcId: number; name: string } | null> {
  const found = await prisma.organisation.findUnique({ where: { name } });
  return found && { svcId: Number(found.svcId), name: found.name };
}

/** Maximum names listed in an error. */
const MAX_NAMED = 20;

/**
 * The organisation of that name. Throws `not-found` with the existing names: for the operator only, never for API
 * callers.
 */
export async function getOrganisation(
  prisma: PrismaClient,
  name: string,
): Promise<{ svcId: number; name: string }> {
  const found = await findOrganisation(prisma, name);
  if (found) return found;
  const known = await prisma.organisation.findMany({ orderBy: { name: 'asc' }, take: MAX_NAMED + 1 });
  const names = known.slice(0, MAX_NAMED).map((one) => `"${one.name}"`);
  if (known.length > MAX_NAMED) names.push('more');
  const choice = names.length > 0 ? `there are ${names.join(', ')}` : 'there is none yet';
  throw new AppError('not-found', `there is no organisation named "${name}"; ${choice}`, 'organisation');
}

/** Creates an organisation. Throws `conflict` if the name is taken. */
export async function createOrganisation(
  prisma: PrismaClient,
  name: string,
): Promise<{ svcId: number; name: string }> {
  const data = { name: parseName(name, 'name') };
  // Two may create the same one concurrently: the table's constraint decides, not a prior check.
  const [made] = await prisma.organisation.createManyAndReturn({ data, skipDuplicates: true });
  if (!made) throw new AppError('conflict', `there is an organisation named "${data.name}" already`, 'name');
  return { svcId: Number(made.svcId), name: made.name };
}

export interface ListedOrganisation {
  readonly svcId: number;
  readonly name: string;
  readonly companies: number;
  /** Number of valid keys. */
  readonly keys: number;
  readonly svcCreatedAt: Date;
}

/** All organisations, oldest first. */
export async function listOrganisations(prisma: PrismaClient, now: Date): Promise<ListedOrganisation[]> {
  const usable = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] };
  const rows = await prisma.organisation.findMany({
    include: { _count: { select: { companies: true, apiKeys: { where: usable } } } },
    orderBy: { svcId: 'asc' },
  });
  return rows.map((row) => ({
    svcId: Number(row.svcId),
    name: row.name,
    companies: row._count.companies,
    keys: row._count.apiKeys,
    svcCreatedAt: row.svcCreatedAt,
  }));
}

/** Revokes all keys of an organisation, nothing else. Returns how many were valid. */
export const revokeOrganisationKeys = (prisma: PrismaClient, organisationId: number): Promise<number> =>
  revokeKeys(prisma, { svcOrganisationId: BigInt(organisationId) });

/** How many webhooks of an organisation send events; with `off` they are switched off. */
export async function countWebhooks(
  prisma: PrismaClient,
  organisationId: number,
  { off }: { readonly off: boolean },
): Promise<number> {
  const where = { svcOrganisationId: BigInt(organisationId), enabled: true };
  if (!off) return prisma.webhook.count({ where });
  const data = { enabled: false, updatedAt: databaseTime() };
  return (await prisma.webhook.updateMany({ where, data })).count;
}

/** Revokes the valid keys among these and records it in the audit trail; returns their number. */
export function revokeKeys(
  prisma: PrismaClient,
  which: { readonly id: string } | { readonly svcOrganisationId: bigint },
): Promise<number> {
  return prisma.$transaction(async (transaction) => {
    const revoked = await transaction.apiKey.updateManyAndReturn({
      where: { ...which, revokedAt: null },
      data: { revokedAt: databaseTime() },
    });
    await transaction.auditEvent.createMany({
      data: revoked.map(({ id, name, svcOrganisationId }) => ({
        svcOrganisationId,
        eventType: 'KEY_REVOKED',
        keyId: id,
        subject: name,
      })),
    });
    return revoked.length;
  });
}

/** The companies of an organisation, oldest first. */
export async function listCompanies(
  prisma: PrismaClient,
  organisationId: number,
): Promise<{ svcId: number; name: string }[]> {
  const rows = await prisma.company.findMany({
    where: { svcOrganisationId: BigInt(organisationId) },
    select: { svcId: true, name: true },
    orderBy: { svcId: 'asc' },
  });
  return rows.map((row) => ({ svcId: Number(row.svcId), name: row.name }));
}
