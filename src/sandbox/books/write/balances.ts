import { Decimal } from 'decimal.js';
import type { Change } from '../../store/change.js';
import { findByNumber } from '../../store/objects.js';
import type { BooksJournal, BooksObject } from '../objects.js';
import { fromStored, toStored } from '../stored.js';
import { type Money, moneyOf } from '../values.js';

interface LedgerAccount extends BooksObject {
  readonly Class: unknown;
  readonly Balance: Money;
}

/** Account classes with a debit balance. */
const DEBIT_CLASSES: readonly unknown[] = ['assets', 'bank', 'costs'];

export const isDebitClass = (accountClass: unknown): boolean => DEBIT_CLASSES.includes(accountClass);

/**
 * How an entry changes account balances, by account number, in base currency: debits are positive. Lines are rounded to
 * cents, the last so that the entry balances.
 */
export function movesOf(entry: BooksJournal | null): Map<string, Decimal> {
  const moves = new Map<string, Decimal>();
  if (entry?.State !== 'posted') return moves;
  let rest = new Decimal(0);
  for (const [index, { AccountNumber, Debit, Credit }] of entry.Lines.entries()) {
    const amount = new Decimal(Debit?.Amount ?? 0).minus(Credit?.Amount ?? 0).times(entry.ExchangeRate);
    const isLast = index === entry.Lines.length - 1;
    const rounded = isLast ? rest.negated() : amount.toDecimalPlaces(2);
    rest = rest.plus(rounded);
    moves.set(AccountNumber, rounded.plus(moves.get(AccountNumber) ?? 0));
  }
  return moves;
}

/**
 * Updates account balances for an entry that changes from `before` to `after`; null means that there was, or is,
 * none. The accounts are listed as modified, but keep the time of their own last change.
 */
export async function moveBalances(
  change: Change,
  before: BooksJournal | null,
  after: BooksJournal | null,
): Promise<void> {
  const moves = movesOf(after);
  for (const [number, amount] of movesOf(before)) {
    moves.set(number, (moves.get(number) ?? new Decimal(0)).minus(amount));
  }
  for (const [number, amount] of moves) {
    if (amount.isZero()) continue;
    const row = await findByNumber(change.client, change.account, 'LedgerAccounts', number);
    if (!row) continue;
    const account = fromStored<LedgerAccount>(row);
    const { Amount, Currency } = account.Balance;
    const balance = isDebitClass(account.Class)
      ? new Decimal(Amount).plus(amount)
      : new Decimal(Amount).minus(amount);
    const moved: LedgerAccount = { ...account, Balance: moneyOf(balance, Currency) };
    await change.update(toStored('LedgerAccounts', moved));
  }
}
