import { Decimal } from 'decimal.js';

/** The change of one ledger account: debits are positive, credits negative. */
export interface Posting {
  /** The account's number. */
  readonly account: string;
  /** In the base currency. */
  readonly amount: Decimal;
  /** In the currency of the document; none of an exchange difference. */
  readonly original: Decimal;
}

/** Accounts that documents post to implicitly. */
export const CONTROL = {
  receivable: '1100',
  payable: '2100',
  tax: '2200',
  suspense: '6900',
  exchange: '7900',
} as const;

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
  /** The amount that payments and credits of a fully settled document took off `against`, in the base currency. */
  readonly settled?: Decimal | null;
}

/** An amount in the base currency, rounded to cents. */
export const inBase = (amount: Decimal.Value, rate: Decimal.Value): Decimal =>
  new Decimal(amount).times(rate).toDecimalPlaces(2);

/** The total of a document in the base currency: each line and tax is rounded to cents. */
export const totalInBase = ({ lines, rate }: Pick<PostedDocument, 'lines' | 'rate'>): Decimal =>
  lines.reduce((sum, { net, tax }) => sum.plus(inBase(net, rate)).plus(inBase(tax, rate)), new Decimal(0));

/**
 * Posts lines and tax on one side and their sum on the other. Each is rounded to cents, so that the entry balances. The
 * sum is what has been settled, if there is nothing left to settle: the rest is an exchange difference.
 */
export function postDocument({ lines, rate, against, side, settled }: PostedDocument): Posting[] {
  const signed = (value: Decimal.Value) => new Decimal(value).times(side === 'DEBIT' ? 1 : -1);
  const moved = (account: string, amount: Decimal.Value): Posting => ({
    account,
    amount: signed(inBase(amount, rate)),
    original: signed(amount),
  });
  const own = lines.flatMap(({ account, net, tax }) => [
    moved(account ?? CONTROL.suspense, net),
    moved(CONTROL.tax, tax),
  ]);
  const sum = (part: 'amount' | 'original') =>
    own.reduce((total, posting) => total.plus(posting[part]), new Decimal(0));
  const total = sum('amount');
  const owed = settled ? signed(settled) : total;
  return merged([
    ...own,
    { account: against, amount: owed.negated(), original: sum('original').negated() },
    difference(owed.minus(total)),
  ]);
}

const difference = (amount: Decimal): Posting => ({
  account: CONTROL.exchange,
  amount,
  original: new Decimal(0),
});

/** The unsettled amount of a document, in its currency and in the base currency. */
interface Left {
  readonly amount: Decimal;
  readonly inBase: Decimal;
}

/**
 * The base-currency part of a document's unsettled amount that an amount settles; settling the full amount settles all
 * of it.
 */
export const shareOf = (left: Left, amount: Decimal): Decimal =>
  amount.equals(left.amount) ? left.inBase : left.inBase.times(amount).div(left.amount).toDecimalPlaces(2);

interface PostedPayment {
  /** Customers pay invoices and get credit notes refunded; suppliers are paid for bills. */
  readonly isSale: boolean;
  /** The account of the money. */
  readonly account: string | null;
  readonly amount: Decimal.Value;
  /** Base currency units for one unit of the payment's currency. */
  readonly rate: Decimal.Value;
  /**
   * The amounts it settles of a document and of a credit note, in the base currency; null if there is no such document.
   */
  readonly ofDocument: Decimal | null;
  readonly ofNote: Decimal | null;
}

/**
 * A payment of a document moves money one way between account and control account, a refund of a credit note the other
 * way. A credit note that settles a document moves none: both are on the control account. Money worth more or less than
 * what it settles was booked at is an exchange difference.
 */
export function postPayment({ isSale, account, amount, rate, ofDocument, ofNote }: PostedPayment): Posting[] {
  const isRefund = ofDocument === null;
  const isMoved = isRefund || ofNote === null;
  const sign = isSale === isRefund ? -1 : 1;
  const original = isMoved ? new Decimal(amount).times(sign) : new Decimal(0);
  const paid = inBase(original, rate);
  const settled = new Decimal(ofNote ?? 0).minus(ofDocument ?? 0).times(isSale ? 1 : -1);
  const sides = [
    { account: account ?? CONTROL.suspense, amount: paid, original },
    {
      account: isSale ? CONTROL.receivable : CONTROL.payable,
      amount: settled,
      original: original.negated(),
    },
  ];
  return merged([...(paid.isNegative() ? sides.reverse() : sides), difference(paid.plus(settled).negated())]);
}

/** Posts an amount from one account to another. */
export function postTransfer(
  { from, to }: { readonly from: string | null; readonly to: string | null },
  amount: Decimal.Value,
  rate: Decimal.Value,
): Posting[] {
  const value = inBase(amount, rate);
  const original = new Decimal(amount);
  return merged([
    { account: to ?? CONTROL.suspense, amount: value, original },
    { account: from ?? CONTROL.suspense, amount: value.negated(), original: original.negated() },
  ]);
}

/** One posting per account, in order of first appearance, without postings of zero. */
export function merged(postings: readonly Posting[]): Posting[] {
  const sums = new Map<string, Posting>();
  for (const posting of postings) {
    const { account } = posting;
    const known = sums.get(account);
    const amount = posting.amount.plus(known?.amount ?? 0);
    sums.set(account, { account, amount, original: posting.original.plus(known?.original ?? 0) });
  }
  return [...sums.values()].filter(({ amount }) => !amount.isZero());
}
