import type { Decimal } from 'decimal.js';
import { type Activity, amountText, type LedgerAccount, type Section, sum, ZERO } from './accounts.js';

/** A line of a statement: an account, or what is not one. */
export interface StatementLine {
  readonly name: string;
  readonly value: string;
  readonly accountId: string | null;
  readonly lineItems: StatementLine[];
}

/** Lines and their sum. */
interface Part {
  readonly lines: StatementLine[];
  readonly total: Decimal;
}

/** Which accounts a part of a statement is about, and how much each has there. */
function partOf(
  accounts: readonly LedgerAccount[],
  isIn: (account: LedgerAccount) => boolean,
  valueOf: (account: LedgerAccount) => Decimal,
): Part {
  const own = accounts.filter(isIn).map((account) => ({ account, value: valueOf(account) }));
  const lines = own.flatMap(({ account: { name, accountId }, value }) =>
    value.isZero() ? [] : [lineOf(name, value, accountId)],
  );
  return { lines, total: sum(own.map(({ value }) => value)) };
}

const lineOf = (name: string, value: Decimal, accountId: string | null): StatementLine => ({
  name,
  value: amountText(value),
  accountId,
  lineItems: [],
});

/** What an account has come to by the end of a stretch. */
const heldAt = ({ held }: LedgerAccount, stretch: number): Decimal => held[stretch] ?? ZERO;
const isEarning = ({ section }: LedgerAccount) => !['asset', 'liability', 'equity'].includes(section);

/** What the company has, owes and is worth at the end of a stretch: earnings that were not closed yet are equity. */
export function balanceSheet(accounts: readonly LedgerAccount[], stretch: number) {
  const inSection = (wanted: Section, sign: 1 | -1) =>
    partOf(
      accounts,
      ({ section }) => section === wanted,
      (account) => heldAt(account, stretch).times(sign),
    );
  const assets = inSection('asset', 1);
  const liabilities = inSection('liability', -1);
  const equity = inSection('equity', -1);
  const earnings = sum(accounts.filter(isEarning).map((account) => heldAt(account, stretch))).negated();
  const current = earnings.isZero() ? [] : [lineOf('Current earnings', earnings, null)];
  return {
    assets: assets.lines,
    liabilities: liabilities.lines,
    equity: [...equity.lines, ...current],
    netAssets: amountText(assets.total.minus(liabilities.total)),
  };
}

/** What the company earned and spent in a stretch. */
export function incomeStatement(accounts: readonly LedgerAccount[], stretch: number) {
  const inSection = (wanted: Section, sign: 1 | -1) =>
    partOf(
      accounts,
      ({ section }) => section === wanted,
      ({ net }) => (net[stretch] ?? ZERO).times(sign),
    );
  const revenue = inSection('revenue', -1);
  const direct = inSection('directCost', 1);
  const operating = inSection('operatingExpense', 1);
  const otherRevenue = inSection('otherRevenue', -1);
  const otherExpenses = inSection('otherExpense', 1);
  const taxes = inSection('tax', 1);
  const gross = revenue.total.minus(direct.total);
  const operatingProfit = gross.minus(operating.total);
  const beforeTaxes = operatingProfit.plus(otherRevenue.total).minus(otherExpenses.total);
  return {
    revenue: revenue.lines,
    costOfGoodsSold: direct.lines,
    grossProfit: amountText(gross),
    operatingExpenses: operating.lines,
    operatingProfit: amountText(operatingProfit),
    nonOperatingRevenue: otherRevenue.lines,
    nonOperatingExpenses: otherExpenses.lines,
    earningsBeforeTaxes: amountText(beforeTaxes),
    taxes: taxes.lines,
    netProfit: amountText(beforeTaxes.minus(taxes.total)),
  };
}

/** Where money came from and went in a stretch: by the other accounts of the entries that moved it. */
export function cashFlowStatement(accounts: readonly LedgerAccount[], stretch: number) {
  const ofActivity = (wanted: Activity) =>
    partOf(
      accounts,
      ({ activity }) => activity === wanted,
      ({ withCash }) => (withCash[stretch] ?? ZERO).negated(),
    ).lines;
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
