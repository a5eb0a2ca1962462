import { type Decimal } from 'decimal.js';

import { type Account } from './domain.js';
import { type View } from './entities.js';
import { sumOf } from './totals.js';
import { type Json } from './wire/values.js';

/** A debit, in the home currency; a credit is negative. */
interface Posting {
  readonly day: string;
  readonly account: Account;
  readonly amount: Decimal;
}

/** What journal entries in the home currency book. The reports are of no more than that. */
export function journalOf({ company }: Pick<View, 'company'>): Posting[] {
  return company.shelves.JournalEntry.filter(({ currency }) => currency.isHome).flatMap(({ date, lines }) =>
    lines.map(({ account, side, amount }) => ({
      day: date,
      account,
      amount: side === 'Debit' ? amount : amount.negated(),
    })),
  );
}

const cells = (name: string, ...amounts: readonly string[]): Json => ({
  ColData: [{ value: name }, ...amounts.map((value) => ({ value }))],
});
const section = (group: string, name: string, rows: readonly Json[], total: string): Json => ({
  Header: cells(name, ''),
  ...(rows.length === 0 ? {} : { Rows: { Row: rows } }),
  Summary: cells(`Total ${name}`, total),
  type: 'Section',
  group,
});
const result = (group: string, name: string, amount: Decimal): Json => ({
  Summary: cells(name, amount.toFixed(2)),
  type: 'Section',
  group,
});

/** The accounts of some types, with what was booked to them. */
function accountsIn(postings: readonly Posting[], types: readonly string[], sign: 1 | -1) {
  const own = postings.filter(({ account }) => types.includes(account.type));
  const amounts = [...new Set(own.map(({ account }) => account))].map((account) => ({
    account,
    amount: sumOf(own.filter((one) => one.account === account).map(({ amount }) => amount)).times(sign),
  }));
  const rows = amounts.map(({ account: { id, name }, amount }) => ({
    ColData: [{ value: name, id }, { value: amount.toFixed(2) }],
    type: 'Data',
  }));
  return { rows, total: sumOf(amounts.map(({ amount }) => amount)) };
}

/** A report as QuickBooks answers; null if there is none of that name. */
export function reportOf(name: string, query: URLSearchParams, view: View): Json | null {
  const [start, end] = [query.get('start_date') ?? '', query.get('end_date') ?? ''];
  const until = journalOf(view).filter(({ day }) => day <= end);
  const reports: Readonly<Record<string, () => Json[]>> = {
    BalanceSheet: () => balanceSheet(until),
    ProfitAndLoss: () => profitAndLoss(until.filter(({ day }) => day >= start)),
    TrialBalance: () => trialBalance(until),
  };
  const rows = Object.hasOwn(reports, name) ? reports[name]?.() : undefined;
  if (!rows) return null;
  const basis = query.get('accounting_method');
  return {
    Header: { ReportName: name, ReportBasis: basis, StartPeriod: start, EndPeriod: end, Option: [] },
    Columns: { Column: [] },
    Rows: { Row: rows },
  };
}

const EARNED = ['Income', 'Cost of Goods Sold', 'Expense', 'Other Income', 'Other Expense'];

function balanceSheet(postings: readonly Posting[]): Json[] {
  const part = (group: string, title: string, types: readonly string[], sign: 1 | -1) => {
    const { rows, total } = accountsIn(postings, types, sign);
    return { total, section: section(group, title, rows, total.toFixed(2)) };
  };
  const bank = part('BankAccounts', 'Bank Accounts', ['Bank'], 1);
  const fixed = part('FixedAssets', 'Fixed Assets', ['Fixed Asset'], 1);
  const owed = part('OtherCurrentLiabilities', 'Other Current Liabilities', ['Other Current Liability'], -1);
  const equity = accountsIn(postings, ['Equity'], -1);
  const income = accountsIn(postings, EARNED, -1).total;
  const net = { ...cells('Net Income', income.toFixed(2)), type: 'Data', group: 'NetIncome' };
  const worth = equity.total.plus(income).toFixed(2);
  const assets = bank.total.plus(fixed.total).toFixed(2);
  return [
    section('TotalAssets', 'ASSETS', [bank.section, fixed.section], assets),
    section(
      'TotalLiabilitiesAndEquity',
      'LIABILITIES AND EQUITY',
      [
        section('Liabilities', 'Liabilities', [owed.section], owed.total.toFixed(2)),
        section('Equity', 'Equity', [...equity.rows, net], worth),
      ],
      assets,
    ),
  ];
}

function profitAndLoss(postings: readonly Posting[]): Json[] {
  const income = accountsIn(postings, ['Income'], -1);
  const expenses = accountsIn(postings, ['Expense'], 1);
  const net = income.total.minus(expenses.total);
  return [
    section('Income', 'Income', income.rows, income.total.toFixed(2)),
    result('GrossProfit', 'Gross Profit', income.total),
    section('Expenses', 'Expenses', expenses.rows, expenses.total.toFixed(2)),
    result('NetIncome', 'Net Income', net),
  ];
}

function trialBalance(postings: readonly Posting[]): Json[] {
  const accounts = [...new Set(postings.map(({ account }) => account))];
  return accounts.map((account) => {
    const amount = sumOf(postings.filter((one) => one.account === account).map((one) => one.amount));
    const sides = amount.isNegative() ? ['', amount.negated().toFixed(2)] : [amount.toFixed(2), ''];
    return {
      ColData: [{ value: account.name, id: account.id }, ...sides.map((value) => ({ value }))],
    };
  });
}
