import type { PrismaClient } from '../db/__generated__/client.js';
import { createScope, type Scope } from '../db/scope.js';
import type { TenantClient } from '../db/tenant-client.js';
import { AppError } from '../errors.js';

/** The organisation of that name, or null. */
export async function findOrganisation(
  prisma: PrismaClient,
  name: string,
): Promise<{ svcId: number; name: string } | null> {
  const found = await prisma.organisation.findUnique({ where: { name } });
  return found && { svcId: Number(found.svcId), name: found.name };
}

/** Makes an organisation. Throws `conflict` when the name is taken. */
export async function createOrganisation(
  prisma: PrismaClient,
  name: string,
): Promise<{ svcId: number; name: string }> {
  if (await findOrganisation(prisma, name)) {
    throw new AppError('conflict', `there is an organisation named ${name} already`, 'name');
  }
  const made = await prisma.organisation.create({ data: { name } });
  return { svcId: Number(made.svcId), name: made.name };
}

/** The scope of a whole organisation, for work that no API key asked for. */
export function organisationScope(organisationId: number): Scope {
  return createScope(organisationId, null);
}

/** The company of that name, made when there is none. Names may repeat: then the oldest is meant. */
export async function findOrCreateCompany(
  client: TenantClient,
  scope: Scope,
  options: { readonly name: string; readonly baseCurrencyCode?: string },
): Promise<{ svcId: number; created: boolean }> {
  const found = await client.company.findFirst({ where: { name: options.name }, orderBy: { svcId: 'asc' } });
  if (found) return { svcId: Number(found.svcId), created: false };
  const made = await client.company.create({
    data: {
      svcOrganisationId: BigInt(scope.organisationId),
      name: options.name,
      baseCurrencyCode: options.baseCurrencyCode ?? null,
    },
  });
  return { svcId: Number(made.svcId), created: true };
}

export interface ConnectionOptions {
  readonly svcCompanyId: number;
  readonly integrationType: string;
  readonly category: string;
  readonly externalAccountId: string;
}

/** The company's connection to one account; reconnecting the same account reuses it (design 3.4). */
export async function connectCompany(
  client: TenantClient,
  scope: Scope,
  options: ConnectionOptions,
): Promise<{ svcId: number; lastSyncedAt: Date | null }> {
  const { svcCompanyId, integrationType, category, externalAccountId } = options;
  const key = { svcCompanyId: BigInt(svcCompanyId), integrationType, category, externalAccountId };
  const connection = await client.connection.upsert({
    where: { svcCompanyId_integrationType_category_externalAccountId: key },
    create: { ...key, svcOrganisationId: BigInt(scope.organisationId), status: 'HEALTHY' },
    update: { status: 'HEALTHY', svcUpdatedAt: new Date() },
  });
  return { svcId: Number(connection.svcId), lastSyncedAt: connection.lastSyncedAt };
}
