import { Decimal } from 'decimal.js';

import { type Account, type Organisation } from './domain.js';
import { guidOf } from './makers/kept.js';
import { type Posting, postingsOf } from './postings.js';
import { instant } from './wire/values.js';

const ZERO = new Decimal(0);
/** What Xero gives earnings that belong to no account of the chart. */
const CURRENT_EARNINGS = 'abababab-abab-abab-abab-abababababab';
const RETAINED_EARNINGS = guidOf('account retained earnings');

/** The first day of the financial year of a day. */
function yearStart({ company }: Organisation, day: string): string {
  const { month, day: last } = company.yearEnd;
  const startIn = (year: number) => new Date(Date.UTC(year, month - 1, last + 1)).toISOString().slice(0, 10);
  const year = Number(day.slice(0, 4));
  return startIn(year) <= day ? startIn(year) : startIn(year - 1);
}

const isOfProfit = ({ accountClass }: Account) => ['REVENUE', 'EXPENSE'].includes(accountClass);

function sums(postings: readonly Posting[]): Map<Account, Decimal> {
  const found = new Map<Account, Decimal>();
  for (const { account, amount } of postings) found.set(account, amount.plus(found.get(account) ?? ZERO));
  return found;
}

const total = (amounts: Iterable<Decimal>): Decimal => [...amounts].reduce((sum, one) => sum.plus(one), ZERO);

const cell = (value: string, account?: string) => ({
  Value: value,
  ...(account === undefined ? {} : { Attributes: [{ Value: account, Id: 'account' }] }),
});
const row = (name: string, amounts: readonly string[], account?: string) => ({
  RowType: 'Row',
  Cells: [cell(name, account), ...amounts.map((amount) => cell(amount, account))],
});
const section = (title: string, rows: readonly object[]) => ({
  RowType: 'Section',
  Title: title,
  Rows: rows,
});
const text = (amount: Decimal) => amount.toFixed(2);

/** A section of accounts with their sum; none where there are none. */
function accountsIn(
  title: string,
  held: ReadonlyMap<Account, Decimal>,
  sign: 1 | -1,
  types: readonly string[],
) {
  const own = [...held].filter(([{ type }, amount]) => types.includes(type) && !amount.isZero());
  if (own.length === 0) return [];
  const rows = own.map(([{ id, name }, amount]) => row(name, [text(amount.times(sign))], id));
  const sum = text(total(own.map(([, amount]) => amount)).times(sign));
  const summary = { RowType: 'SummaryRow', Cells: [cell(`Total ${title}`), cell(sum)] };
  return [section(title, [...rows, summary])];
}

/** A report as its path names it, in the standard layout; null where there is none of that name. */
export function reportOf(organisation: Organisation, name: string, query: URLSearchParams): object | null {
  const postings = postingsOf(organisation);
  const today = new Date().toISOString().slice(0, 10);
  const reports: Record<string, () => object[]> = {
    BalanceSheet: () => balanceSheet(organisation, postings, query.get('date') ?? today),
    ProfitAndLoss: () => {
      const [from, to] = [query.get('fromDate') ?? `${today.slice(0, 8)}01`, query.get('toDate') ?? today];
      return profitAndLoss(postings.filter(({ day }) => day >= from && day <= to));
    },
    TrialBalance: () => trialBalance(organisation, postings, query.get('date') ?? today),
  };
  const rows = Object.hasOwn(reports, name) ? reports[name]?.() : undefined;
  if (!rows) return null;
  const report = { ReportID: name, ReportName: name, ReportType: name, ReportTitles: [name], Fields: [] };
  return { Reports: [{ ...report, UpdatedDateUTC: instant(new Date()), Rows: rows }] };
}

function balanceSheet(organisation: Organisation, postings: readonly Posting[], date: string): object[] {
  const until = postings.filter(({ day }) => day <= date);
  const held = sums(until.filter(({ account }) => !isOfProfit(account)));
  const start = yearStart(organisation, date);
  const profits = until.filter(({ account }) => isOfProfit(account));
  const earned = (is: (day: string) => boolean) =>
    total(profits.filter(({ day }) => is(day)).map(({ amount }) => amount)).negated();
  const [current, retained] = [earned((day) => day >= start), earned((day) => day < start)];
  const equity = [...held].filter(([{ type }]) => type === 'EQUITY');
  const net = total([...held].filter(([{ type }]) => type !== 'EQUITY').map(([, amount]) => amount));
  return [
    { RowType: 'Header', Cells: [cell(''), cell(date)] },
    section('Assets', []),
    ...accountsIn('Bank', held, 1, ['BANK']),
    ...accountsIn('Current Assets', held, 1, ['CURRENT', 'INVENTORY']),
    ...accountsIn('Fixed Assets', held, 1, ['FIXED']),
    section('Liabilities', []),
    ...accountsIn('Current Liabilities', held, -1, ['CURRLIAB']),
    ...accountsIn('Non-Current Liabilities', held, -1, ['TERMLIAB']),
    section('', [row('Net Assets', [text(net)])]),
    section('Equity', [
      ...equity.map(([{ id, name }, amount]) => row(name, [text(amount.negated())], id)),
      row('Current Year Earnings', [text(current)], CURRENT_EARNINGS),
      row('Retained Earnings', [text(retained)], RETAINED_EARNINGS),
      { RowType: 'SummaryRow', Cells: [cell('Total Equity'), cell(text(net))] },
    ]),
  ];
}

function profitAndLoss(postings: readonly Posting[]): object[] {
  const moved = sums(postings);
  const of = (...types: readonly string[]) =>
    total([...moved].filter(([{ type }]) => types.includes(type)).map(([, amount]) => amount)).negated();
  return [
    { RowType: 'Header', Cells: [cell(''), cell('the period')] },
    ...accountsIn('Income', moved, -1, ['REVENUE']),
    ...accountsIn('Less Cost of Sales', moved, 1, ['DIRECTCOSTS']),
    section('', [row('Gross Profit', [text(of('REVENUE', 'DIRECTCOSTS'))])]),
    ...accountsIn('Plus Other Income', moved, -1, ['OTHERINCOME']),
    ...accountsIn('Less Operating Expenses', moved, 1, ['EXPENSE', 'OVERHEADS']),
    section('', [
      row('Net Profit', [text(of('REVENUE', 'DIRECTCOSTS', 'OTHERINCOME', 'EXPENSE', 'OVERHEADS'))]),
    ]),
  ];
}

function trialBalance(organisation: Organisation, postings: readonly Posting[], date: string): object[] {
  const start = yearStart(organisation, date);
  const until = postings.filter(({ day }) => day <= date);
  const before = until.filter(({ account, day }) => isOfProfit(account) && day < start);
  const held = sums(until.filter((posting) => !before.includes(posting)));
  const sides = (amount: Decimal) =>
    amount.isNegative() ? ['', text(amount.negated())] : [text(amount), ''];
  const rows = [...held]
    .filter(([, amount]) => !amount.isZero())
    .map(([{ id, name, code }, amount]) =>
      row(code === null ? name : `${name} (${code})`, ['', '', ...sides(amount)], id),
    );
  const retained = total(before.map(({ amount }) => amount));
  const earnings = retained.isZero()
    ? []
    : [row('Retained Earnings (960)', ['', '', ...sides(retained)], RETAINED_EARNINGS)];
  const heads = ['Account', 'Debit', 'Credit', 'YTD Debit', 'YTD Credit'];
  return [
    { RowType: 'Header', Cells: heads.map((head) => cell(head)) },
    section('Accounts', [...rows, ...earnings]),
  ];
}
