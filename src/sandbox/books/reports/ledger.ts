import { Decimal } from 'decimal.js';
import type { Pool } from 'pg';
import type { BooksKind } from '../kinds.js';
import type { BooksJournal, BooksObject } from '../objects.js';
import { fromBooksDay } from '../values.js';
import { movesOf } from '../write/balances.js';

export interface LedgerAccount extends BooksObject {
  readonly Number: string;
  readonly Title: string;
  readonly Class: string;
  readonly Group: string | null;
}

/** An entry in force; `day` is written like `2026-01-09`. */
interface Entry {
  readonly day: string;
  readonly moves: ReadonlyMap<string, Decimal>;
}

/** Input of a report for a period. */
export interface Ledger {
  /** Sorted by number. */
  readonly accounts: readonly LedgerAccount[];
  readonly entries: readonly Entry[];
  readonly from: string;
  readonly to: string;
}

export const ZERO = new Decimal(0);

/** All accounts, and the entries in force. */
export async function readLedger(pool: Pool, account: number): Promise<Pick<Ledger, 'accounts' | 'entries'>> {
  const objectsOf = async <Kind>(kind: BooksKind): Promise<Kind[]> => {
    const { rows } = await pool.query<{ body: string }>(
      'SELECT body FROM objects WHERE account = $1 AND kind = $2 AND deleted_at IS NULL',
      [account, kind],
    );
    return rows.map(({ body }) => JSON.parse(body) as Kind);
  };
  const accounts = await objectsOf<LedgerAccount>('LedgerAccounts');
  const journals = await objectsOf<BooksJournal>('Journals');
  return {
    accounts: accounts.sort((one, other) => one.Number.localeCompare(other.Number)),
    entries: journals.map((journal) => ({ day: fromBooksDay(journal.Date) ?? '', moves: movesOf(journal) })),
  };
}

/** Debits less credits, by account number. */
export function sums(entries: readonly Entry[]): Map<string, Decimal> {
  const sums = new Map<string, Decimal>();
  for (const [number, amount] of entries.flatMap(({ moves }) => [...moves])) {
    sums.set(number, amount.plus(sums.get(number) ?? ZERO));
  }
  return sums;
}
