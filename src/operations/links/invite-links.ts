import type { Context } from '../../context.js';
import type { InviteLinkModel } from '../../db/__generated__/models.js';
import { invalid } from '../../errors.js';

/** Reference 2.3, Invite link. Company and connections are relations of it. */
export interface ListedInviteLink {
  readonly inviteLinkId: string;
  readonly svcId: number;
  readonly svcCompanyId: number;
  readonly integrationCategories: readonly string[];
  readonly integrations: readonly string[];
  readonly expiresAt: string | null;
  readonly svcCreatedAt: string;
  readonly svcUpdatedAt: string;
}

interface InviteLinkPage {
  readonly limit: number;
  readonly afterSvcId: number;
  readonly skip: number;
}

/** Links that were ended are there for nobody. */
const LIVING = { revokedAt: null };

/** The organisation's links after a svc_id, oldest first. */
export async function listInviteLinks(
  context: Context,
  { limit, afterSvcId, skip }: InviteLinkPage,
): Promise<ListedInviteLink[]> {
  const { maxPageSize, maxSkip } = context.limits;
  if (!(limit >= 0 && limit <= maxPageSize))
    throw invalid('limit', `limit must be between 0 and ${maxPageSize}, got ${limit}`);
  if (!(skip >= 0 && skip <= maxSkip))
    throw invalid('skip', `skip must be between 0 and ${maxSkip}, got ${skip}`);
  const rows = await context.client.inviteLink.findMany({
    where: { ...LIVING, svcId: { gt: BigInt(afterSvcId) } },
    orderBy: { svcId: 'asc' },
    take: limit,
    skip,
  });
  return rows.map(presentInviteLink);
}

/** One link; null when this organisation has none of that id. */
export async function getInviteLink(
  context: Context,
  inviteLinkId: string,
): Promise<ListedInviteLink | null> {
  const row = await context.client.inviteLink.findFirst({ where: { ...LIVING, inviteLinkId } });
  return row && presentInviteLink(row);
}

/** Links by their svc_ids. */
export async function listInviteLinksById(
  context: Context,
  svcIds: readonly number[],
): Promise<ListedInviteLink[]> {
  const rows = await context.client.inviteLink.findMany({
    where: { ...LIVING, svcId: { in: svcIds.map(BigInt) } },
  });
  return rows.map(presentInviteLink);
}

/** The latest link of each company. */
export async function latestInviteLinks(
  context: Context,
  companyIds: readonly number[],
): Promise<Map<number, ListedInviteLink>> {
  const rows = await context.client.inviteLink.findMany({
    where: { ...LIVING, svcCompanyId: { in: companyIds.map(BigInt) } },
    orderBy: { svcId: 'asc' },
  });
  return new Map(rows.map((row) => [Number(row.svcCompanyId), presentInviteLink(row)]));
}

export function presentInviteLink(row: InviteLinkModel): ListedInviteLink {
  return {
    inviteLinkId: row.inviteLinkId,
    svcId: Number(row.svcId),
    svcCompanyId: Number(row.svcCompanyId),
    integrationCategories: row.integrationCategories,
    integrations: row.integrations,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    svcCreatedAt: row.svcCreatedAt.toISOString(),
    svcUpdatedAt: row.svcUpdatedAt.toISOString(),
  };
}
