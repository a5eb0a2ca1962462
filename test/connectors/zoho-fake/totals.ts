import { Decimal } from 'decimal.js';

import { type Line, type Payment, type TradeDocument } from './domain.js';

export interface LineTotals {
  readonly net: Decimal;
  readonly tax: Decimal;
  readonly gross: Decimal;
}

const cents = (value: Decimal): Decimal => value.toDecimalPlaces(2, Decimal.ROUND_HALF_UP);

/** The amounts of a line. Zoho computes a tax of a document that has a discount as a whole after it. */
export function lineTotals(line: Line, document: TradeDocument): LineTotals {
  const amount = cents(line.quantity.times(line.price).minus(line.discount));
  const rate = (line.tax?.rate ?? new Decimal(0)).div(100);
  if (document.isInclusive) {
    const net = cents(amount.div(rate.plus(1)));
    return { net, tax: amount.minus(net), gross: amount };
  }
  const before = document.lines.reduce(
    (total, one) => total.plus(cents(one.quantity.times(one.price).minus(one.discount))),
    new Decimal(0),
  );
  const part = before.isZero() ? new Decimal(1) : before.minus(document.discount).div(before);
  const tax = cents(amount.times(part).times(rate));
  return { net: amount, tax, gross: amount.plus(tax) };
}

export interface Totals {
  readonly net: Decimal;
  readonly tax: Decimal;
  readonly total: Decimal;
  readonly open: Decimal;
}

export function totalsOf(document: TradeDocument): Totals {
  const lines = document.lines.map((line) => lineTotals(line, document));
  const net = Decimal.sum(0, ...lines.map((line) => line.net));
  const tax = Decimal.sum(0, ...lines.map((line) => line.tax));
  const total = net.plus(tax).minus(document.discount).plus(document.shipping).plus(document.adjustment);
  return { net, tax, total, open: total.minus(document.settled) };
}

/** What is left of a payment. */
export const leftOf = ({ amount, applied }: Payment): Decimal =>
  amount.minus(Decimal.sum(0, ...applied.map((one) => one.amount)));
