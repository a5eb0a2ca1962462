import { Decimal } from 'decimal.js';

import { type Line, type TradeDocument } from './domain.js';

const sumOf = (amounts: readonly Decimal[]): Decimal =>
  amounts.reduce((total, amount) => total.plus(amount), new Decimal(0));

export const subTotalOf = ({ lines }: TradeDocument): Decimal => sumOf(lines.map(({ net }) => net));
export const taxOf = ({ lines }: TradeDocument): Decimal => sumOf(lines.map(({ tax }) => tax));
export const totalOf = (document: TradeDocument): Decimal => subTotalOf(document).plus(taxOf(document));

/** What is still owed; of a credit note, what is left of it. Nobody owes what was given up. */
export function remainderOf(document: TradeDocument): Decimal {
  if (document.status === 'VOIDED' || document.status === 'DELETED') return new Decimal(0);
  return totalOf(document).minus(document.paid).minus(document.credited);
}

export function discountOf({ discount, quantity, unitPrice }: Line): Decimal | null {
  if (!discount) return null;
  return 'amount' in discount
    ? discount.amount
    : quantity.times(unitPrice).times(discount.rate).dividedBy(100);
}

/** Null where nothing was taken off any line. */
export function totalDiscountOf({ lines }: TradeDocument): Decimal | null {
  const discounts = lines.map(discountOf).filter((discount) => discount !== null);
  return discounts.length === 0 ? null : sumOf(discounts).toDecimalPlaces(2);
}
