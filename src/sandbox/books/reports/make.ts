import type { Decimal } from 'decimal.js';
import { isDebitClass } from '../write/balances.js';
import { type Ledger, type LedgerAccount, sums, ZERO } from './ledger.js';

interface Section {
  readonly name: string;
  readonly lines: readonly { readonly account: LedgerAccount | null; readonly amount: Decimal }[];
}

interface Report {
  readonly sections: readonly Section[];
  /** Results below the sections, by name. */
  readonly results: Readonly<Record<string, Decimal>>;
}

/** Functions that compute each report, by its name. */
export const REPORTS: Readonly<Record<string, (ledger: Ledger) => Report>> = {
  BalanceSheet: balanceSheet,
  IncomeStatement: incomeStatement,
  CashFlow: cashFlow,
  TrialBalance: trialBalance,
};

export const total = ({ lines }: Section): Decimal =>
  lines.reduce((sum, { amount }) => sum.plus(amount), ZERO);

/** The accounts of a section with their amounts, on the normal side of their class unless `sign` is given. */
function sectionOf(
  name: string,
  { accounts }: Ledger,
  {
    of,
    is,
    sign,
  }: {
    readonly of: ReadonlyMap<string, Decimal>;
    readonly is: (account: LedgerAccount) => boolean;
    readonly sign?: 1 | -1;
  },
): Section {
  const lines = accounts.filter(is).flatMap((account) => {
    const amount = of.get(account.Number) ?? ZERO;
    const signed = amount.times(sign ?? (isDebitClass(account.Class) ? 1 : -1));
    return signed.isZero() ? [] : [{ account, amount: signed }];
  });
  return { name, lines };
}

const isOf =
  (...classes: readonly string[]) =>
  ({ Class }: LedgerAccount) =>
    classes.includes(Class);

const isEarning = isOf('revenue', 'costs');

function balanceSheet(ledger: Ledger): Report {
  const of = sums(ledger.entries.filter(({ day }) => day <= ledger.to));
  const assets = sectionOf('assets', ledger, { of, is: isOf('assets', 'bank', 'suspense'), sign: 1 });
  const liabilities = sectionOf('liabilities', ledger, { of, is: isOf('liabilities') });
  const equity = sectionOf('equity', ledger, { of, is: isOf('equity') });
  const earned = total(sectionOf('', ledger, { of, is: isEarning, sign: -1 }));
  const earnings = earned.isZero() ? [] : [{ account: null, amount: earned }];
  return {
    sections: [assets, liabilities, { ...equity, lines: [...equity.lines, ...earnings] }],
    results: { NetAssets: total(assets).minus(total(liabilities)) },
  };
}

function incomeStatement(ledger: Ledger): Report {
  const of = sums(ledger.entries.filter(({ day }) => day >= ledger.from && day <= ledger.to));
  const grouped = (name: string, ofClass: string, is: (group: string) => boolean): Section =>
    sectionOf(name, ledger, { of, is: ({ Class, Group }) => Class === ofClass && is(Group ?? '') });
  const other = ['direct cost', 'income tax', 'other expense'];
  const sections = [
    grouped('revenue', 'revenue', (group) => group !== 'other income'),
    grouped('cost of sales', 'costs', (group) => group === 'direct cost'),
    grouped('operating costs', 'costs', (group) => !other.includes(group)),
    grouped('other income', 'revenue', (group) => group === 'other income'),
    grouped('other costs', 'costs', (group) => group === 'other expense'),
    grouped('taxes', 'costs', (group) => group === 'income tax'),
  ];
  const earned = total(sectionOf('', ledger, { of, is: isEarning, sign: -1 }));
  return { sections, results: { NetProfit: earned } };
}

const isMoney = isOf('bank');

function cashFlow(ledger: Ledger): Report {
  const { accounts, entries, from, to } = ledger;
  const banks = new Set(accounts.filter(isMoney).map(({ Number: number }) => number));
  const inPeriod = entries.filter(({ day }) => day >= from && day <= to);
  const of = sums(inPeriod.filter(({ moves }) => [...moves.keys()].some((number) => banks.has(number))));
  const activityOf = ({ Class, Group }: LedgerAccount): string => {
    if (Class === 'bank') return '';
    if (Class === 'equity' || (Class === 'liabilities' && Group === 'long term')) return 'financing';
    return Class === 'assets' && Group === 'fixed asset' ? 'investing' : 'operating';
  };
  const sections = ['operating', 'investing', 'financing'].map((name) =>
    sectionOf(name, ledger, { of, is: (account) => activityOf(account) === name, sign: -1 }),
  );
  const held = (is: (day: string) => boolean) =>
    total(sectionOf('', ledger, { of: sums(entries.filter(({ day }) => is(day))), is: isMoney, sign: 1 }));
  const results = { CashBefore: held((day) => day < from), CashAfter: held((day) => day <= to) };
  return { sections, results };
}

/** Debits are positive, credits negative. */
function trialBalance(ledger: Ledger): Report {
  const of = sums(ledger.entries.filter(({ day }) => day <= ledger.to));
  return { sections: [sectionOf('accounts', ledger, { of, is: () => true, sign: 1 })], results: {} };
}
