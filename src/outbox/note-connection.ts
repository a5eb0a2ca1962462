import type { TenantSql } from '../db/tenant-sql.js';
import { type EventType, noteEventsSql } from './noted-events.js';

const TYPE: EventType = 'CONNECTION_CHANGED';

/** A connection whose status changed; `before` is null for a new one. */
interface ChangedConnection {
  readonly svcCompanyId: number;
  readonly connectionId: number;
  readonly before: string | null;
}

/** Notes the status that a connection has now, unless it had it before; last in the transaction that changed it. */
export async function noteConnection(transaction: TenantSql, changed: ChangedConnection): Promise<void> {
  const query = transaction.query();
  const before = `${query.bind(changed.before)}::text`;
  await transaction.rows(
    query,
    noteEventsSql(`
      SELECT t.svc_company_id, '${TYPE}' AS type, jsonb_build_object('integration_type', t.integration_type,
        'connection_id', t.svc_id, 'status', t.status, 'previous_status', ${before}) AS body
      FROM connections t WHERE ${query.rowsOf(changed.svcCompanyId, 'svc_id', changed.connectionId)}
        AND t.status IS DISTINCT FROM ${before}`),
  );
}
