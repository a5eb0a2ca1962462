import { Decimal } from 'decimal.js';
import type { PlatformClient, PlatformObject } from '../connector.js';
import { decimalOf, objectOf, textOf } from '../platform-values.js';
import { type ReportLine, totalOf } from '../reports.js';
import { unexpectedAnswer } from './answer-error.js';
import { objectsOf } from './pages.js';

/** A section of a report, with its rows. */
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

/** The sections of a report. */
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
  const account = head && attributesOf(head).find(({ Id }) => Id === 'account');
  return {
    isSummary: row['RowType'] === 'SummaryRow',
    name: textOf(head?.['Value']) ?? '',
    // Amounts in brackets are of other layouts.
    values: others.map(({ Value }) => decimalOf(Value)),
    accountId: textOf(account?.['Value']),
  };
}

const attributesOf = (cell: PlatformObject): PlatformObject[] =>
  (Array.isArray(cell['Attributes']) ? cell['Attributes'] : [])
    .map(objectOf)
    .filter((attribute) => attribute !== null);

/** The first amount of a row: the others are those of periods that it is compared with. */
function amountOf({ name, values: [value] }: Row): string {
  if (value == null) throw unexpectedAnswer(`sent a report whose line "${name}" has no amount`);
  return value;
}

/** What the accounts of a section come to; those that hold nothing say nothing. */
export const linesOf = ({ rows }: Section): ReportLine[] =>
  rows
    .filter(({ isSummary }) => !isSummary)
    .map((row) => ({ name: row.name, value: amountOf(row), accountId: row.accountId, lineItems: [] }))
    .filter(({ value }) => !new Decimal(value).isZero());

/** A section as a line that is made of its accounts; nothing where it has none. */
export function groupOf(section: Section): ReportLine[] {
  const lineItems = linesOf(section);
  if (lineItems.length === 0) return [];
  return [{ name: section.title, value: totalOf(lineItems).toFixed(), accountId: null, lineItems }];
}

/** Amounts that a report itself says, by the words of their rows. */
export const said = (sections: readonly Section[], name: RegExp): string | null => {
  const row = sections.flatMap(({ rows }) => rows).find((one) => name.test(one.name));
  return row ? amountOf(row) : null;
};
