import type { Context } from '../../context.js';
import { pageOfAll } from '../../query/pages/complete-list.js';
import type { PageArguments } from '../../query/pages/page.js';
import { referenceKey } from '../../query/references.js';
import { freshness, type ListNeed, type RecordConnection } from './list-records.js';

/** The records that a record names in a list of platform ids. */
interface Referenced {
  readonly svcCompanyId: number;
  readonly connectionId: number;
  readonly platformIds: readonly string[];
  /** `Invoice.salesOrders`: cursors of one list do not fit another. */
  readonly list: string;
}

/**
 * A page of them in the order of the ids: excludes those not synced yet, includes deleted ones. All records of one
 * query part share a statement.
 */
export async function listReferenced(
  context: Context,
  need: ListNeed,
  args: PageArguments,
  { svcCompanyId, connectionId, platformIds, list }: Referenced,
): Promise<RecordConnection> {
  const loader = context.loaders.reference(need);
  const [found, lastSyncedAt] = await Promise.all([
    Promise.all(platformIds.map((id) => loader.load(referenceKey(svcCompanyId, connectionId, id)))),
    need.lastSyncedAt ? freshness(context, need, svcCompanyId) : null,
  ]);
  const known = found.flatMap((node, index) => (node ? [{ id: platformIds[index] ?? '', node }] : []));
  const page = pageOfAll(list, known, args, { limits: context.limits, nested: true });
  return { ...page, totalCount: known.length, lastSyncedAt, changePosition: null };
}
