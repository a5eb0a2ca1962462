import { Decimal } from 'decimal.js';
import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { account } from '../../../records/index.js';
import { CONTROL } from '../../postings.js';
import { money, sum, ZERO } from '../money.js';
import type { Random } from '../random.js';
import { instant } from '../time.js';
import { BASE_CURRENCY, currencyWithoutRate } from './currencies.js';

/** Code, name, category, sub-category, parent code. */
type Entry = readonly [string, string, string, string, string?];

const CHART: readonly Entry[] = [
  ['1000', 'Assets', 'ASSET', 'CURRENT_ASSET'],
  ['1010', 'Everyday account', 'BANK', 'CHECKING', '1000'],
  ['1020', 'Savings account', 'BANK', 'SAVINGS', '1000'],
  ['1030', 'Card clearing', 'BANK', 'CLEARING', '1000'],
  ['1040', 'Petty cash', 'BANK', 'CASH', '1000'],
  ['1100', 'Accounts receivable', 'ASSET', 'RECEIVABLE', '1000'],
  ['1200', 'Inventory', 'ASSET', 'INVENTORY', '1000'],
  ['1300', 'Prepayments', 'ASSET', 'PREPAYMENT', '1000'],
  ['1500', 'Office equipment', 'ASSET', 'FIXED_ASSET', '1000'],
  ['1510', 'Computer equipment', 'ASSET', 'FIXED_ASSET', '1500'],
  ['1520', 'Vehicles', 'ASSET', 'FIXED_ASSET', '1500'],
  ['2000', 'Liabilities', 'LIABILITY', 'CURRENT_LIABILITY'],
  ['2100', 'Accounts payable', 'LIABILITY', 'PAYABLE', '2000'],
  ['2200', 'Tax payable', 'LIABILITY', 'TAX', '2000'],
  ['2300', 'Wages payable', 'LIABILITY', 'PAYROLL', '2000'],
  ['2310', 'Withheld income tax', 'LIABILITY', 'PAYROLL', '2300'],
  ['2400', 'Credit card', 'LIABILITY', 'CREDIT_CARD', '2000'],
  ['2500', 'Accrued expenses', 'LIABILITY', 'ACCRUAL', '2000'],
  ['2700', 'Bank loan', 'LIABILITY', 'LONG_TERM', '2000'],
  ['3000', 'Owner equity', 'EQUITY', 'EQUITY'],
  ['3100', 'Retained earnings', 'EQUITY', 'RETAINED', '3000'],
  ['4000', 'Sales', 'INCOME', 'REVENUE'],
  ['4100', 'Product sales', 'INCOME', 'REVENUE', '4000'],
  ['4200', 'Service income', 'INCOME', 'REVENUE', '4000'],
  ['4900', 'Interest income', 'INCOME', 'OTHER_INCOME', '4000'],
  ['5000', 'Cost of goods sold', 'EXPENSE', 'DIRECT_COST'],
  ['6000', 'Operating expenses', 'EXPENSE', 'OVERHEAD'],
  ['6100', 'Rent', 'EXPENSE', 'OVERHEAD', '6000'],
  ['6200', 'Wages', 'EXPENSE', 'OVERHEAD', '6000'],
  ['6300', 'Software', 'EXPENSE', 'OVERHEAD', '6000'],
  ['6400', 'Travel', 'EXPENSE', 'OVERHEAD', '6000'],
  ['6500', 'Advertising', 'EXPENSE', 'OVERHEAD', '6000'],
  ['6600', 'Bank fees', 'EXPENSE', 'OVERHEAD', '6000'],
  ['6700', 'Insurance', 'EXPENSE', 'OVERHEAD', '6000'],
  ['6800', 'Depreciation', 'EXPENSE', 'OVERHEAD', '6000'],
  ['6900', 'Suspense', 'UNKNOWN', 'SUSPENSE'],
];
/** Opened twice by mistake, then deleted. */
const DUPLICATE: Entry = ['6710', 'Insurances', 'EXPENSE', 'OVERHEAD', '6000'];

/** Books opens it for exchange differences. */
const EXCHANGE: Entry = [CONTROL.exchange, 'Exchange gains and losses', 'EXPENSE', 'OTHER_EXPENSE'];

/** Categories whose balances carry over from year to year; the others start at zero. */
const LASTING = ['ASSET', 'BANK', 'LIABILITY'];
/** Balances that follow from documents. */
const CONTROLLED: readonly string[] = [CONTROL.receivable, CONTROL.payable];
const RETAINED = '3100';

const isHeader = (code: string) => code.endsWith('000') && code !== '5000';
/** Categories with a debit balance. */
const isDebit = (category: string) => ['ASSET', 'BANK', 'EXPENSE'].includes(category);

/** The opening balance of each account, by code: retained earnings balance the others. */
export function createOpenings(random: Random): Map<string, Decimal> {
  const openings = new Map(
    CHART.map(([code, , category]) => {
      const drawn = new Decimal(random.integer(50_000, 4_000_000)).div(100);
      const isHeld = LASTING.includes(category) && !isHeader(code) && !CONTROLLED.includes(code);
      return [code, isHeld ? (isDebit(category) ? drawn : drawn.negated()) : ZERO] as const;
    }),
  );
  return openings.set(RETAINED, sum([...openings.values()]).negated());
}

/** The chart of accounts, with balances from the ledger: debits less credits, by code. */
export function createAccounts(balances: ReadonlyMap<string, Decimal>): UnifiedRecord<typeof account>[] {
  return [...CHART, DUPLICATE, EXCHANGE].map((entry, index) => {
    const balance = balances.get(entry[0]) ?? ZERO;
    return createAccount(entry, isDebit(entry[2]) ? balance : balance.negated(), index);
  });
}

function createAccount(entry: Entry, balance: Decimal, index: number): UnifiedRecord<typeof account> {
  const [nominalCode, name, category, subCategory, parent] = entry;
  return {
    platformId: `acc-${nominalCode}`,
    deleted: entry === DUPLICATE,
    values: {
      name,
      description: `${name} of the company`,
      nominalCode,
      category,
      subCategory,
      status: category === 'UNKNOWN' ? 'ARCHIVED' : 'ACTIVE',
      currentBalance: money(balance),
      ...currencyWithoutRate(BASE_CURRENCY),
      parentAccountId: parent ? `acc-${parent}` : null,
      updatedAt: instant(index),
    },
  };
}
