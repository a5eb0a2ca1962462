import type { Decimal } from 'decimal.js';
import type { PlatformClient } from './connector.js';
import { Exact } from './decimals.js';

/** What a statement is about; both days belong to it. */
export interface ReportPeriod {
  readonly start: string;
  readonly end: string;
}

/** A line of a statement: an account, or a group of lines. */
export interface ReportLine {
  readonly name: string;
  /** A decimal. */
  readonly value: string;
  /** Our platform id of the account; null where the line is none. */
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
  /** Money that left is negative. */
  readonly operatingActivities: readonly ReportLine[];
  readonly investingActivities: readonly ReportLine[];
  readonly financingActivities: readonly ReportLine[];
  readonly cashAtBeginningOfPeriod: string;
  readonly cashAtEndOfPeriod: string;
}

/** Statements by the names of their GraphQL types: the same shape for those of platforms and ours. */
export interface StatementBodies {
  readonly BalanceSheet: BalanceSheetBody;
  readonly IncomeStatement: IncomeStatementBody;
  readonly CashFlowStatement: CashFlowStatementBody;
}

export type StatementKind = keyof StatementBodies;

/** An account of a trial balance; a credit balance is negative. */
export interface TrialLine {
  readonly accountId: string;
  readonly name: string;
  readonly net: string;
}

/** The statements that a platform makes itself, each in our terms. What it does not make is absent. */
export type PlatformReports = {
  readonly [Kind in StatementKind]?: (
    client: PlatformClient,
    period: ReportPeriod,
  ) => Promise<StatementBodies[Kind]>;
} & {
  /** What each account holds after a day. */
  readonly trialBalance?: (client: PlatformClient, asOf: string) => Promise<readonly TrialLine[]>;
};

/** What lines come to; a group counts once. */
export const totalOf = (lines: readonly ReportLine[]): Decimal =>
  lines.reduce((total, { value }) => total.plus(value), new Exact(0));

/** An amount with cents, and with every digit that it has beyond. */
export const amountText = (amount: Decimal): string => amount.toFixed(Math.max(2, amount.decimalPlaces()));

/** The parts of an income statement. */
type IncomeParts = Pick<
  IncomeStatementBody,
  | 'revenue'
  | 'costOfGoodsSold'
  | 'operatingExpenses'
  | 'nonOperatingRevenue'
  | 'nonOperatingExpenses'
  | 'taxes'
>;

/** An income statement of its parts: profits are what is left of them. */
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

/** A balance sheet of its parts. */
export const balanceSheetOf = (parts: Omit<BalanceSheetBody, 'netAssets'>): BalanceSheetBody => ({
  ...parts,
  netAssets: amountText(totalOf(parts.assets).minus(totalOf(parts.liabilities))),
});
