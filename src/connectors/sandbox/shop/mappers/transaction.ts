import { type ecommerceTransaction } from '../../../../records/index.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedRecord } from '../../../pull.js';
import { textOf } from '../../../values/platform-values.js';
import { instantOf } from '../../../values/times.js';
import { numberOf } from '../../../values/gid.js';
import { gidOf } from '../gid.js';
import { amountOf, currencyOf, totalOf } from './money.js';
import { wordOf } from './words.js';

/** Money received for an order, or refunded. */
export function toTransaction(object: PlatformObject): UnifiedRecord<typeof ecommerceTransaction> {
  const currency = currencyOf(object['amount_set']);
  return {
    ...gidOf(object),
    values: {
      amount: amountOf(object['amount_set']),
      fee: totalOf(object['fees'], 'amount_set'),
      type: wordOf(object['kind']),
      paymentMethod: wordOf(object['gateway']),
      status: statusOf(object['status']),
      description: textOf(object['message']),
      currencyId: currency,
      currencyCode: currency,
      orderId: numberOf(object['order_id']),
      createdAt: instantOf(object['created_at']),
      updatedAt: instantOf(object['updated_at']),
    },
  };
}

/** The set is open: successful ones are ACTIVE, voided ones ARCHIVED, and other words are kept. */
function statusOf(status: unknown): string | null {
  if (status === 'success') return 'ACTIVE';
  return status === 'voided' ? 'ARCHIVED' : wordOf(status);
}
