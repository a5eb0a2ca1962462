import { randomBytes } from 'node:crypto';
import { endUnchosen } from '../../connect/granted-access.js';
import { databaseTime } from '../../db/clock.js';
import type { Context } from '../../context.js';
import type { TenantClient } from '../../db/tenant-client.js';
import { differs } from '../../db/differs.js';
import { AppError, invalid } from '../../errors.js';
import { type SentSyncSetting, writeSyncSettings } from '../../sync/sync-config.js';
import { parseName, parseText } from '../../base/values.js';
import { noteActivity } from '../../platforms/activities.js';
import { noteEvent } from '../audit/note-event.js';
import { createCompany } from '../companies/companies.js';
import type { OwnedId } from '../../query/owned-ids.js';
import { inTransaction } from '../../db/in-transaction.js';
import { type ListedInviteLink, presentInviteLink } from './invite-links.js';
import { parsePlatformChoice, type PlatformChoice } from '../integrations/platform-choice.js';
import { requireCompany } from '../companies/require-company.js';
import { requireScope, requireWholeOrganisation } from '../keys/require-scope.js';
import { parseCompanySettings } from '../syncs/sync-settings.js';

interface LinkSettings {
  readonly companyName?: string | null | undefined;
  readonly integrations?: readonly string[] | null | undefined;
  readonly integrationCategories?: readonly string[] | null | undefined;
  /** ISO 8601. */
  readonly expiresAt?: string | null | undefined;
  readonly syncConfig?: readonly SentSyncSetting[] | null | undefined;
}

interface NewInviteLink extends LinkSettings {
  /** The link's company; absent: a new one named `companyName`. */
  readonly companyId?: number | null | undefined;
}

const ID_BYTES = 16;
const LIFE_MS = 30 * 24 * 3_600_000;

/** Creates a link and, if none is named, its company. Throws `invalid-params`, `missing-params`, `not-found`. */
export async function createInviteLink(context: Context, input: NewInviteLink): Promise<ListedInviteLink> {
  requireScope(context, 'write', 'make invite links');
  const choice = parsePlatformChoice(input.integrations ?? null, input.integrationCategories ?? null);
  const settings = parseCompanySettings(input.syncConfig);
  const expiresAt = parseExpiry(input.expiresAt) ?? new Date(databaseTime().getTime() + LIFE_MS);
  const name = parseNewName(context, input);
  const { organisationId } = context.sql.scope;
  return inTransaction(context.client, async (transaction) => {
    const companyId =
      name === null
        ? await writeExisting(transaction, organisationId, input.companyId ?? 0, settings)
        : await createCompany(transaction, organisationId, { name, settings });
    const link = presentInviteLink(
      await insertInviteLink(transaction, { organisationId, companyId }, { ...choice, expiresAt }),
    );
    const { keyId } = context.principal;
    const event = { organisationId, companyId, keyId, subject: String(link.svcId) };
    await noteEvent(transaction, { ...event, eventType: 'LINK_MADE' });
    return link;
  });
}

interface LinkOptions extends PlatformChoice {
  /** Null: never. */
  readonly expiresAt: Date | null;
  /** Absent: an unguessable one, since its holder can connect. */
  readonly inviteLinkId?: string;
}

/** Creates a company's link in the given transaction. */
export async function insertInviteLink(
  transaction: TenantClient,
  company: { readonly organisationId: number; readonly companyId: number },
  { integrations, integrationCategories, expiresAt, inviteLinkId = randomLinkId() }: LinkOptions,
) {
  const row = await transaction.inviteLink.create({
    data: {
      svcOrganisationId: BigInt(company.organisationId),
      svcCompanyId: BigInt(company.companyId),
      inviteLinkId,
      integrations: [...integrations],
      integrationCategories: [...integrationCategories],
      expiresAt,
    },
  });
  await noteActivity(transaction, company, 'INVITE_LINK_CREATED');
  return row;
}

const randomLinkId = () => randomBytes(ID_BYTES).toString('hex');

/** The name of the company to create; null if the company exists. */
function parseNewName(context: Context, { companyId, companyName }: NewInviteLink): string | null {
  if (companyId != null) {
    if (companyName == null) return null;
    throw invalid('companyName', 'cannot be sent for an existing company: it already has a name');
  }
  if (companyName == null) {
    const words = 'Name a new company, or send the id of an existing one';
    throw new AppError('missing-params', words, 'companyName');
  }
  requireWholeOrganisation(context, 'make companies');
  return parseName(companyName, 'companyName');
}

async function writeExisting(
  transaction: TenantClient,
  organisationId: number,
  companyId: number,
  settings: ReturnType<typeof parseCompanySettings>,
): Promise<number> {
  const { svcId } = await requireCompany(transaction, companyId, 'companyId');
  await writeSyncSettings(transaction, organisationId, svcId, settings);
  return svcId;
}

interface InviteLinkChanges extends LinkSettings {
  readonly inviteLinkId: string;
}

/** Changes a link; absent or null values stay. Throws `invalid-params`, `not-found`. */
export async function updateInviteLink(
  context: Context,
  changes: InviteLinkChanges,
): Promise<ListedInviteLink> {
  requireScope(context, 'write', 'change invite links');
  const { companyName, integrations, integrationCategories } = changes;
  const settings = parseCompanySettings(changes.syncConfig);
  const expiresAt = parseExpiry(changes.expiresAt);
  const name = companyName == null ? null : parseName(companyName, 'companyName');
  return inTransaction(context.client, async (transaction) => {
    const link = await findLiving(transaction, changes.inviteLinkId);
    const choice = parsePlatformChoice(
      integrations ?? null,
      integrationCategories ?? (integrations ? null : link.integrationCategories),
      link.integrations,
    );
    const { organisationId } = context.sql.scope;
    await writeSyncSettings(transaction, organisationId, Number(link.svcCompanyId), settings);
    const data = {
      integrations: [...choice.integrations],
      integrationCategories: [...choice.integrationCategories],
      ...(expiresAt === null ? {} : { expiresAt }),
    };
    const [row] = differs(link, data)
      ? await transaction.inviteLink.updateManyAndReturn({
          where: { svcCompanyId: link.svcCompanyId, svcId: link.svcId, revokedAt: null },
          data: { ...data, svcUpdatedAt: databaseTime() },
        })
      : [link];
    // Another request has ended it meanwhile, or deleted its company.
    if (!row) throw noSuchLink();
    if (name !== null) {
      // After the link, as when it is used to connect, to avoid deadlocks.
      const where = { svcId: link.svcCompanyId, NOT: { name } };
      await transaction.company.updateMany({ where, data: { name, svcUpdatedAt: databaseTime() } });
    }
    return presentInviteLink(row);
  });
}

/** Revokes a link, and ends accesses given with it whose accounts were not chosen yet. Its company stays. Throws `not-found`. */
export async function revokeInviteLink(context: Context, inviteLinkId: string): Promise<OwnedId> {
  requireScope(context, 'write', 'end invite links');
  const now = databaseTime();
  const [link] = await context.client.inviteLink.updateManyAndReturn({
    where: { inviteLinkId: parseText(inviteLinkId, 'inviteLinkId'), revokedAt: null },
    data: { revokedAt: now, svcUpdatedAt: now },
  });
  if (!link) throw noSuchLink();
  const owned = { svcCompanyId: Number(link.svcCompanyId), svcId: Number(link.svcId) };
  await endUnchosen(context, { svcCompanyId: owned.svcCompanyId, inviteLinkSvcId: owned.svcId });
  return owned;
}

async function findLiving(client: TenantClient, id: string) {
  const inviteLinkId = parseText(id, 'inviteLinkId');
  const link = await client.inviteLink.findFirst({ where: { inviteLinkId, revokedAt: null } });
  if (!link) throw noSuchLink();
  return link;
}

const noSuchLink = () => new AppError('not-found', 'there is no such invite link', 'inviteLinkId');

function parseExpiry(expiresAt: string | null | undefined): Date | null {
  if (expiresAt == null) return null;
  const time = new Date(expiresAt);
  if (time > databaseTime()) return time;
  throw invalid('expiresAt', `must be in the future, got ${time.toISOString()}`);
}
