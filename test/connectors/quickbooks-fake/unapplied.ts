import { type Decimal } from 'decimal.js';

import { type Payment } from './domain.js';
import { sumOf } from './totals.js';

/** What is left of a payment: credits that it applies add to it. */
export function unappliedOf({ total, applied }: Pick<Payment, 'total' | 'applied'>): Decimal {
  const isCredit = (type: string) => type === 'CreditMemo' || type === 'VendorCredit';
  const parts = applied.map(({ type, amount }) => (isCredit(type) ? amount.negated() : amount));
  return total.minus(sumOf(parts));
}
