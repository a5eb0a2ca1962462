import { request } from 'undici';

import type { OpenLink } from '../connect/find-link.js';
import type { TaskContext } from '../jobs/tasks.js';
import type { Category } from '../records/define.js';
import type { SyncEngine } from '../sync/engine.js';
import { runSync } from '../sync/run-sync.js';
import { startSync } from '../sync/start-sync.js';
import { INTEGRATION } from './management.js';

/**
 * Records to delete at the sandbox after the first sync, so that the demo has deleted records. The sync that finds them
 * also reads the balances changed by the demo's own entry and by the deletions.
 */
const REMOVED: Readonly<
  Partial<Record<Category, { platform: string; kinds: Record<string, number>; dataModels: string[] }>>
> = {
  ACCOUNTING: {
    platform: 'accounting',
    kinds: { Products: 1, Partners: 2 },
    dataModels: ['ACCOUNTS', 'ITEMS', 'CONTACTS', 'BANK_ACCOUNTS'],
  },
  ECOMMERCE: {
    platform: 'ecommerce',
    kinds: { orders: 2 },
    dataModels: [
      'ECOMMERCE_ORDERS',
      'ECOMMERCE_TRANSACTIONS',
      'ECOMMERCE_FULFILLMENTS',
      'ECOMMERCE_INVENTORIES',
      'ECOMMERCE_BALANCES',
    ],
  },
};

/** Deletes a few objects at the sandbox, once, and syncs again, which finds them like any other deletion. */
export async function removeSome(
  engine: SyncEngine,
  link: OpenLink,
  connection: { readonly account: string; readonly category: Category; readonly connectionId: number },
  worker: TaskContext,
): Promise<void> {
  const { account, category, connectionId } = connection;
  const removal = REMOVED[category];
  if (!removal || (await hasRemoved(engine, link, connectionId))) return;
  const { platform, kinds, dataModels } = removal;
  for (const [kind, deletes] of Object.entries(kinds)) {
    await mutate(engine, { account, platform, kind, share: 0, deletes, voids: 0, seed: 1 });
  }
  const { svcCompanyId } = link;
  const { syncSvcId } = await engine.database.sql(link.scope).transaction((transaction) =>
    startSync(transaction, {
      svcCompanyId,
      connectionId,
      syncType: 'MANUAL',
      fullSync: true,
      syncFrom: null,
      dataModels,
    }),
  );
  await runSync(engine, { organisationId: link.scope.organisationId, svcCompanyId, syncSvcId }, worker);
}

async function hasRemoved(engine: SyncEngine, link: OpenLink, connectionId: number): Promise<boolean> {
  const found = await engine.database.client(link.scope).recordChange.findFirst({
    where: {
      svcCompanyId: BigInt(link.svcCompanyId),
      connectionId: BigInt(connectionId),
      operation: 'DELETE',
    },
  });
  return found !== null;
}

async function mutate(engine: SyncEngine, body: object): Promise<void> {
  const response = await request(`${engine.urls[INTEGRATION]}/_sandbox/mutate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.body.text();
  if (response.statusCode !== 200)
    throw new Error(`the sandbox did not delete anything: ${text.slice(0, 300)}`);
}
