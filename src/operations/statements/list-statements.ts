import type { StatementBodies, StatementKind } from '../../connectors/reports.js';
import type { Context } from '../../context.js';
import { databaseTime } from '../../db/clock.js';
import { invalid } from '../../errors.js';
import type { CountedConnection } from '../../query/pages/connection.js';
import { pageOfAll } from '../../query/pages/complete-list.js';
import type { PageArguments } from '../../query/pages/page.js';
import { requireCompany } from '../companies/require-company.js';
import { readBaseCurrencies } from './base-currencies.js';
import { type Books, booksOf, noStatement } from './books.js';
import { computeStatements } from './compute-statements.js';
import { checkReportCount, makes, readStatements } from './own-reports.js';
import { periodsOf, type WantedPeriods } from './periods.js';
import {
  headOf,
  type Statement,
  type StatementHead,
  type StatementSource,
  timesOf,
  type WantedStatements,
} from './statement.js';

/** Arguments of a list of statements. */
interface StatementArguments extends WantedPeriods {
  readonly companyId?: number | null | undefined;
  readonly connectionId?: number | null | undefined;
  readonly integrationType?: string | null | undefined;
  /** Absent: the ledger if complete, else the platform. */
  readonly source?: StatementSource | null | undefined;
  /** Order by end date; absent: earliest first. */
  readonly direction?: 'ASC' | 'DESC' | null | undefined;
}

export type StatementConnection = CountedConnection<Statement>;

/** A page of the requested statements. */
export async function listStatements<Kind extends StatementKind>(
  context: Context,
  kind: Kind,
  wanted: StatementArguments & PageArguments,
): Promise<CountedConnection<Statement<Kind>>> {
  const statements = await readStatementsOf(context, kind, wanted);
  const elements = statements.map((node) => ({ id: String(node.svcId), node }));
  return pageOfAll(kind, elements, wanted, { limits: context.limits, nested: false });
}

/**
 * Statements of each period: of one company, or of all with complete books. They are computed from the ledger; if that
 * is incomplete, a named company's are the platform's own. Throws `operation-denied` if there are neither.
 */
async function readStatementsOf<Kind extends StatementKind>(
  context: Context,
  kind: Kind,
  wanted: StatementArguments,
): Promise<Statement<Kind>[]> {
  const { companyId = null, source = null, direction } = wanted;
  const periods = periodsOf(wanted, databaseTime().toISOString().slice(0, 10));
  if (companyId !== null) await requireCompany(context.client, companyId, 'companyId');
  else if (source === 'PLATFORM')
    throw invalid('source', 'can be PLATFORM for one company only: name it by companyId');
  const all = await booksOf(context, { ...wanted, companyId });
  const whole = source === 'PLATFORM' ? [] : all.filter(({ lacking }) => lacking === null);
  const computed = await computeStatements(context, { kind, periods, books: whole });
  const isOwn = (books: Books) => companyId !== null && source !== 'LEDGER' && makes(books, kind);
  const others = all.filter((books) => !whole.includes(books) || computed.broken.has(books));
  const read = await readOwn(context, { kind, periods, books: others.filter(isOwn) });
  const statements = [...computed.statements, ...read];
  if (companyId !== null && statements.length === 0) {
    const [error] = computed.broken.values();
    const what = kind.replace(/[A-Z]/g, ' $&').toLowerCase().trim();
    throw error ?? noStatement(all, source === 'PLATFORM', what);
  }
  const sign = direction === 'DESC' ? -1 : 1;
  const byEnd = (one: StatementHead, other: StatementHead) =>
    sign * one.periodEnd.localeCompare(other.periodEnd) || one.svcCompanyId - other.svcCompanyId;
  return statements.sort(byEnd);
}

/** Reads the platforms' own statements. */
async function readOwn<Kind extends StatementKind>(
  context: Context,
  { kind, periods, books }: WantedStatements<Kind>,
): Promise<Statement<Kind>[]> {
  if (books.length === 0) return [];
  const currencies = await readBaseCurrencies(context.sql, books);
  const statements: Statement<Kind>[] = [];
  for (const one of books) {
    checkReportCount(one, periods.length);
    const bodies = await readStatements(context, one, kind, periods);
    for (const [index, period] of periods.entries()) {
      const head = headOf(kind, one, period, {
        source: 'PLATFORM',
        currencies,
        siblings: books.length * periods.length,
      });
      statements.push({ ...head, ...timesOf([]), ...(bodies[index] as StatementBodies[Kind]) });
    }
  }
  return statements;
}
