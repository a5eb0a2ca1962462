import type { Context } from '../../context.js';
import type { InviteLinkModel } from '../../db/__generated__/models.js';
import type { TenantQuery, TenantSql } from '../../db/tenant-sql.js';
import type { CountedConnection } from '../../query/pages/connection.js';
import type { OwnedId } from '../../query/owned-ids.js';
import { listBySvcId, svcIdList, type SvcIdListArguments } from '../../query/pages/svc-id-list.js';
import { MASKED } from '../../secrets/secret-box.js';

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

export type InviteLinkConnection = CountedConnection<ListedInviteLink>;

interface InviteLinkArguments extends SvcIdListArguments {
  readonly afterSvcId?: number | null | undefined;
}

const COLUMNS = `t.svc_id AS "svcId", t.svc_company_id AS "svcCompanyId", t.invite_link_id AS "inviteLinkId",
  COALESCE(t.integrations, '{}') AS integrations,
  COALESCE(t.integration_categories, '{}') AS "integrationCategories", t.expires_at AS "expiresAt",
  t.svc_created_at AS "svcCreatedAt", t.svc_updated_at AS "svcUpdatedAt"`;

const LINKS = {
  ...svcIdList('invite_links', 'ASC'),
  read: (sql: TenantSql, query: TenantQuery, rest: string) =>
    sql.rows<ListedInviteLink>(query, `SELECT ${COLUMNS} FROM invite_links t WHERE ${rest}`),
};

/** Revoked links are hidden. */
const LIVING = { revokedAt: null };

/** The organisation's links, oldest first. */
export function listInviteLinks(context: Context, args: InviteLinkArguments): Promise<InviteLinkConnection> {
  const where = (query: TenantQuery) =>
    `t.revoked_at IS NULL AND t.svc_id > ${query.bind(args.afterSvcId ?? 0)}::bigint`;
  const read: typeof LINKS.read = async (...all) =>
    (await LINKS.read(...all)).map((link) => maskLink(context, link));
  const { sql, limits } = context;
  return listBySvcId(sql, { ...LINKS, read }, args, { limits, where });
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
  links: readonly OwnedId[],
): Promise<ListedInviteLink[]> {
  const rows = await context.client.inviteLink.findMany({
    where: { ...LIVING, svcId: { in: links.map(({ svcId }) => BigInt(svcId)) } },
  });
  return rows.map((row) => maskLink(context, presentInviteLink(row)));
}

/** The latest link of each company. */
export async function latestInviteLinks(
  context: Context,
  companyIds: readonly number[],
): Promise<Map<number, ListedInviteLink>> {
  const query = context.sql.query();
  const rows = await context.sql.rows<ListedInviteLink>(
    query,
    `SELECT l.* FROM unnest(${query.bind(companyIds)}::bigint[]) AS k (company)
     CROSS JOIN LATERAL (
       SELECT ${COLUMNS} FROM invite_links t WHERE ${query.within('t')} AND t.svc_company_id = k.company
         AND ${query.ofCompanies(companyIds)} AND t.revoked_at IS NULL ORDER BY t.svc_id DESC LIMIT 1
     ) l`,
  );
  return new Map(rows.map((link) => [link.svcCompanyId, maskLink(context, link)]));
}

/** The holder of a link can connect platforms: masked for keys that may not. */
function maskLink({ principal }: Context, link: ListedInviteLink): ListedInviteLink {
  return principal.scopes.has('write') ? link : { ...link, inviteLinkId: MASKED };
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
