import { request } from 'undici';

import type { OpenLink } from '../connect/find-link.js';
import type { TaskContext } from '../jobs/worker.js';
import type { SyncEngine } from '../sync/engine.js';
import { runSync } from '../sync/run-sync.js';
import { startSync } from '../sync/start-sync.js';
import { INTEGRATION } from './management.js';

/** How many transactions of a shop are deleted after the first sync, so that the demo has deleted records to show. */
const REMOVED = 3;

/** Deletes a few transactions at the sandbox and syncs again, so that their deletion is seen as any other. */
export async function removeSomeOrders(
  engine: SyncEngine,
  link: OpenLink,
  account: string,
  worker: TaskContext,
): Promise<void> {
  const response = await request(`${engine.urls[INTEGRATION]}/_sandbox/mutate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      account,
      platform: 'ecommerce',
      kind: 'transactions',
      share: 0,
      deletes: REMOVED,
      voids: 0,
      seed: 1,
    }),
  });
  const text = await response.body.text();
  if (response.statusCode !== 200)
    throw new Error(`the sandbox did not delete anything: ${text.slice(0, 300)}`);
  const connection = await engine.database.client(link.scope).connection.findFirstOrThrow({
    where: { svcCompanyId: BigInt(link.svcCompanyId), integrationType: INTEGRATION, category: 'ECOMMERCE' },
  });
  const { syncSvcId } = await engine.database.sql(link.scope).transaction((transaction) =>
    startSync(transaction, {
      svcCompanyId: link.svcCompanyId,
      connectionId: Number(connection.svcId),
      syncType: 'MANUAL',
      fullSync: false,
      syncFrom: null,
      dataModels: null,
    }),
  );
  const { organisationId } = link.scope;
  await runSync(engine, { organisationId, svcCompanyId: link.svcCompanyId, syncSvcId }, worker);
}
