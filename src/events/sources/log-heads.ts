import type { TenantSql } from '../../db/tenant-sql.js';

/** The type of webhooks for records; their log is the change log. */
export const OF_RECORDS = 'DATA_MODEL_CHANGES';

/** The last position of the log for webhooks of this type. */
export async function readHead(sql: TenantSql, type: string): Promise<number> {
  const table = type === OF_RECORDS ? 'change_heads' : 'event_heads';
  const [row] = await sql.rows<{ position: number }>(
    sql.query(),
    `SELECT h.position FROM ${table} h WHERE h.svc_organisation_id = $1`,
  );
  return row?.position ?? 0;
}
