import { type paymentRefund } from '../../../../records/index.js';
import { type PAYMENT_REFUND_STATUSES } from '../../../../records/value-sets.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedRecord } from '../../../pull.js';
import { currencyCodeOf, textOf } from '../../../values/platform-values.js';
import { instantOfSeconds } from '../../../values/times.js';
import { idOf } from './id.js';
import { amountOf } from './minor-units.js';

const STATUSES: ReadonlyMap<unknown, (typeof PAYMENT_REFUND_STATUSES)[number]> = new Map([
  ['pending', 'PENDING'],
  ['succeeded', 'SUCCESS'],
  ['failed', 'FAILED'],
]);

/** A full or partial refund of a payment. */
export function toRefund(object: PlatformObject): UnifiedRecord<typeof paymentRefund> {
  const currency = currencyCodeOf(object['currency']);
  return {
    platformId: idOf(object),
    values: {
      amount: amountOf(object['amount'], currency),
      currencyId: currency,
      currencyCode: currency,
      description: textOf(object['description']),
      status: STATUSES.get(object['status']) ?? null,
      paymentId: textOf(object['payment']),
      createdAt: instantOfSeconds(object['created']),
    },
  };
}
