import { createHash } from 'node:crypto';
import type { Context } from '../../context.js';
import { databaseTime } from '../../db/clock.js';
import { AppError, invalid } from '../../errors.js';
import { type LedgerRow, readLedger } from '../../query/ledger.js';
import { requireCompany } from '../companies/require-company.js';
import { accountsOf, type LedgerAccount } from './accounts.js';
import { readBaseCurrencies } from './base-currencies.js';
import { balanceSheet, cashFlowStatement, incomeStatement } from './compute.js';
import { type Ledger, ledgersOf } from './ledgers.js';
import { type Period, periodsOf, type WantedPeriods } from './periods.js';

/** Which statements are wanted. */
export interface StatementArguments extends WantedPeriods {
  readonly companyId?: number | null | undefined;
  readonly connectionId?: number | null | undefined;
  /** By their ends; the earliest first where absent. */
  readonly direction?: 'ASC' | 'DESC' | null | undefined;
}

/** How a kind of statement is computed, by the name of its GraphQL type. */
const COMPUTED = {
  BalanceSheet: balanceSheet,
  IncomeStatement: incomeStatement,
  CashFlowStatement: cashFlowStatement,
};

export type StatementKind = keyof typeof COMPUTED;

/** What every statement says of itself. */
interface StatementHead {
  readonly svcId: number;
  readonly svcCompanyId: number;
  readonly connectionId: number;
  readonly svcCreatedAt: string;
  readonly svcUpdatedAt: string;
  readonly platformId: string;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly currencyId: string | null;
  readonly currencyCode: string | null;
  readonly updatedAt: string | null;
}

type Statement<Kind extends StatementKind> = StatementHead & ReturnType<(typeof COMPUTED)[Kind]>;

/**
 * Statements that are computed of the ledgers that were read, each period of each company: those of one company, or of
 * all whose books are complete. Throws `operation-denied` where the books of the company that is named are not.
 */
export async function listStatements<Kind extends StatementKind>(
  context: Context,
  kind: Kind,
  wanted: StatementArguments,
): Promise<Statement<Kind>[]> {
  const { companyId = null, connectionId, direction } = wanted;
  const periods = periodsOf(wanted, databaseTime().toISOString().slice(0, 10));
  if (companyId !== null) await requireCompany(context.client, companyId, 'companyId');
  const ledgers = await ledgersOf(context, { companyId, connectionId });
  const most = context.limits.maxTake;
  if (ledgers.length * periods.length > most) {
    throw invalid('period', `makes more than ${most} statements: ask for one company, or for longer periods`);
  }
  const [first] = periods;
  const last = periods.at(-1);
  if (!first || !last || ledgers.length === 0) return [];
  const rows = await readLedger(context.sql, ledgers, {
    starts: periods.map(({ start }) => start),
    end: last.end,
  });
  const currencies = await readBaseCurrencies(context.sql, ledgers);
  const statements = ledgers.flatMap((ledger) => {
    const own = rows.filter(({ connectionId: of }) => of === ledger.connectionId);
    const accounts = accountsOr(own, periods.length + 1, companyId === null);
    if (!accounts) return [];
    const compute = COMPUTED[kind] as (accounts: readonly LedgerAccount[], stretch: number) => object;
    return periods.map((period, index) => ({
      ...headOf(kind, ledger, period, { rows: own, currencies }),
      ...compute(accounts, index + 1),
    }));
  });
  const sign = direction === 'DESC' ? -1 : 1;
  const byEnd = (one: StatementHead, other: StatementHead) =>
    sign * one.periodEnd.localeCompare(other.periodEnd) || one.svcCompanyId - other.svcCompanyId;
  return (statements as Statement<Kind>[]).sort(byEnd);
}

/** The accounts of a ledger; null where nothing can be computed of it and nobody asked for it by name. */
function accountsOr(
  rows: readonly LedgerRow[],
  stretches: number,
  isOneOfAll: boolean,
): readonly LedgerAccount[] | null {
  try {
    return accountsOf(rows, stretches);
  } catch (error) {
    if (isOneOfAll && error instanceof AppError) return null;
    throw error;
  }
}

interface HeadSource {
  readonly rows: readonly LedgerRow[];
  readonly currencies: ReadonlyMap<number, string>;
}

function headOf(
  kind: StatementKind,
  { svcCompanyId, connectionId, currencyCode }: Ledger,
  { start, end }: Period,
  { rows, currencies }: HeadSource,
): StatementHead {
  const latest = (times: readonly (string | null)[]) =>
    times.reduce((a, b) => ((b ?? '') > (a ?? '') ? b : a), null);
  const platformId = `${start}/${end}`;
  const storedAt = latest(rows.map((row) => row.storedAt)) ?? databaseTime().toISOString();
  return {
    svcId: idOf(`${kind}/${connectionId}/${platformId}`),
    svcCompanyId,
    connectionId,
    svcCreatedAt: storedAt,
    svcUpdatedAt: storedAt,
    platformId,
    periodStart: start,
    periodEnd: end,
    currencyId: currencies.get(connectionId) ?? null,
    currencyCode,
    updatedAt: latest(rows.map((row) => row.updatedAt)),
  };
}

/** A number for what is stored nowhere: the same for the same statement of the same books. */
const idOf = (text: string): number => createHash('sha256').update(text).digest().readUIntBE(0, 6);
