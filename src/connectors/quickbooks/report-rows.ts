import type { PlatformClient, PlatformObject } from '../platform.js';
import { isSameTotal, type ReportLine, totalOf } from '../reports.js';
import { isZero } from '../values/decimals.js';
import { decimalOf, objectOf, objectsIn, textOf } from '../values/platform-values.js';
import { listOf, unexpectedAnswer } from '../values/required-values.js';
import { QUICKBOOKS_TITLE } from './client.js';

/** A row of a report: an account, a section of rows, or a total. */
export interface ReportRow {
  /** QuickBooks' own word for a section or total, whatever its language: `Income`. Null for most rows. */
  readonly group: string | null;
  readonly name: string;
  readonly accountId: string | null;
  /** Of an account without those below it; of no account, for what is earned in the year. */
  readonly amounts: readonly (string | null)[];
  readonly rows: readonly ReportRow[];
  /** Of the section; null if it states none. */
  readonly total: string | null;
}

export interface Report {
  /** There is nothing in the period: totals are missing, too. */
  readonly isEmpty: boolean;
  readonly rows: readonly ReportRow[];
}

/** Reads a report. Its basis is accrual, as that of records, whatever the company prefers. */
export async function readReport(
  client: PlatformClient,
  name: string,
  query: Readonly<Record<string, string>>,
): Promise<Report> {
  const answer = await client.get(`/reports/${name}`, { query: { accounting_method: 'Accrual', ...query } });
  const options = objectsIn(objectOf(answer['Header'])?.['Option']);
  if (!objectOf(answer['Rows']))
    throw unexpectedAnswer(QUICKBOOKS_TITLE, `sent a report ${name} without Rows`);
  return {
    isEmpty: options.some(({ Name, Value }) => Name === 'NoReportData' && Value === 'true'),
    rows: rowsIn(answer),
  };
}

function rowsIn(parent: PlatformObject): ReportRow[] {
  const rows = objectOf(parent['Rows']);
  return rows?.['Row'] === undefined ? [] : listOf(QUICKBOOKS_TITLE, rows, 'Row').map(rowOf);
}

function rowOf(row: PlatformObject): ReportRow {
  // A section of an account has the account's own amount in its header.
  const [head, ...others] = cellsOf(objectOf(row['Header']) ?? row);
  const name = textOf(head?.['value']) ?? '';
  const [, total] = cellsOf(objectOf(row['Summary']) ?? {});
  return {
    group: textOf(row['group']),
    name,
    accountId: textOf(head?.['id']),
    amounts: others.map((cell) => amountIn(cell, name)),
    rows: rowsIn(row),
    total: total ? amountIn(total, `total of ${name}`) : null,
  };
}

const cellsOf = (row: PlatformObject): PlatformObject[] => objectsIn(row['ColData']);

/** Null if the cell is empty. */
function amountIn({ value }: PlatformObject, name: string): string | null {
  if (value === undefined || value === '') return null;
  const amount = decimalOf(value);
  if (amount === null)
    throw unexpectedAnswer(QUICKBOOKS_TITLE, `sent a report whose line "${name}" has no amount`);
  return amount;
}

/** All rows of accounts, at any depth. */
export const accountsIn = (rows: readonly ReportRow[]): ReportRow[] =>
  rows.flatMap((row) => [...(row.accountId === null ? [] : [row]), ...accountsIn(row.rows)]);

/** The accounts of a section with their amounts, without zeros. An account below another is `Other:Account`. */
export const linesOf = ({ rows }: ReportRow, above = ''): ReportLine[] =>
  rows.flatMap((row) => {
    const name = `${above}${row.name}`;
    const [value = null] = row.amounts;
    const own =
      value === null || isZero(value) ? [] : [{ name, value, accountId: row.accountId, lineItems: [] }];
    return [...own, ...linesOf(row, row.accountId === null ? above : `${name}:`)];
  });

/** The same; throws if the section states another total than theirs: it was then misread. */
export function agreedLines(section: ReportRow): ReportLine[] {
  const lines = linesOf(section);
  mustAgree(section.name, lines, section.total);
  return lines;
}

/** A section as a group of its accounts; empty if it has none. */
export function groupOf(section: ReportRow): ReportLine[] {
  const lineItems = agreedLines(section);
  if (lineItems.length === 0) return [];
  return [{ name: section.name, value: totalOf(lineItems).toFixed(), accountId: null, lineItems }];
}

function mustAgree(what: string, lines: readonly ReportLine[], stated: string | null): void {
  const ours = totalOf(lines).toFixed();
  if (stated === null || isSameTotal(ours, stated, lines.length)) return;
  throw unexpectedAnswer(
    QUICKBOOKS_TITLE,
    `sent a report whose lines of "${what}" add up to ${ours}, but which states ${stated}`,
  );
}

/** The total that the report states for a group; null if there is none. */
export const statedTotal = (rows: readonly ReportRow[], group: string): string | null =>
  rows.find((row) => row.group === group)?.total ?? null;
