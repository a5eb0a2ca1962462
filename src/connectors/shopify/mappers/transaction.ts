import { type ecommerceTransaction } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { sum } from '../../values/decimals.js';
import { decimalOf, objectOf, objectsIn, textOf } from '../../values/platform-values.js';
import { instantOf } from '../../values/times.js';
import { idsOf, moneyOf } from './values.js';

/** Fields read by `toTransaction`. */
export const TRANSACTION_FIELDS = `
  id kind status gateway errorCode createdAt
  amountSet { shopMoney { amount currencyCode } }
  fees { amount { amount currencyCode } }
  paymentDetails { __typename }`;

/**
 * Money that was received for an order, refunded, or only authorised; null for what Shopify merely suggests to refund.
 * `orderId` and `updatedAt` are its order's: a transaction has no time of change of its own.
 */
export function toTransaction(movement: PlatformObject): UnifiedRecord<typeof ecommerceTransaction> | null {
  if (movement['kind'] === 'SUGGESTED_REFUND') return null;
  const currency = textOf(objectOf(objectOf(movement['amountSet'])?.['shopMoney'])?.['currencyCode']);
  return {
    ...idsOf(movement),
    values: {
      amount: moneyOf(movement['amountSet']),
      fee: feeOf(movement, currency),
      type: textOf(movement['kind']),
      paymentMethod: methodOf(movement),
      status: movement['status'] === 'SUCCESS' ? 'ACTIVE' : textOf(movement['status']),
      description: textOf(movement['errorCode']),
      currencyId: currency,
      currencyCode: currency,
      orderId: textOf(movement['orderId']),
      createdAt: instantOf(movement['createdAt']),
      updatedAt: instantOf(movement['updatedAt']),
    },
  };
}

/** The fees of Shopify Payments, the only ones that Shopify knows; null in another currency than the amount. */
function feeOf({ fees }: PlatformObject, currency: string | null): string | null {
  return objectsIn(fees).reduce<string | null>((total, fee) => {
    const amount = objectOf(fee['amount']);
    return sum(total, amount?.['currencyCode'] === currency ? decimalOf(amount?.['amount']) : null);
  }, '0');
}

/** `shopify_payments` becomes `SHOPIFY_PAYMENTS`, and whatever a card paid `CREDIT_CARD`. */
function methodOf({ paymentDetails, gateway }: PlatformObject): string | null {
  if (objectOf(paymentDetails)?.['__typename'] === 'CardPaymentDetails') return 'CREDIT_CARD';
  return textOf(gateway)?.toUpperCase() ?? null;
}
