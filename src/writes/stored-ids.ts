import type { TenantQuery } from '../db/tenant-sql.js';

interface Where {
  readonly svcCompanyId: number;
  readonly connectionId: number;
}

/**
 * A sub-select of the `svc_id` and `platform_id` of the stored records that have these platform ids; nothing of it depends
 * on the statement around it, so that a cluster can look them up where they are.
 */
export const storedIdsSql = (
  query: TenantQuery,
  table: string,
  { svcCompanyId, connectionId }: Where,
  platformIds: readonly string[],
): string =>
  `SELECT s.svc_id, s.platform_id FROM ${table} s WHERE ${query.within('s')}
     AND s.svc_company_id = ${query.bind(svcCompanyId)} AND s.connection_id = ${query.bind(connectionId)}
     AND s.platform_id = ANY(${query.bind(platformIds)}::text[])`;
