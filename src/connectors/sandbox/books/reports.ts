import { Decimal } from 'decimal.js';
import type { PlatformClient } from '../../platform.js';
import { arrayOf, objectOf, textOf } from '../../values/platform-values.js';
import { unexpectedAnswer } from '../../values/required-values.js';
import {
  balanceSheetOf,
  incomeStatementOf,
  type PlatformReports,
  type ReportLine,
  type ReportPeriod,
} from '../../reports.js';
import { BOOKS_TITLE } from './client.js';
import { amountOf } from './mappers/amount.js';

/** A report of Books: lines by section, and the results below them. */
interface Report {
  readonly lines: (section: string) => ReportLine[];
  readonly result: (name: string) => string;
}

/** Books provides all statements. */
export const booksReports: PlatformReports = {
  BalanceSheet: async (client, period) => {
    const { lines, result } = await readReport(client, 'BalanceSheet', period);
    const sheet = balanceSheetOf({
      assets: lines('assets'),
      liabilities: lines('liabilities'),
      equity: lines('equity'),
    });
    return { ...sheet, netAssets: agreed(sheet.netAssets, result('NetAssets')) };
  },
  IncomeStatement: async (client, period) => {
    const { lines, result } = await readReport(client, 'IncomeStatement', period);
    const statement = incomeStatementOf({
      revenue: lines('revenue'),
      costOfGoodsSold: lines('cost of sales'),
      operatingExpenses: lines('operating costs'),
      nonOperatingRevenue: lines('other income'),
      nonOperatingExpenses: lines('other costs'),
      taxes: lines('taxes'),
    });
    return { ...statement, netProfit: agreed(statement.netProfit, result('NetProfit')) };
  },
  CashFlowStatement: async (client, period) => {
    const { lines, result } = await readReport(client, 'CashFlow', period);
    return {
      operatingActivities: lines('operating'),
      investingActivities: lines('investing'),
      financingActivities: lines('financing'),
      cashAtBeginningOfPeriod: result('CashBefore'),
      cashAtEndOfPeriod: result('CashAfter'),
    };
  },
  trialBalance: async (client, asOf) => {
    const { lines } = await readReport(client, 'TrialBalance', { start: asOf, end: asOf });
    return lines('accounts').flatMap(({ accountId, name, value }) =>
      accountId === null ? [] : [{ accountId, name, net: value }],
    );
  },
};

async function readReport(
  client: PlatformClient,
  name: string,
  { start, end }: ReportPeriod,
): Promise<Report> {
  const query = { from: booksDay(start), to: booksDay(end) };
  const answer = await client.get(`/Reports/${name}`, { query });
  const report = objectOf(answer['Report']);
  const sections = arrayOf(report?.['Sections'])?.map(objectOf);
  if (!report || !sections)
    throw unexpectedAnswer(BOOKS_TITLE, `must answer with a report ${name} that has sections`);
  return {
    lines: (section) => {
      const own = sections.find((one) => one?.['Name'] === section);
      const lines = arrayOf(own?.['Lines']);
      if (!lines)
        throw unexpectedAnswer(BOOKS_TITLE, `sent a report ${name} without the section "${section}"`);
      return lines.map((line) => lineOf(name, line));
    },
    result: (key) => required(name, amountOf(objectOf(report['Results'])?.[key])),
  };
}

function lineOf(report: string, value: unknown): ReportLine {
  const line = objectOf(value);
  return {
    name: textOf(line?.['Title']) ?? '',
    value: required(report, amountOf(line?.['Amount'])),
    accountId: textOf(line?.['AccountGuid']),
    lineItems: [],
  };
}

function required(report: string, amount: string | null): string {
  if (amount !== null) return amount;
  throw unexpectedAnswer(BOOKS_TITLE, `sent a report ${report} with a line without an amount`);
}

/** The result below the lines must equal their total: otherwise the report was misread. */
function agreed(ours: string, theirs: string): string {
  if (new Decimal(ours).equals(theirs)) return ours;
  throw unexpectedAnswer(
    BOOKS_TITLE,
    `sent a report whose lines add up to ${ours}, but whose total is ${theirs}`,
  );
}

/** `2026-01-09` as `09.01.2026`. */
const booksDay = (day: string): string => day.split('-').reverse().join('.');
