import { Decimal } from 'decimal.js';

import { type AccountLine, type ItemLine, type Line, type TradeDocument } from './domain.js';

export const ZERO = new Decimal(0);

export const sumOf = (amounts: readonly Decimal[]): Decimal =>
  amounts.reduce((sum, amount) => sum.plus(amount), ZERO);

/** What is traded, those in groups too. */
export function tradedLines(lines: readonly Line[]): readonly (ItemLine | AccountLine)[] {
  return lines.flatMap((line): readonly (ItemLine | AccountLine)[] => {
    if (line.kind === 'group') return line.lines;
    return line.kind === 'item' || line.kind === 'account' ? [line] : [];
  });
}

export function subTotalOf({ lines }: Pick<TradeDocument, 'lines'>): Decimal {
  const shipping = lines.flatMap((line) => (line.kind === 'shipping' ? [line.amount] : []));
  return sumOf([...tradedLines(lines).map(({ amount }) => amount), ...shipping]);
}

export const discountOf = ({ lines }: Pick<TradeDocument, 'lines'>): Decimal =>
  sumOf(lines.flatMap((line) => (line.kind === 'discount' ? [line.amount] : [])));

export const taxOf = ({ tax }: Pick<TradeDocument, 'tax'>): Decimal => sumOf(tax.map(({ amount }) => amount));

export function totalOf(document: Pick<TradeDocument, 'lines' | 'tax'>): Decimal {
  return subTotalOf(document).minus(discountOf(document)).plus(taxOf(document));
}

/** Nothing of a receipt is open. */
export const balanceOf = (document: TradeDocument): Decimal =>
  document.receipt ? ZERO : totalOf(document).minus(document.settled);
