import type { TenantQuery } from '../db/tenant-sql.js';

/** Names what belongs to a company. */
export interface OwnedId {
  readonly svcCompanyId: number;
  readonly svcId: number;
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
