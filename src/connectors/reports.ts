import type { Decimal } from 'decimal.js';
import type { PlatformClient } from './platform.js';
import { Exact } from './values/decimals.js';

/** The days that a statement covers, both included. */
export interface ReportPeriod {
  readonly start: string;
  readonly end: string;
}

/** A line of a statement: an account, or a group of lines. */
export interface ReportLine {
  readonly name: string;
  /** A decimal. */
  readonly value: string;
  /** Platform id of the account; null if the line is not an account. */
  readonly accountId: string | null;
  readonly lineItems: readonly ReportLine[];
}

export interface BalanceSheetBody {
  readonly assets: readonly ReportLine[];
  readonly liabilities: readonly ReportLine[];
  readonly equity: readonly ReportLine[];
  readonly netAssets: string;
}

export interface IncomeStatementBody {
  readonly revenue: readonly ReportLine[];
  readonly costOfGoodsSold: readonly ReportLine[];
  readonly grossProfit: string;
  readonly operatingExpenses: readonly ReportLine[];
  readonly operatingProfit: string;
  readonly nonOperatingRevenue: readonly ReportLine[];
  readonly nonOperatingExpenses: readonly ReportLine[];
  readonly earningsBeforeTaxes: string;
  readonly taxes: readonly ReportLine[];
  readonly netProfit: string;
}

export interface CashFlowStatementBody {
  /** Outflows are negative. */
  readonly operatingActivities: readonly ReportLine[];
  readonly investingActivities: readonly ReportLine[];
  readonly financingActivities: readonly ReportLine[];
  readonly cashAtBeginningOfPeriod: string;
  readonly cashAtEndOfPeriod: string;
}

/** Statements by GraphQL type name; platforms' own statements and ours have the same shape. */
export interface StatementBodies {
  readonly BalanceSheet: BalanceSheetBody;
  readonly IncomeStatement: IncomeStatementBody;
  readonly CashFlowStatement: CashFlowStatementBody;
}

export type StatementKind = keyof StatementBodies;

/** An account in a trial balance; a credit balance is negative. */
export interface TrialLine {
  readonly accountId: string;
  /** May end with the account's code: `Sales (400)`. */
  readonly name: string;
  readonly net: string;
}

/** The platform's own statements in our shape. Unsupported ones are absent. */
export type PlatformReports = {
  readonly [Kind in StatementKind]?: (
    client: PlatformClient,
    period: ReportPeriod,
  ) => Promise<StatementBodies[Kind]>;
} & {
  /** The balance of each account at the end of a day. */
  readonly trialBalance?: (client: PlatformClient, asOf: string) => Promise<readonly TrialLine[]>;
};

/** The total of the lines, not counting lines nested in groups again. */
export const totalOf = (lines: readonly ReportLine[]): Decimal =>
  lines.reduce((total, { value }) => total.plus(value), new Exact(0));

/** Platforms round each row of a report separately. */
const ROUNDED_OFF = new Exact('0.005');

/** Whether two totals of some rows are the same, allowing for rounding. */
export const isSameTotal = (one: string, other: string, rows: number): boolean =>
  new Exact(one).minus(other).abs().lessThanOrEqualTo(ROUNDED_OFF.times(rows));

/** An amount with at least two decimals, and all of its own. */
export const amountText = (amount: Decimal): string => amount.toFixed(Math.max(2, amount.decimalPlaces()));

type IncomeParts = Pick<
  IncomeStatementBody,
  | 'revenue'
  | 'costOfGoodsSold'
  | 'operatingExpenses'
  | 'nonOperatingRevenue'
  | 'nonOperatingExpenses'
  | 'taxes'
>;

/** Completes an income statement with the profits computed from its parts. */
export function incomeStatementOf(parts: IncomeParts): IncomeStatementBody {
  const { revenue, costOfGoodsSold, operatingExpenses, nonOperatingRevenue, nonOperatingExpenses, taxes } =
    parts;
  const gross = totalOf(revenue).minus(totalOf(costOfGoodsSold));
  const operating = gross.minus(totalOf(operatingExpenses));
  const beforeTaxes = operating.plus(totalOf(nonOperatingRevenue)).minus(totalOf(nonOperatingExpenses));
  return {
    revenue,
    costOfGoodsSold,
    grossProfit: amountText(gross),
    operatingExpenses,
    operatingProfit: amountText(operating),
    nonOperatingRevenue,
    nonOperatingExpenses,
    earningsBeforeTaxes: amountText(beforeTaxes),
    taxes,
    netProfit: amountText(beforeTaxes.minus(totalOf(taxes))),
  };
}

/** Completes a balance sheet with its net assets. */
export const balanceSheetOf = (parts: Omit<BalanceSheetBody, 'netAssets'>): BalanceSheetBody => ({
  ...parts,
  netAssets: amountText(totalOf(parts.assets).minus(totalOf(parts.liabilities))),
});
