import { type ecommerceTransaction } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { withContext } from '../../values/platform-json.js';
import { objectsIn, textOf } from '../../values/platform-values.js';
import { requiredId } from '../pages.js';
import { instantOf } from '../../values/times.js';
import { amountsOf, stateOf } from './values.js';

/** Fields read by `movementsOf` and `toTransaction`. */
export const MOVEMENT_FIELDS = `
  type currencyCode
  payments {
    id createdAt updatedAt method amount state transactionId errorMessage
    refunds { id createdAt updatedAt method total state transactionId reason }
  }`;

/** The payments and refunds of an order, each with the context that its mapper needs. */
export function movementsOf(order: PlatformObject): readonly PlatformObject[] {
  const { currencyCode, moneyPrecision } = order;
  const context = { orderId: requiredId(order), currencyCode, moneyPrecision };
  return objectsIn(order['payments']).flatMap(({ refunds, ...payment }) => [
    withContext(payment, { ...context, kind: 'Payment' }),
    ...objectsIn(refunds).map((refund) =>
      withContext(refund, { ...context, kind: 'Refund', paymentMethod: payment['method'] }),
    ),
  ]);
}

/** Money received for an order, or refunded. Vendure does not know the payment provider's fees. */
export function toTransaction(movement: PlatformObject): UnifiedRecord<typeof ecommerceTransaction> {
  const isRefund = movement['kind'] === 'Refund';
  const currency = textOf(movement['currencyCode']);
  return {
    platformId: `${isRefund ? 'refund' : 'payment'}:${requiredId(movement)}`,
    platformUniqueId: textOf(movement['transactionId']),
    values: {
      amount: amountsOf(movement)(movement[isRefund ? 'total' : 'amount']),
      type: isRefund ? 'REFUND' : movement['state'] === 'Authorized' ? 'AUTHORIZATION' : 'SALE',
      paymentMethod: stateOf(movement['method'] ?? movement['paymentMethod']),
      status: statusOf(movement['state']),
      description: textOf(movement['reason']) ?? textOf(movement['errorMessage']),
      currencyId: currency,
      currencyCode: currency,
      orderId: textOf(movement['orderId']),
      createdAt: instantOf(movement['createdAt']),
      updatedAt: instantOf(movement['updatedAt']),
    },
  };
}

/** The set is open: settled and authorised ones are ACTIVE, cancelled ones ARCHIVED, and other words are kept. */
function statusOf(state: unknown): string | null {
  if (state === 'Settled' || state === 'Authorized') return 'ACTIVE';
  return state === 'Cancelled' ? 'ARCHIVED' : stateOf(state);
}
