import type { Context } from '../../context.js';
import { invalid } from '../../errors.js';
import type { Need } from '../../loaders/loaders.js';
import type { Row } from '../../query/columns.js';
import { readPage } from '../../query/list.js';
import { createOrder } from '../../query/pages/order.js';
import { parseText } from '../../base/values.js';

/** Identifies one record. */
export interface RecordArguments {
  readonly svcId?: number | null;
  readonly companyId?: number | null;
  readonly platformId?: string | null;
}

/** One record, deleted ones included; null when this organisation has no such record. */
export async function getRecord(context: Context, need: Need, args: RecordArguments): Promise<Row | null> {
  const { svcId, companyId, platformId } = args;
  if (svcId == null && (platformId == null || companyId == null)) {
    throw invalid('svcId', 'or companyId with platformId must name the record');
  }
  const filter = {
    ...(svcId == null ? {} : { svcId: { eq: svcId } }),
    ...(platformId == null ? {} : { platformId: { eq: parseText(platformId, 'platformId') } }),
  };
  const order = createOrder(need.definition, null, 1);
  const page = { size: 1, skip: 0, reversed: false, from: null, until: null };
  const request = { ...need, companyId: companyId ?? null, filter, includeDeleted: true, order, page };
  const { items } = await readPage(context.lists, request, context.limits);
  return items[0] ?? null;
}
