import { createHash } from 'node:crypto';

import type { PrismaClient } from '../db/__generated__/client.js';
import { createScope, type Scope } from '../db/scope.js';

/** What an end customer who has the link may see and choose. */
export interface OpenLink {
  readonly inviteLinkId: string;
  readonly svcId: number;
  readonly svcCompanyId: number;
  readonly companyName: string;
  readonly organisationName: string;
  readonly integrations: readonly string[];
  readonly integrationCategories: readonly string[];
  /** Why it works no more; null while it does. */
  readonly ended: 'expired' | 'revoked' | null;
  /** The link is the permission: it opens its one company and nothing else. */
  readonly scope: Scope;
}

/** The link of that id, whosever it is: whoever has the link needs no key. */
export async function findLink(
  prisma: PrismaClient,
  inviteLinkId: string,
  now: Date,
): Promise<OpenLink | null> {
  if (!/^[\w-]{16,128}$/.test(inviteLinkId)) return null;
  const row = await prisma.inviteLink.findUnique({
    where: { inviteLinkId },
    include: { company: { select: { name: true, organisation: { select: { name: true } } } } },
  });
  if (!row) return null;
  const isExpired = row.expiresAt !== null && row.expiresAt <= now;
  return {
    inviteLinkId,
    svcId: Number(row.svcId),
    svcCompanyId: Number(row.svcCompanyId),
    companyName: row.company.name,
    organisationName: row.company.organisation.name,
    integrations: row.integrations,
    integrationCategories: row.integrationCategories,
    ended: row.revokedAt !== null ? 'revoked' : isExpired ? 'expired' : null,
    scope: createScope(Number(row.svcOrganisationId), [Number(row.svcCompanyId)]),
  };
}

/** Only the hash of a state is stored: a dump of the database completes no authorisation. */
export function hashState(state: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(state).digest());
}

/** The link that an authorisation was begun from; null for a state that was never given out. */
export async function findLinkOfState(
  prisma: PrismaClient,
  state: string,
  now: Date,
): Promise<OpenLink | null> {
  const row = await prisma.authorization.findUnique({
    where: { stateHash: hashState(state) },
    include: { inviteLink: { select: { inviteLinkId: true } } },
  });
  return row && findLink(prisma, row.inviteLink.inviteLinkId, now);
}
