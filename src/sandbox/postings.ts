import { Decimal } from 'decimal.js';

/** The change of one ledger account, in the base currency: debits are positive, credits negative. */
export interface Posting {
  /** The account's number. */
  readonly account: string;
  readonly amount: Decimal;
}

/** Accounts that documents post to implicitly. */
export const CONTROL = { receivable: '1100', payable: '2100', tax: '2200', suspense: '6900' } as const;

/** A line to post, in the document's currency. */
export interface PostedLine {
  readonly account: string | null;
  /** Without tax. */
  readonly net: Decimal.Value;
  readonly tax: Decimal.Value;
}

interface PostedDocument {
  readonly lines: readonly PostedLine[];
  /** Base currency units for one unit of the document's currency. */
  readonly rate: Decimal.Value;
  /** The account for the total. */
  readonly against: string;
  /** The side of the lines: sales credit them, purchases debit them. */
  readonly side: 'DEBIT' | 'CREDIT';
}

/** Posts lines and tax on one side and their sum on the other. Each is rounded to cents, so that the entry balances. */
export function postDocument({ lines, rate, against, side }: PostedDocument): Posting[] {
  const inBase = (amount: Decimal.Value) => {
    const value = new Decimal(amount).times(rate).toDecimalPlaces(2);
    return side === 'DEBIT' ? value : value.negated();
  };
  const own = lines.flatMap(({ account, net, tax }) => [
    { account: account ?? CONTROL.suspense, amount: inBase(net) },
    { account: CONTROL.tax, amount: inBase(tax) },
  ]);
  const total = own.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0));
  return merged([...own, { account: against, amount: total.negated() }]);
}

/** Posts an amount from one account to another. */
export function postTransfer(
  { from, to }: { readonly from: string | null; readonly to: string | null },
  amount: Decimal.Value,
  rate: Decimal.Value,
): Posting[] {
  const value = new Decimal(amount).times(rate).toDecimalPlaces(2);
  return merged([
    { account: to ?? CONTROL.suspense, amount: value },
    { account: from ?? CONTROL.suspense, amount: value.negated() },
  ]);
}

/** One posting per account, in order of first appearance, without postings of zero. */
function merged(postings: readonly Posting[]): Posting[] {
  const sums = new Map<string, Decimal>();
  for (const { account, amount } of postings) {
    sums.set(account, amount.plus(sums.get(account) ?? 0));
  }
  return [...sums].flatMap(([account, amount]) => (amount.isZero() ? [] : [{ account, amount }]));
}
