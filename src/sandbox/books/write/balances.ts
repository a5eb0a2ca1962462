import { Decimal } from 'decimal.js';
import type { Change } from '../../store/change.js';
import { findByNumber } from '../../store/objects.js';
import type { BooksJournal, BooksObject, JournalLine } from '../objects.js';
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
 * How an entry changes accounts, by account number, in base currency: debits are positive. The sum of the lines so far is
 * rounded to cents, so that each line is within a cent and the entry balances.
 */
export const movesOf = (entry: BooksJournal | null): Map<string, Decimal> =>
  movesIn(entry, (_line, inBase) => inBase);

/** How an entry changes the balances of accounts, each in the account's currency. */
const balanceMovesOf = (entry: BooksJournal | null): Map<string, Decimal> =>
  movesIn(entry, ({ InAccountCurrency: own, Debit }, inBase) =>
    own ? new Decimal(own.Amount).times(Debit === null ? -1 : 1) : inBase,
  );

function movesIn(
  entry: BooksJournal | null,
  amountOf: (line: JournalLine, inBase: Decimal) => Decimal,
): Map<string, Decimal> {
  const moves = new Map<string, Decimal>();
  if (entry?.State !== 'posted') return moves;
  let sum = new Decimal(0);
  for (const line of entry.Lines) {
    const { AccountNumber, Debit, Credit } = line;
    const before = sum.toDecimalPlaces(2);
    sum = sum.plus(new Decimal(Debit?.Amount ?? 0).minus(Credit?.Amount ?? 0).times(entry.ExchangeRate));
    const amount = amountOf(line, sum.toDecimalPlaces(2).minus(before));
    moves.set(AccountNumber, amount.plus(moves.get(AccountNumber) ?? 0));
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
  const moves = balanceMovesOf(after);
  for (const [number, amount] of balanceMovesOf(before)) {
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
