import type { ReportPeriod, StatementKind } from '../../connectors/reports.js';
import type { Context } from '../../context.js';
import { AppError } from '../../errors.js';
import { WithheldAccess } from '../../platforms/scope-access.js';
import { isDay } from '../../base/values.js';
import { booksOf } from './books.js';
import { computeStatements } from './compute-statements.js';
import { listStatements } from './list-statements.js';
import { checkFoundCount } from './own-reports.js';
import type { Statement, StatementSource } from './statement.js';

/** Identity of a statement of a kind: its books, dates and source. */
interface StatementName {
  readonly connectionId: number;
  readonly period: ReportPeriod;
  readonly source: StatementSource;
}

const SOURCES: readonly StatementSource[] = ['LEDGER', 'PLATFORM'];

const digits = (day: string): string => day.replaceAll('-', '');

/** A statement's identity in digits. */
export const statementKey = ({ connectionId, periodStart, periodEnd, source }: Statement): string =>
  `${connectionId}${digits(periodStart)}${digits(periodEnd)}${SOURCES.indexOf(source)}`;

const KEY = /^(\d{1,15})(\d{8})(\d{8})(\d)$/;

const dayOf = (text = ''): string => `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;

/** Null for an invalid key. */
function nameOf(key: string): StatementName | null {
  const [, connectionId, first, last, maker] = KEY.exec(key) ?? [];
  const [start, end, source] = [dayOf(first), dayOf(last), SOURCES[Number(maker)]];
  const isOne = source !== undefined && isDay(start) && isDay(end) && start <= end;
  return isOne ? { connectionId: Number(connectionId), period: { start, end }, source } : null;
}

/** The current statement of a key; null if there is none, or no longer. */
export async function findStatement(
  context: Context,
  kind: StatementKind,
  { svcCompanyId, key }: { readonly svcCompanyId: number; readonly key: string },
): Promise<Statement | null> {
  const name = nameOf(key);
  if (!name) return null;
  const { connectionId, period, source } = name;
  if (source === 'PLATFORM')
    return findOwn(context, JSON.stringify({ kind, svcCompanyId, connectionId, period }));
  const found = await context.loaders
    .of<Statement | null>(`node ${kind} ${period.start} ${period.end}`, async (keys) => {
      const books = await booksOf(context, { companyId: null, connectionId: keys.map(Number) });
      const whole = books.filter(({ lacking }) => lacking === null);
      const { statements } = await computeStatements(context, { kind, periods: [period], books: whole });
      return keys.map((one) => statements.find((made) => made.connectionId === Number(one)) ?? null);
    })
    .load(String(connectionId));
  return found?.svcCompanyId === svcCompanyId ? found : null;
}

/** Errors that mean that there is no such statement. */
const ABSENT: ReadonlySet<string> = new Set(['not-found', 'operation-denied']);

interface OwnName extends Pick<StatementName, 'connectionId' | 'period'> {
  readonly kind: StatementKind;
  readonly svcCompanyId: number;
}

/** Statements of platforms by their `OwnName` in JSON: each is a call to a platform, so all of a request are counted. */
function findOwn(context: Context, name: string): Promise<Statement | null> {
  return context.loaders
    .of<Statement | null>('own statements', async (names) => {
      checkFoundCount(names.length);
      const read = names.map((one) => readOwn(context, JSON.parse(one) as OwnName));
      return Promise.all(read.map((one) => one.catch((error: Error) => error)));
    })
    .load(name);
}

async function readOwn(
  context: Context,
  { kind, svcCompanyId, connectionId, period: { start, end } }: OwnName,
): Promise<Statement | null> {
  const wanted = { companyId: svcCompanyId, connectionId, periodStart: start, periodEnd: end };
  try {
    const { nodes } = await listStatements(context, kind, { ...wanted, source: 'PLATFORM' });
    return nodes[0] ?? null;
  } catch (error) {
    if (error instanceof AppError && ABSENT.has(error.code) && !(error instanceof WithheldAccess))
      return null;
    throw error;
  }
}
