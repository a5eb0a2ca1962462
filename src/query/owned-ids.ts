import type { TenantQuery } from '../db/tenant-sql.js';

/** Names what belongs to a company. */
export interface OwnedId {
  readonly svcCompanyId: number;
  readonly svcId: number;
}

/** The id as a key of loaders and maps. */
export const ownedKey = ({ svcCompanyId, svcId }: OwnedId): string => `${svcCompanyId}:${svcId}`;

/** The id that `ownedKey` has made a key of. */
export function ownedIdOf(key: string): OwnedId {
  const [svcCompanyId = 0, svcId = 0] = key.split(':').map(Number);
  return { svcCompanyId, svcId };
}

/**
 * Condition that rows `t` have these ids in a column, each with its company, as the indexes of such tables begin with
 * the company.
 */
export function ofOwnedIds(query: TenantQuery, column: string, owned: readonly OwnedId[]): string {
  const companies = query.bind(owned.map(({ svcCompanyId }) => svcCompanyId));
  const svcIds = query.bind(owned.map(({ svcId }) => svcId));
  // No other condition on companies: the planner would read all their rows and discard them.
  return `(t.svc_company_id, t.${column}) IN (SELECT * FROM unnest(${companies}::bigint[], ${svcIds}::bigint[]))`;
}
