import type { TenantSql } from '../../db/tenant-sql.js';
import { OPEN_STATES } from '../../sync/engine.js';

/** Connections of one company. */
export interface WhichConnections {
  readonly svcCompanyId: number;
  readonly connectionIds: readonly number[];
}

/**
 * Ends the runs of some connections that are not over, in the transaction given: whoever works on one may store no more,
 * and the one that waits for a worker never begins.
 */
export async function endOpenSyncs(
  transaction: TenantSql,
  { svcCompanyId, connectionIds }: WhichConnections,
  reason: { readonly code: string; readonly message: string },
): Promise<void> {
  const query = transaction.query();
  const code = query.bind(reason.code);
  const message = query.bind(reason.message);
  const company = query.bind(svcCompanyId);
  await transaction.rows(
    query,
    `WITH ended AS (
       UPDATE syncs t SET state = 'FAILED', fence = t.fence + 1, resume_at = NULL, ended_at = now(),
         svc_updated_at = now(), error_code = ${code}, error_message = ${message}
       WHERE ${query.within('t')} AND t.svc_company_id = ${company}
         AND t.connection_id = ANY(${query.bind(connectionIds)}::bigint[])
         AND t.state = ANY(${query.bind(OPEN_STATES)}::text[])
       RETURNING t.svc_id
     )
     UPDATE sync_jobs j SET state = 'FAILED', ended_at = now(), svc_updated_at = now(), error_code = ${code},
       error_message = ${message}
     FROM ended WHERE ${query.within('j')} AND j.svc_company_id = ${company} AND j.sync_svc_id = ended.svc_id
       AND j.state IN ('CREATED', 'RUNNING')`,
  );
}
