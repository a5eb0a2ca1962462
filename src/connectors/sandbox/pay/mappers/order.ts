import { type paymentOrder } from '../../../../records/index.js';
import { type PAYMENT_ORDER_STATUSES } from '../../../../records/value-sets.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedRecord } from '../../../pull.js';
import { currencyCodeOf, textOf } from '../../../values/platform-values.js';
import { instantOfSeconds } from '../../../values/times.js';
import { idOf } from './id.js';
import { amountOf } from './minor-units.js';

const STATUSES: ReadonlyMap<unknown, (typeof PAYMENT_ORDER_STATUSES)[number]> = new Map([
  ['created', 'CREATED'],
  ['attempted', 'ATTEMPTED'],
  ['paid', 'PAID'],
  ['canceled', 'CANCELLED'],
]);

/** An order with a single amount. */
export function toOrder(object: PlatformObject): UnifiedRecord<typeof paymentOrder> {
  const currency = currencyCodeOf(object['currency']);
  return {
    platformId: idOf(object),
    values: {
      reference: textOf(object['reference']),
      amount: amountOf(object['amount'], currency),
      amountDue: amountOf(object['amount_due'], currency),
      status: STATUSES.get(object['status']) ?? null,
      currencyId: currency,
      currencyCode: currency,
      createdAt: instantOfSeconds(object['created']),
    },
  };
}
