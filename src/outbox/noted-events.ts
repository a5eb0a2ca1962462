/** What webhooks can be told of that is no change of a record. */
export type EventType = 'CONNECTION_CHANGED' | 'SYNC_COMPLETED' | 'WRITE_COMPLETED';

/**
 * A statement that notes events of the organisation: the rows of the query `from`, which have svc_company_id, type and
 * body. In the transaction of what they tell of, so that an event is there exactly when that is, and last in it: a reader who
 * notes another one waits from here to the end.
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
