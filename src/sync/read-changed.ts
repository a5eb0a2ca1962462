import type { ChangedObjects } from '../connectors/hooks.js';
import type { Database } from '../db/database.js';
import type { Scope } from '../db/scope.js';
import type { TenantSql } from '../db/tenant-sql.js';
import type { ConnectionKey } from '../platforms/budget.js';
import type { Category } from '../records/define.js';
import { wantSync } from './start-sync.js';
import { readSyncSettings } from './sync-config.js';

/**
 * Queues a sync that reads changes at a platform, of the record types that the company syncs. On return it is stored;
 * at most one waits per connection. Returns whether it is: false if the company syncs none of the types, or the
 * connection cannot be read.
 */
export async function readChanged(
  database: Database,
  scope: Scope,
  { category, ...connection }: ConnectionKey & { readonly category: Category },
  reported: ChangedObjects,
): Promise<boolean> {
  const settings = await readSyncSettings(database.client(scope), connection.svcCompanyId, category);
  const enabled = new Set(settings.filter((one) => one.enabled).map(({ dataModel }) => dataModel));
  const changes = new Map([...reported].filter(([dataModel]) => enabled.has(dataModel)));
  if (changes.size === 0) return false;
  return database.sql(scope).transaction(async (transaction) => {
    const isHealthy = await holdHealthy(transaction, connection);
    if (isHealthy) await wantSync(transaction, { ...connection, changes });
    return isHealthy;
  });
}

/** Locks others out until the transaction ends, as changes may be reported concurrently. */
async function holdHealthy(
  transaction: TenantSql,
  { svcCompanyId, connectionId }: ConnectionKey,
): Promise<boolean> {
  const query = transaction.query();
  const rows = await transaction.rows(
    query,
    `SELECT 1 FROM connections t WHERE ${query.rowsOf(svcCompanyId, 'svc_id', connectionId)}
     AND t.status = 'HEALTHY' FOR NO KEY UPDATE`,
  );
  return rows.length > 0;
}
