import type { Decimal } from 'decimal.js';
import { Exact } from '../../connectors/values/decimals.js';
import type { LedgerRow } from '../../query/ledger.js';
import { ACCOUNT_CATEGORIES } from '../../records/value-sets.js';
import { notComplete } from './books.js';

type AccountCategory = (typeof ACCOUNT_CATEGORIES)[number];

/** Sums of ledgers keep every digit. */
export const ZERO = new Exact(0);

export const sum = (amounts: readonly Decimal[]): Decimal =>
  amounts.reduce<Decimal>((total, amount) => total.plus(amount), ZERO);

/** Section of an account in statements. */
export type Section =
  | 'asset'
  | 'liability'
  | 'equity'
  | 'revenue'
  | 'otherRevenue'
  | 'directCost'
  | 'operatingExpense'
  | 'otherExpense'
  | 'tax';
/** Cash flow activity of an account's payments; null for cash accounts. */
export type Activity = 'operating' | 'investing' | 'financing' | null;

/** An account of a ledger, with its movements. */
export interface LedgerAccount {
  readonly accountId: string;
  readonly name: string;
  readonly nominalCode: string | null;
  readonly category: AccountCategory;
  readonly section: Section;
  readonly activity: Activity;
  /** Debits less credits by period; the first is the opening balance. */
  readonly net: readonly Decimal[];
  /** Balance after each period. */
  readonly held: readonly Decimal[];
  /** The part of the movements in entries that also move cash. */
  readonly withCash: readonly Decimal[];
}

/**
 * The accounts of one ledger. Throws `operation-denied` if entries refer to accounts that were not read or are
 * unbalanced: results would be wrong.
 */
export function accountsOf(rows: readonly LedgerRow[], stretches: number): LedgerAccount[] {
  const strange = rows.find(({ category }) => category === null);
  if (strange) {
    const which =
      strange.accountId === '' ? 'no account' : `the account ${strange.accountId}, which was not read`;
    throw notComplete(`journal lines name ${which}`);
  }
  const unclear = rows.find(({ category }) => category === 'UNKNOWN');
  if (unclear) {
    throw notComplete(
      `the account ${unclear.name ?? unclear.accountId} is of no category that is known here`,
    );
  }
  if (rows.some(({ isBroken }) => isBroken)) {
    throw notComplete(
      'an entry has no day, a line of it no amount, its debits are not its credits, or it is in another currency and has no rate',
    );
  }
  const byAccount = new Map<string, LedgerRow[]>();
  for (const row of rows) byAccount.set(row.accountId, [...(byAccount.get(row.accountId) ?? []), row]);
  return [...byAccount.values()].flatMap((own) => accountOf(own, stretches));
}

function accountOf(rows: readonly LedgerRow[], stretches: number): LedgerAccount[] {
  const [head] = rows;
  if (!head) return [];
  const { accountId, name, nominalCode, subCategory } = head;
  const category = categoryOf(head.category);
  const by = (part: 'net' | 'withCash') => {
    const amounts = Array.from({ length: stretches }, () => ZERO);
    for (const row of rows) amounts[row.bucket] = (amounts[row.bucket] ?? ZERO).plus(row[part]);
    return amounts;
  };
  const net = by('net');
  let held: Decimal = ZERO;
  return [
    {
      accountId,
      name: name ?? nominalCode ?? accountId,
      nominalCode,
      category,
      section: sectionOf(category, subCategory ?? ''),
      activity: activityOf(category, subCategory ?? ''),
      net,
      held: net.map((amount) => (held = held.plus(amount))),
      withCash: by('withCash'),
    },
  ];
}

/** Parses a stored category. */
export const categoryOf = (text: string | null): AccountCategory =>
  ACCOUNT_CATEGORIES.find((one) => one === text) ?? 'UNKNOWN';

const DIRECT = /(?<!IN)DIRECT|COST_?OF|COGS/;
const OTHER = /OTHER_?(INCOME|EXPENSE)|NON_?OPERATING/;
const INCOME_TAX = /INCOME_?TAX|^TAX_?EXPENSE/;
const LASTING = /FIXED|NON_?CURRENT|EQUIPMENT|PROPERTY|INTANGIBLE|INVESTMENT/;
const BORROWED = /LONG_?TERM|NON_?CURRENT|TERM_?LIAB|LOAN|MORTGAGE/;

/** Derives the section from our category and the platforms' terms for account types. */
function sectionOf(category: AccountCategory, kind: string): Section {
  switch (category) {
    case 'LIABILITY':
      return 'liability';
    case 'EQUITY':
      return 'equity';
    case 'INCOME':
      return OTHER.test(kind) ? 'otherRevenue' : 'revenue';
    case 'EXPENSE':
      if (DIRECT.test(kind)) return 'directCost';
      if (INCOME_TAX.test(kind)) return 'tax';
      return OTHER.test(kind) ? 'otherExpense' : 'operatingExpense';
    default:
      return 'asset';
  }
}

function activityOf(category: AccountCategory, kind: string): Activity {
  if (category === 'BANK') return null;
  if (category === 'EQUITY') return 'financing';
  if (category === 'LIABILITY') return BORROWED.test(kind) ? 'financing' : 'operating';
  return category === 'ASSET' && LASTING.test(kind) ? 'investing' : 'operating';
}
