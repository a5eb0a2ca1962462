import { Decimal } from 'decimal.js';
import type { PlatformClient, PlatformObject } from '../platform.js';
import { decimalOf, objectsIn, textOf } from '../values/platform-values.js';
import { type ReportLine, totalOf } from '../reports.js';
import { unexpectedAnswer } from './answer-error.js';
import { NIL_GUID } from './guid.js';
import { objectsOf } from './pages.js';

/** A section of a report with its rows. */
export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

interface Row {
  readonly isSummary: boolean;
  readonly name: string;
  readonly values: readonly (string | null)[];
  readonly accountId: string | null;
}

/** Reads the sections of a report. */
export async function readReport(
  client: PlatformClient,
  name: string,
  query: Readonly<Record<string, string>>,
): Promise<Section[]> {
  const answer = await client.get(`/Reports/${name}`, { query });
  const [report] = objectsOf(answer, 'Reports');
  if (!report) throw unexpectedAnswer(`sent no report ${name}`);
  return objectsOf(report, 'Rows')
    .filter(({ RowType }) => RowType === 'Section')
    .map((section) => ({
      title: textOf(section['Title']) ?? '',
      rows: objectsOf(section, 'Rows').map(rowOf),
    }));
}

function rowOf(row: PlatformObject): Row {
  const [head, ...others] = objectsOf(row, 'Cells');
  const account = head && objectsIn(head['Attributes']).find(({ Id }) => Id === 'account');
  return {
    isSummary: row['RowType'] === 'SummaryRow',
    name: textOf(head?.['Value']) ?? '',
    // Other layouts would put negative amounts in brackets.
    values: others.map(({ Value }) => decimalOf(Value)),
    accountId: textOf(account?.['Value']),
  };
}

/** The first amount of a row: the others are those of comparison periods. */
function amountOf({ name, values: [value] }: Row): string {
  if (value == null) throw unexpectedAnswer(`sent a report whose line "${name}" has no amount`);
  return value;
}

/** Given to the earnings of the year, which are no account; the nil one in the example of Xero's description. */
const CURRENT_EARNINGS: readonly unknown[] = ['abababab-abab-abab-abab-abababababab', NIL_GUID];

/** The accounts of a section with their amounts, without zeros. */
export const linesOf = ({ rows }: Section): ReportLine[] =>
  rows
    .filter(({ isSummary }) => !isSummary)
    .map((row) => ({
      name: row.name,
      value: amountOf(row),
      accountId: CURRENT_EARNINGS.includes(row.accountId) ? null : row.accountId,
      lineItems: [],
    }))
    .filter(({ value }) => !new Decimal(value).isZero());

/** A section as a group of its account lines; empty if it has none. */
export function groupOf(section: Section): ReportLine[] {
  const lineItems = linesOf(section);
  if (lineItems.length === 0) return [];
  return [{ name: section.title, value: totalOf(lineItems).toFixed(), accountId: null, lineItems }];
}

/** The amount that the report itself states, by the name of its row; null if there is none. */
export const said = (sections: readonly Section[], name: RegExp): string | null => {
  const row = sections.flatMap(({ rows }) => rows).find((one) => name.test(one.name));
  return row ? amountOf(row) : null;
};
