import type { PlatformClient } from '../platform.js';
import {
  balanceSheetOf,
  type BalanceSheetBody,
  incomeStatementOf,
  type IncomeStatementBody,
  isSameTotal,
  type PlatformReports,
  type ReportLine,
  type ReportPeriod,
  totalOf,
  type TrialLine,
} from '../reports.js';
import { unexpectedAnswer } from './answer-error.js';
import { groupOf, linesOf, readReport, said, type Section } from './report-sections.js';

/** Requests Xero's standard layout: customers' own layouts have their own titles. */
const STANDARD = { standardLayout: 'true' };

export const xeroReports: PlatformReports = {
  BalanceSheet: readBalanceSheet,
  IncomeStatement: readIncomeStatement,
  trialBalance: readTrialBalance,
};

/**
 * Throws if the lines do not add up to the report's own total, allowing for rounding: the report was then misread, and
 * nothing of it is shown.
 */
function mustAgree(sections: readonly Section[], what: string, ours: string, theirs: string | null): void {
  const rows = sections.flatMap((section) => section.rows).length;
  if (theirs !== null && isSameTotal(ours, theirs, rows)) return;
  throw unexpectedAnswer(
    `sent a report whose lines add up to ${what} of ${ours}, but which states ${theirs ?? 'none'}`,
  );
}

const PARTS = { Assets: 'assets', Liabilities: 'liabilities', Equity: 'equity' } as const;

async function readBalanceSheet(client: PlatformClient, { end }: ReportPeriod): Promise<BalanceSheetBody> {
  const sections = await readReport(client, 'BalanceSheet', { date: end, ...STANDARD });
  const parts = { assets: [] as ReportLine[], liabilities: [] as ReportLine[], equity: [] as ReportLine[] };
  let part: keyof typeof parts | null = null;
  for (const section of sections) {
    // A part starts with an empty section of its name, or is a single section.
    if (Object.hasOwn(PARTS, section.title)) part = PARTS[section.title as keyof typeof PARTS];
    const isOfAccounts = section.title !== '' && section.rows.length > 0;
    if (!isOfAccounts) continue;
    if (part === null)
      throw unexpectedAnswer(`sent a balance sheet with "${section.title}" outside its parts`);
    parts[part].push(...(section.title in PARTS ? linesOf(section) : groupOf(section)));
  }
  const sheet = balanceSheetOf(parts);
  mustAgree(sections, 'net assets', sheet.netAssets, said(sections, /^Net Assets$/i));
  mustAgree(sections, 'net assets', sheet.netAssets, totalOf(sheet.equity).toFixed());
  return sheet;
}

/** The kind of an income statement's section by its title; the first match wins. */
const KINDS = [
  [/cost of (sales|goods sold)/i, 'costOfGoodsSold'],
  [/(other|non-?operating) (income|revenue)/i, 'nonOperatingRevenue'],
  [/(other|non-?operating) expenses?/i, 'nonOperatingExpenses'],
  [/\btax/i, 'taxes'],
  [/expense|overhead|depreciation|administrative costs/i, 'operatingExpenses'],
  [/income|revenue|sales|turnover/i, 'revenue'],
] as const;

/** The last line; the second form is that of British organisations. */
const NET_PROFIT = /^Net (Profit|Income|Loss)|^(Profit|Loss)\b.* after Tax/i;

async function readIncomeStatement(
  client: PlatformClient,
  { start, end }: ReportPeriod,
): Promise<IncomeStatementBody> {
  const query = { fromDate: start, toDate: end, ...STANDARD };
  const sections = await readReport(client, 'ProfitAndLoss', query);
  const parts = {
    revenue: [] as ReportLine[],
    costOfGoodsSold: [] as ReportLine[],
    operatingExpenses: [] as ReportLine[],
    nonOperatingRevenue: [] as ReportLine[],
    nonOperatingExpenses: [] as ReportLine[],
    taxes: [] as ReportLine[],
  };
  for (const section of sections.filter(({ title, rows }) => title !== '' && rows.length > 0)) {
    const [, kind] = KINDS.find(([words]) => words.test(section.title)) ?? [];
    if (!kind) throw unexpectedAnswer(`sent an income statement with the unknown section "${section.title}"`);
    parts[kind].push(...linesOf(section));
  }
  const statement = incomeStatementOf(parts);
  mustAgree(sections, 'net profit', statement.netProfit, said(sections, NET_PROFIT));
  return statement;
}

const YEAR_TO_DATE = { debit: 2, credit: 3 } as const;

/** The balance is the year to date; for income and expenses, since the start of the financial year. */
async function readTrialBalance(client: PlatformClient, asOf: string): Promise<TrialLine[]> {
  const sections = await readReport(client, 'TrialBalance', { date: asOf });
  return sections
    .flatMap(({ rows }) => rows)
    .flatMap(({ isSummary, name, values, accountId }) => {
      if (isSummary || accountId === null) return [];
      const debit = values[YEAR_TO_DATE.debit] ?? '0';
      const credit = values[YEAR_TO_DATE.credit] ?? '0';
      const value = (text: string): ReportLine => ({ name, value: text, accountId, lineItems: [] });
      const net = totalOf([value(debit)]).minus(totalOf([value(credit)]));
      return net.isZero() ? [] : [{ accountId, name, net: net.toFixed() }];
    });
}
