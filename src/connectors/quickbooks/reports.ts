import type { PlatformClient } from '../platform.js';
import {
  balanceSheetOf,
  type BalanceSheetBody,
  type CashFlowStatementBody,
  amountText,
  incomeStatementOf,
  type IncomeStatementBody,
  isSameTotal,
  type PlatformReports,
  type ReportLine,
  type ReportPeriod,
  totalOf,
  type TrialLine,
} from '../reports.js';
import { Exact } from '../values/decimals.js';
import { unexpectedAnswer } from '../values/required-values.js';
import { QUICKBOOKS_TITLE } from './client.js';
import {
  accountsIn,
  agreedLines,
  groupOf,
  linesOf,
  readReport,
  type Report,
  type ReportRow,
  statedTotal,
} from './report-rows.js';

/** QuickBooks' own reports. Titles are in the company's language; groups, by which they are read, are not. */
export const quickbooksReports: PlatformReports = {
  BalanceSheet: readBalanceSheet,
  IncomeStatement: readIncomeStatement,
  CashFlowStatement: readCashFlow,
  trialBalance: readTrialBalance,
};

const periodOf = ({ start, end }: ReportPeriod) => ({ start_date: start, end_date: end });

interface Result {
  /** Such as `net profit`. */
  readonly name: string;
  readonly ours: string;
  /** Null if the report states none. */
  readonly stated: string | null;
  readonly lines: readonly ReportLine[];
}

/** Throws if a statement comes to another result than the report states; an empty report need not state any. */
function mustComeTo({ isEmpty }: Report, { name, ours, stated, lines }: Result): void {
  const rows = lines.reduce((count, { lineItems }) => count + Math.max(1, lineItems.length), 0);
  if (stated === null ? isEmpty : isSameTotal(ours, stated, rows)) return;
  throw unexpectedAnswer(
    QUICKBOOKS_TITLE,
    `sent a report whose lines add up to ${name} of ${ours}, but which states ${stated ?? 'none'}`,
  );
}

/** What the sections of a balance sheet are part of; others only hold sections. */
const SHEET_PARTS: Readonly<Record<string, 'assets' | 'liabilities' | 'equity'>> = {
  BankAccounts: 'assets',
  AR: 'assets',
  OtherCurrentAssets: 'assets',
  FixedAssets: 'assets',
  OtherAssets: 'assets',
  AP: 'liabilities',
  CreditCards: 'liabilities',
  OtherCurrentLiabilities: 'liabilities',
  LongTermLiabilities: 'liabilities',
  Equity: 'equity',
};

async function readBalanceSheet(client: PlatformClient, period: ReportPeriod): Promise<BalanceSheetBody> {
  const report = await readReport(client, 'BalanceSheet', periodOf(period));
  const parts = { assets: [] as ReportLine[], liabilities: [] as ReportLine[], equity: [] as ReportLine[] };
  const collect = (row: ReportRow): void => {
    const part = SHEET_PARTS[row.group ?? ''];
    if (part) parts[part].push(...(part === 'equity' ? agreedLines(row) : groupOf(row)));
    else if (row.amounts.every((amount) => amount === null)) row.rows.forEach(collect);
    else
      throw unexpectedAnswer(QUICKBOOKS_TITLE, `sent a balance sheet with "${row.name}" outside its parts`);
  };
  report.rows.forEach(collect);
  const sheet = balanceSheetOf(parts);
  mustComeTo(report, {
    name: 'net assets',
    ours: sheet.netAssets,
    stated: totalOf(sheet.equity).toFixed(),
    lines: Object.values(parts).flat(),
  });
  return sheet;
}

const INCOME_PARTS: Readonly<Record<string, keyof IncomeParts>> = {
  Income: 'revenue',
  COGS: 'costOfGoodsSold',
  Expenses: 'operatingExpenses',
  OtherIncome: 'nonOperatingRevenue',
  OtherExpenses: 'nonOperatingExpenses',
};

type IncomeParts = Parameters<typeof incomeStatementOf>[0];

/** QuickBooks has no section for taxes on income: they are expenses. */
async function readIncomeStatement(
  client: PlatformClient,
  period: ReportPeriod,
): Promise<IncomeStatementBody> {
  const report = await readReport(client, 'ProfitAndLoss', periodOf(period));
  const parts = {
    revenue: [] as ReportLine[],
    costOfGoodsSold: [] as ReportLine[],
    operatingExpenses: [] as ReportLine[],
    nonOperatingRevenue: [] as ReportLine[],
    nonOperatingExpenses: [] as ReportLine[],
    taxes: [] as ReportLine[],
  };
  for (const row of report.rows) {
    const part = INCOME_PARTS[row.group ?? ''];
    if (part) parts[part].push(...agreedLines(row));
    else if (row.rows.length > 0)
      throw unexpectedAnswer(
        QUICKBOOKS_TITLE,
        `sent an income statement with the unknown section "${row.name}"`,
      );
  }
  const statement = incomeStatementOf(parts);
  mustComeTo(report, {
    name: 'net profit',
    ours: statement.netProfit,
    stated: statedTotal(report.rows, 'NetIncome'),
    lines: Object.values(parts).flat(),
  });
  return statement;
}

/** By the indirect method: what is earned, and the changes of balances. */
async function readCashFlow(client: PlatformClient, period: ReportPeriod): Promise<CashFlowStatementBody> {
  const report = await readReport(client, 'CashFlow', periodOf(period));
  // The total of operating activities is that of their adjustments alone.
  const of = (group: string) =>
    report.rows.filter((row) => row.group === group).flatMap((row) => linesOf(row));
  const activities = {
    operatingActivities: of('OperatingActivities'),
    investingActivities: of('InvestingActivities'),
    financingActivities: of('FinancingActivities'),
  };
  const lines = Object.values(activities).flat();
  const moved = totalOf(lines);
  const change = statedTotal(report.rows, 'CashIncrease');
  mustComeTo(report, { name: 'a change of cash', ours: moved.toFixed(), stated: change, lines });
  // What there was at the beginning is left out where it is nothing.
  const before = new Exact(statedTotal(report.rows, 'BeginningCash') ?? '0');
  const after = statedTotal(report.rows, 'EndingCash');
  mustComeTo(report, { name: 'cash at the end', ours: before.plus(moved).toFixed(), stated: after, lines });
  return {
    ...activities,
    cashAtBeginningOfPeriod: amountText(before),
    cashAtEndOfPeriod: amountText(new Exact(after ?? '0')),
  };
}

/** Income and expenses are those of the financial year so far. */
async function readTrialBalance(client: PlatformClient, asOf: string): Promise<TrialLine[]> {
  const query = { start_date: `${asOf.slice(0, 4)}-01-01`, end_date: asOf };
  const { rows } = await readReport(client, 'TrialBalance', query);
  return accountsIn(rows).flatMap(({ accountId, name, amounts: [debit = null, credit = null] }) => {
    const net = new Exact(debit ?? '0').minus(credit ?? '0');
    return accountId === null || net.isZero() ? [] : [{ accountId, name, net: net.toFixed() }];
  });
}
