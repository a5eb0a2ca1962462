import type { Context } from '../../context.js';
import type { TenantQuery, TenantSql } from '../../db/tenant-sql.js';
import type { CountedConnection } from '../../query/pages/connection.js';
import { listBySvcId, svcIdList, type SvcIdListArguments } from '../../query/pages/svc-id-list.js';

/** An audited action on keys, secrets, links or companies. */
export interface ListedAuditEvent {
  readonly svcId: number;
  readonly eventType: string;
  readonly keyId: string | null;
  readonly svcCompanyId: number | null;
  readonly subject: string;
  readonly svcCreatedAt: string;
}

export type AuditEventConnection = CountedConnection<ListedAuditEvent>;

const COLUMNS = `t.svc_id AS "svcId", t.event_type AS "eventType", t.key_id AS "keyId",
  t.svc_company_id AS "svcCompanyId", t.subject, t.svc_created_at AS "svcCreatedAt"`;

const read = (sql: TenantSql, query: TenantQuery, rest: string): Promise<ListedAuditEvent[]> =>
  sql.rows<ListedAuditEvent>(query, `SELECT ${COLUMNS} FROM audit_events t WHERE ${rest}`);

/** The audit trail of the scope, latest first. */
export function listAuditEvents(
  { sql, limits }: Context,
  args: SvcIdListArguments,
): Promise<AuditEventConnection> {
  return listBySvcId(sql, { ...svcIdList('audit_events', 'DESC'), read }, args, { limits });
}

/** Events by their svc_ids. */
export function listAuditEventsById(
  { sql }: Context,
  svcIds: readonly number[],
): Promise<ListedAuditEvent[]> {
  const query = sql.query();
  return read(sql, query, `${query.within('t')} AND t.svc_id = ANY(${query.bind(svcIds)}::bigint[])`);
}
