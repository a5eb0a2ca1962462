import type { Decimal } from 'decimal.js';
import {
  amountText,
  balanceSheetOf,
  type BalanceSheetBody,
  type CashFlowStatementBody,
  incomeStatementOf,
  type IncomeStatementBody,
  type ReportLine,
} from '../../connectors/reports.js';
import { type Activity, type LedgerAccount, type Section, sum, ZERO } from './accounts.js';

/** The accounts in a part of a statement, with their amounts. */
const partOf = (
  accounts: readonly LedgerAccount[],
  isIn: (account: LedgerAccount) => boolean,
  valueOf: (account: LedgerAccount) => Decimal,
): ReportLine[] =>
  accounts.filter(isIn).flatMap((account) => {
    const value = valueOf(account);
    return value.isZero() ? [] : [lineOf(account.name, value, account.accountId)];
  });

const lineOf = (name: string, value: Decimal, accountId: string | null): ReportLine => ({
  name,
  value: amountText(value),
  accountId,
  lineItems: [],
});

/** An account's balance at the end of a period. */
const heldAt = ({ held }: LedgerAccount, stretch: number): Decimal => held[stretch] ?? ZERO;
const isEarning = ({ section }: LedgerAccount) => !['asset', 'liability', 'equity'].includes(section);

/** Assets, liabilities and equity at the end of a period: earnings not closed yet are equity. */
export function balanceSheet(accounts: readonly LedgerAccount[], stretch: number): BalanceSheetBody {
  const inSection = (wanted: Section, sign: 1 | -1) =>
    partOf(
      accounts,
      ({ section }) => section === wanted,
      (account) => heldAt(account, stretch).times(sign),
    );
  const earnings = sum(accounts.filter(isEarning).map((account) => heldAt(account, stretch))).negated();
  const current = earnings.isZero() ? [] : [lineOf('Current earnings', earnings, null)];
  return balanceSheetOf({
    assets: inSection('asset', 1),
    liabilities: inSection('liability', -1),
    equity: [...inSection('equity', -1), ...current],
  });
}

/** Income and expenses in a period. */
export function incomeStatement(accounts: readonly LedgerAccount[], stretch: number): IncomeStatementBody {
  const inSection = (wanted: Section, sign: 1 | -1) =>
    partOf(
      accounts,
      ({ section }) => section === wanted,
      ({ net }) => (net[stretch] ?? ZERO).times(sign),
    );
  return incomeStatementOf({
    revenue: inSection('revenue', -1),
    costOfGoodsSold: inSection('directCost', 1),
    operatingExpenses: inSection('operatingExpense', 1),
    nonOperatingRevenue: inSection('otherRevenue', -1),
    nonOperatingExpenses: inSection('otherExpense', 1),
    taxes: inSection('tax', 1),
  });
}

/** Cash flows in a period: by the other accounts of the entries that moved cash. */
export function cashFlowStatement(
  accounts: readonly LedgerAccount[],
  stretch: number,
): CashFlowStatementBody {
  const ofActivity = (wanted: Activity) =>
    partOf(
      accounts,
      ({ activity }) => activity === wanted,
      ({ withCash }) => (withCash[stretch] ?? ZERO).negated(),
    );
  const money = accounts.filter(({ activity }) => activity === null);
  const heldIn = (until: number) => amountText(sum(money.map((account) => heldAt(account, until))));
  return {
    operatingActivities: ofActivity('operating'),
    investingActivities: ofActivity('investing'),
    financingActivities: ofActivity('financing'),
    cashAtBeginningOfPeriod: heldIn(stretch - 1),
    cashAtEndOfPeriod: heldIn(stretch),
  };
}
