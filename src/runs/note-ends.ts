import type { TenantSql } from '../db/tenant-sql.js';
import { type EventType, noteEventsSql } from '../outbox/noted-events.js';
import type { RunKind } from './lease.js';
import type { OwnedId } from '../query/owned-ids.js';

const READ: EventType = 'SYNC_COMPLETED';
const WRITTEN: EventType = 'WRITE_COMPLETED';

/**
 * Events of the runs `t`, as webhooks receive them. A write whose caller has left with its id is read as a sync, too
 * (Reference G12). The platform may have an item that neither succeeded nor failed.
 */
const ENDS: Readonly<Record<RunKind, (which: string) => string>> = {
  sync: (which) => `
    SELECT t.svc_company_id, '${READ}' AS type, jsonb_build_object('integration_type', t.integration_type,
      'sync_id', t.sync_id, 'status', CASE t.state WHEN 'SUCCESS' THEN 'SUCCESS' ELSE 'FAILED' END,
      'succeeded', COALESCE(j.succeeded, '[]'), 'failed', COALESCE(j.failed, '[]')) AS body
    FROM syncs t LEFT JOIN LATERAL (
      SELECT jsonb_agg(j.data_model ORDER BY j.position) FILTER (WHERE j.state = 'SUCCESS') AS succeeded,
        jsonb_agg(j.data_model ORDER BY j.position) FILTER (WHERE j.state <> 'SUCCESS') AS failed
      FROM sync_jobs j WHERE j.svc_organisation_id = $1 AND j.svc_company_id = t.svc_company_id
        AND j.sync_svc_id = t.svc_id) j ON true
    WHERE ${which}`,
  upload: (which) => `
    SELECT t.svc_company_id, e.type, jsonb_build_object('integration_type', t.integration_type) || CASE e.type
      WHEN '${READ}' THEN jsonb_build_object('sync_id', t.upload_id,
        'status', CASE t.state WHEN 'SUCCESS' THEN 'SUCCESS' ELSE 'FAILED' END,
        'succeeded', CASE t.state WHEN 'SUCCESS' THEN jsonb_build_array(t.data_model) ELSE '[]' END,
        'failed', CASE t.state WHEN 'SUCCESS' THEN '[]' ELSE jsonb_build_array(t.data_model) END)
      ELSE jsonb_build_object('upload_id', t.upload_id, 'data_model', t.data_model, 'operation', t.operation,
        'status', t.state, 'succeeded', i.succeeded, 'failed', i.failed, 'uncertain', i.total - i.succeeded - i.failed) END AS body
    FROM uploads t CROSS JOIN LATERAL (
      SELECT count(*) AS total, count(*) FILTER (WHERE i.state = 'SUCCESS') AS succeeded,
        count(*) FILTER (WHERE i.state = 'FAILED') AS failed FROM upload_items i
      WHERE i.svc_organisation_id = $1 AND i.svc_company_id = t.svc_company_id AND i.upload_svc_id = t.svc_id) i
    JOIN (VALUES ('${WRITTEN}'), ('${READ}')) AS e (type)
      ON e.type = '${WRITTEN}' OR t.answer_by <= clock_timestamp()
    WHERE ${which}`,
};

/** Stores the end and the result of a company's runs as events, in the given transaction, near its end. */
export async function noteEnds(
  transaction: TenantSql,
  kind: RunKind,
  runs: readonly OwnedId[],
): Promise<void> {
  if (runs.length === 0) return;
  const query = transaction.query();
  const companies = query.bind([...new Set(runs.map(({ svcCompanyId }) => svcCompanyId))]);
  const svcIds = query.bind(runs.map(({ svcId }) => svcId));
  const which = `${query.within('t')} AND t.svc_company_id = ANY(${companies}::bigint[])
    AND t.svc_id = ANY(${svcIds}::bigint[]) ORDER BY t.svc_id`;
  await transaction.rows(query, noteEventsSql(ENDS[kind](which)));
}
