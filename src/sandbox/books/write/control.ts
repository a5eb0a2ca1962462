import { Decimal } from 'decimal.js';
import { shareOf, totalInBase } from '../../postings.js';
import type { BooksDocument, BooksLine, Settlement } from '../objects.js';
import { moneyOf } from '../values.js';

export const BASE_CURRENCY = 'AUD';

/** Lines and rate of a document, for posting. */
export const postedOf = ({ Lines, ExchangeRate }: BooksDocument) => ({
  lines: Lines.map(({ AccountNumber, LineTotal, Discount, Tax }: BooksLine) => ({
    account: AccountNumber,
    net: new Decimal(LineTotal.Amount).minus(Discount.Amount),
    tax: Tax.Amount,
  })),
  rate: ExchangeRate,
});

/** The amount that settlements took off the control account; null for documents without settlements. */
export const settledInBase = ({ Settlements }: BooksDocument): Decimal | null =>
  Settlements?.reduce((sum, { InBase }) => sum.plus(InBase.Amount), new Decimal(0)) ?? null;

/** The amount of a document that one object settles, in the base currency; null if it settles none. */
export function settledBy(document: BooksDocument, by: string): Decimal | null {
  const settlement = document.Settlements?.find(({ By }) => By === by);
  return settlement ? new Decimal(settlement.InBase.Amount) : null;
}

interface Settling {
  readonly by: string;
  /** A negative amount gives back. */
  readonly amount: Decimal;
  /** The unsettled amount of the document before. */
  readonly left: Decimal;
}

/**
 * A document's settlements after one more. A settlement takes its share of what is left in the base currency, and one
 * that is given back takes its share along.
 */
export function withSettlement(
  document: BooksDocument,
  { by, amount, left }: Settling,
): readonly Settlement[] | undefined {
  const { Settlements: all, Currency } = document;
  const settled = settledInBase(document);
  if (!all || !settled) return undefined;
  const place = all.findIndex(({ By }) => By === by);
  // More than is left, or was settled, is refused.
  if (amount.greaterThan(left) || (place < 0 && amount.isNegative())) return all;
  const known = { amount: all[place]?.Amount.Amount ?? 0, inBase: all[place]?.InBase.Amount ?? 0 };
  const before = { amount: new Decimal(known.amount), inBase: new Decimal(known.inBase) };
  const open = { amount: left, inBase: totalInBase(postedOf(document)).minus(settled) };
  const share = amount.isNegative() ? shareOf(before, amount.negated()).negated() : shareOf(open, amount);
  const settlement: Settlement = {
    By: by,
    Amount: moneyOf(before.amount.plus(amount), Currency),
    InBase: moneyOf(before.inBase.plus(share), BASE_CURRENCY),
  };
  if (before.amount.plus(amount).isZero()) return all.toSpliced(place, 1);
  return place < 0 ? [...all, settlement] : all.with(place, settlement);
}
