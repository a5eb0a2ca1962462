import type { TenantSql } from '../db/tenant-sql.js';
import { retryRun } from '../runs/retry.js';

/**
 * Lets an upload that was given up continue with its open items; see `retryRun`. Its idempotency key returns the
 * upload, and so the new result.
 */
export async function retryUpload(sql: TenantSql, uploadId: string): Promise<void> {
  await sql.transaction(async (transaction) => {
    const { svcCompanyId, svcId } = await retryRun(transaction, 'upload', uploadId);
    const query = transaction.query();
    await transaction.rows(
      query,
      `UPDATE upload_items t SET error_code = NULL, error_message = NULL, error_path = NULL, svc_updated_at = now()
       WHERE ${query.rowsOf(svcCompanyId, 'upload_svc_id', svcId)} AND t.ended_at IS NULL`,
    );
  });
}
