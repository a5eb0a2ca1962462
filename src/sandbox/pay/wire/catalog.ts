import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { paymentItem, paymentSubscription, paymentTaxRate } from '../../../records/index.js';
import type { PayObject } from '../objects.js';
import { currencyOf, toMinor, toUnix } from './amounts.js';
import type { IdOf } from './words.js';

/** Items and taxes keep the ids by which lines refer to them. */
export function toItem(record: UnifiedRecord): PayObject {
  const { values } = record as UnifiedRecord<typeof paymentItem>;
  const currency = currencyOf(values);
  const own = {
    updated: toUnix(values.updatedAt),
    name: values.name,
    description: values.description,
    code: values.code,
    unit_amount: toMinor(values.unitPrice, currency),
    currency,
    active: values.status === 'ACTIVE',
  };
  return { id: record.platformId, object: 'item', created: toUnix(values.createdAt), ...own, metadata: {} };
}

export function toTaxRate(record: UnifiedRecord): PayObject {
  const { values } = record as UnifiedRecord<typeof paymentTaxRate>;
  const own = {
    updated: toUnix(values.updatedAt),
    name: values.name,
    description: values.description,
    percentage: Number(values.rate),
  };
  return {
    id: record.platformId,
    object: 'tax_rate',
    created: toUnix(values.createdAt),
    ...own,
    metadata: {},
  };
}

export function toSubscription(record: UnifiedRecord, idOf: IdOf): PayObject {
  const { values } = record as UnifiedRecord<typeof paymentSubscription>;
  const own = {
    customer: values.contactId == null ? null : idOf('cus', values.contactId),
    currency: values.currencyCode?.toLowerCase() ?? null,
    description: values.description,
    status: values.status === 'ACTIVE' ? 'active' : 'cancelled',
    method: { type: values.paymentMethod?.toLowerCase() },
    current_start: toUnix(values.currentStart),
    current_end: toUnix(values.currentEnd),
    cancel_at: values.expireBy == null ? null : toUnix(values.expireBy),
  };
  const created = toUnix(values.createdAt);
  return { id: idOf('sub', record.platformId), object: 'subscription', created, ...own, metadata: {} };
}
