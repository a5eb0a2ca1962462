import { type payment } from '../../../../records/index.js';
import { type PAYMENT_METHODS, type PAYMENT_STATUSES } from '../../../../records/value-sets.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedRecord } from '../../../pull.js';
import { currencyCodeOf, objectOf, textOf } from '../../../values/platform-values.js';
import { instantOfSeconds } from '../../../values/times.js';
import { idOf } from './id.js';
import { amountOf } from './minor-units.js';

const STATUSES: ReadonlyMap<unknown, (typeof PAYMENT_STATUSES)[number]> = new Map([
  ['created', 'CREATED'],
  ['attempted', 'ATTEMPTED'],
  ['succeeded', 'PAID'],
  ['failed', 'FAILED'],
]);

const METHODS: ReadonlyMap<unknown, (typeof PAYMENT_METHODS)[number]> = new Map([
  ['card', 'CARD'],
  ['wallet', 'WALLET'],
  ['upi', 'UPI'],
  ['emi', 'EMI'],
  ['netbanking', 'NET_BANKING'],
]);

/** An attempt to pay an invoice or an order, and its result. */
export function toPayment(object: PlatformObject): UnifiedRecord<typeof payment> {
  const currency = currencyCodeOf(object['currency']);
  return {
    platformId: idOf(object),
    values: {
      amount: amountOf(object['amount'], currency),
      currencyId: currency,
      currencyCode: currency,
      customerId: textOf(object['customer']),
      description: textOf(object['description']),
      invoiceId: textOf(object['invoice']),
      orderId: textOf(object['order']),
      paymentMethod: METHODS.get(objectOf(object['method'])?.['type']) ?? null,
      status: STATUSES.get(object['status']) ?? null,
      createdAt: instantOfSeconds(object['created']),
    },
  };
}
