import type { StatementBodies, StatementKind } from '../../connectors/reports.js';
import type { Context } from '../../context.js';
import { AppError, invalid } from '../../errors.js';
import { type LedgerRow, readLedger } from '../../query/ledger.js';
import { accountsOf, type LedgerAccount } from './accounts.js';
import { readBaseCurrencies } from './base-currencies.js';
import type { Books } from './books.js';
import { balanceSheet, cashFlowStatement, incomeStatement } from './compute.js';
import { headOf, type Statement, timesOf, type WantedStatements } from './statement.js';

/** Computation of each kind of statement, by GraphQL type. */
const COMPUTED: {
  readonly [Kind in StatementKind]: (
    accounts: readonly LedgerAccount[],
    stretch: number,
  ) => StatementBodies[Kind];
} = {
  BalanceSheet: balanceSheet,
  IncomeStatement: incomeStatement,
  CashFlowStatement: cashFlowStatement,
};

/** Statements computed from ledgers, and why some ledgers allowed none. */
interface Computed<Kind extends StatementKind> {
  readonly statements: Statement<Kind>[];
  readonly broken: ReadonlyMap<Books, AppError>;
}

/** Statements from complete ledgers: for each, one per period. */
export async function computeStatements<Kind extends StatementKind>(
  context: Context,
  { kind, periods, books }: WantedStatements<Kind>,
): Promise<Computed<Kind>> {
  const max = context.limits.maxTake;
  if (books.length * periods.length > max) {
    throw invalid('period', `makes more than ${max} statements: ask for one company, or for longer periods`);
  }
  const broken = new Map<Books, AppError>();
  const last = periods.at(-1);
  if (!last || books.length === 0) return { statements: [], broken };
  const rows = await readLedger(context.lists, books, {
    starts: periods.map(({ start }) => start),
    end: last.end,
  });
  const currencies = await readBaseCurrencies(context.sql, books);
  const statements = books.flatMap((one) => {
    const own = rows.filter(({ connectionId: of }) => of === one.connectionId);
    const accounts = accountsOr(own, periods.length + 1, (error) => broken.set(one, error));
    return periods.flatMap((period, index) => {
      if (!accounts) return [];
      const head = headOf(kind, one, period, {
        source: 'LEDGER',
        currencies,
        siblings: books.length * periods.length,
      });
      const body: StatementBodies[Kind] = COMPUTED[kind](accounts, index + 1);
      return [{ ...head, ...timesOf(own), ...body }];
    });
  });
  return { statements, broken };
}

/** The accounts of a ledger; if nothing can be computed from it, reports to `tell` and returns null. */
function accountsOr(
  rows: readonly LedgerRow[],
  stretches: number,
  tell: (error: AppError) => void,
): readonly LedgerAccount[] | null {
  try {
    return accountsOf(rows, stretches);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    tell(error);
    return null;
  }
}
