/** Webhook events other than record changes. */
export type EventType = 'CONNECTION_CHANGED' | 'SYNC_COMPLETED' | 'WRITE_COMPLETED';

/**
 * A statement that stores events of the organisation: the rows of the query `from`, with svc_company_id, type and body.
 * Runs in the transaction of the change, so that an event exists exactly if its change does, and last in it: it blocks
 * other writers of events until the commit.
 */
export const noteEventsSql = (from: string): string => `
WITH happened AS MATERIALIZED (${from}), noted_head AS (
  INSERT INTO event_heads AS h (svc_organisation_id, position)
  SELECT $1, count(*) FROM happened HAVING count(*) > 0
  ON CONFLICT (svc_organisation_id) DO UPDATE SET position = h.position + excluded.position
  WHERE h.svc_organisation_id = $1 RETURNING h.position
)
INSERT INTO service_events (svc_organisation_id, position, svc_company_id, type, body, created_at)
SELECT $1, n.position + 1 - row_number() OVER (), e.svc_company_id, e.type, e.body, date_trunc('milliseconds', clock_timestamp())
FROM happened e, noted_head n`;
