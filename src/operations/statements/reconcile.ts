import { Exact } from '../../connectors/values/decimals.js';
import type { ReportLine, StatementBodies } from '../../connectors/reports.js';
import type { Context } from '../../context.js';
import { inCapitals } from '../../base/names.js';
import { computeStatements } from './compute-statements.js';
import { checkReportCount, makes, readStatements } from './own-reports.js';
import type { Statement } from './statement.js';

/** A difference between two statements of one period. */
interface Difference {
  /** The field of the statement: `NET_ASSETS`. */
  readonly part: string;
  /** Name of the line; null for an amount with its own field. */
  readonly name: string | null;
  readonly accountId: string | null;
  /** Null if only the other has it. */
  readonly ledger: string | null;
  readonly platform: string | null;
}

interface Reconciliation {
  readonly agrees: boolean;
  readonly differences: readonly Difference[];
}

/**
 * Compares a statement with its counterpart for the same period: computed from the ledger, or the platform's current
 * one. Null if there is no counterpart.
 */
export async function reconcile(context: Context, statement: Statement): Promise<Reconciliation | null> {
  const { kind, books, source, periodStart: start, periodEnd: end, siblings } = statement;
  const periods = [{ start, end }];
  if (source === 'LEDGER') {
    if (!makes(books, kind)) return null;
    checkReportCount(books, siblings);
    const [own] = await readStatements(context, books, kind, periods);
    return own ? compare(statement, own) : null;
  }
  if (books.lacking !== null) return null;
  const { statements } = await computeStatements(context, { kind, periods, books: [books] });
  return statements[0] ? compare(statements[0], statement) : null;
}

type Body = StatementBodies[keyof StatementBodies];

/** Differences of a cent or more, part by part, line by line. */
export function compare(ledger: Body, platform: Body): Reconciliation {
  const theirs = new Map(Object.entries(platform) as [string, unknown][]);
  const differences = Object.entries(ledger).flatMap(([field, value]: [string, unknown]): Difference[] => {
    const part = inCapitals(field);
    const other = theirs.get(field);
    if (Array.isArray(value) && Array.isArray(other)) {
      return compareLines(part, value as ReportLine[], other as ReportLine[]);
    }
    return AMOUNTS.has(field) && isDifferent(String(value), String(other))
      ? [{ part, name: null, accountId: null, ledger: String(value), platform: String(other) }]
      : [];
  });
  return { agrees: differences.length === 0, differences };
}

/** Fields that are one amount. */
const AMOUNTS: ReadonlySet<string> = new Set([
  'netAssets',
  'grossProfit',
  'operatingProfit',
  'earningsBeforeTaxes',
  'netProfit',
  'cashAtBeginningOfPeriod',
  'cashAtEndOfPeriod',
]);

/**
 * Compares the accounts of a part. Lines without an account are summed up: each side names and splits them differently.
 */
function compareLines(part: string, ledger: readonly ReportLine[], platform: readonly ReportLine[]) {
  const [ours, theirs] = [byAccount(ledger), byAccount(platform)];
  return [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((key): Difference[] => {
    const [one, other] = [ours.get(key), theirs.get(key)];
    if (!isDifferent(one?.value ?? '0', other?.value ?? '0')) return [];
    const { name = null, accountId = null } = one ?? other ?? {};
    return [{ part, name, accountId, ledger: one?.value ?? null, platform: other?.value ?? null }];
  });
}

type Leaf = Pick<ReportLine, 'name' | 'value' | 'accountId'>;

function byAccount(lines: readonly ReportLine[], found = new Map<string, Leaf>()): Map<string, Leaf> {
  for (const { name, value, accountId, lineItems } of lines) {
    if (lineItems.length > 0) {
      byAccount(lineItems, found);
      continue;
    }
    const key = accountId ?? '';
    const known = found.get(key);
    const sum = new Exact(value).plus(known?.value ?? 0).toFixed();
    found.set(key, known ? { ...known, value: sum } : { name, value, accountId });
  }
  return found;
}

/** Platforms round their amounts to cents. */
const isDifferent = (one: string, other: string): boolean =>
  new Exact(one).minus(other).abs().greaterThanOrEqualTo('0.01');
