import type { TenantSql } from '../db/tenant-sql.js';
import { retryRun } from '../runs/retry.js';

/** Lets a sync that was given up continue from its last checkpoint; see `retryRun`. */
export async function retrySync(sql: TenantSql, syncId: string): Promise<void> {
  await sql.transaction(async (transaction) => {
    const { svcCompanyId, svcId } = await retryRun(transaction, 'sync', syncId);
    const query = transaction.query();
    await transaction.rows(
      query,
      `UPDATE syncs t SET error_code = NULL, error_message = NULL
       WHERE ${query.rowsOf(svcCompanyId, 'svc_id', svcId)}`,
    );
  });
}
