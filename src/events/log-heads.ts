import type { TenantSql } from '../db/tenant-sql.js';

/** The type of the webhooks that are told of records; their log is the one of changes. */
export const OF_RECORDS = 'DATA_MODEL_CHANGES';

/** The last position of the log that webhooks of this type are told from. */
export async function readHead(sql: TenantSql, type: string): Promise<number> {
  const table = type === OF_RECORDS ? 'change_heads' : 'event_heads';
  const [row] = await sql.rows<{ position: number }>(
    sql.query(),
    `SELECT h.position FROM ${table} h WHERE h.svc_organisation_id = $1`,
  );
  return row?.position ?? 0;
}
