import { type PlatformObject } from '../../platform.js';
import { objectsIn } from '../../values/platform-values.js';
import { difference, isNegative, isPositive, sum } from '../../values/decimals.js';
import { type Amounts } from './values.js';

/** Fields read by `paymentOf`. */
export const PAYMENT_FIELDS = 'payments { id amount state method refunds { total state } }';

/** While an order is being modified, Vendure adds all refunds to the amount due, whatever they were for. */
const CHANGING: ReadonlySet<unknown> = new Set(['Modifying', 'ArrangingAdditionalPayment']);

interface Payment {
  readonly amountDue: string | null;
  readonly paymentStatus: string | null;
}

/** The amount due of an order with this total, and its payment status. */
export function paymentOf(order: PlatformObject, amount: Amounts, total: string | null): Payment {
  const payments = objectsIn(order['payments']);
  const settled = payments.filter(isSettled);
  const refunds = settled.flatMap((payment) => objectsIn(payment['refunds'])).filter(isSettled);
  const paid = totalOf(settled.map((payment) => amount(payment['amount'])));
  const refunded = totalOf(refunds.map((refund) => amount(refund['total'])));
  const kept = difference(paid, refunded);
  const isCancelled = order['state'] === 'Cancelled';
  const due = difference(total, CHANGING.has(order['state']) ? kept : paid);
  const amountDue = isCancelled || isNegative(due) ? '0' : due;
  return { amountDue, paymentStatus: status() };

  function status(): string | null {
    if (amountDue === null || kept === null) return null;
    if (isPositive(amountDue)) {
      if (isPositive(kept)) return 'PARTIALLY_PAID';
      return payments.some(({ state }) => state === 'Authorized') ? 'AUTHORIZED' : 'PENDING';
    }
    if (isPositive(refunded)) return isPositive(kept) ? 'PARTIALLY_REFUNDED' : 'REFUNDED';
    return isCancelled && !isPositive(paid) ? 'CANCELLED' : 'PAID';
  }
}

const isSettled = ({ state }: PlatformObject): boolean => state === 'Settled';

const totalOf = (amounts: readonly (string | null)[]): string | null => amounts.reduce(sum, '0');
