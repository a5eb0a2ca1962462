import type { RecordDefinition } from '../records/define.js';
import type { Field } from '../records/fields.js';
import { customFieldsSql } from './filters/custom-fields.js';
import { versionSql } from './version.js';

/** A row of a hot read: GraphQL field name to value, only the columns that were asked for. */
export type Row = Readonly<Record<string, unknown>>;

/** The select list for some fields of the row `t`, in the definition's order, so that equal sets give equal statements. */
export function columnsSql(definition: RecordDefinition, names: ReadonlySet<string>): string {
  const columns: string[] = [];
  for (const [name, field] of Object.entries(definition.fields)) {
    if (!names.has(name)) continue;
    columns.push(`${columnSql(definition, field)} AS "${name}"`);
  }
  // In raw_data, at the place given by its platform's connector.
  if (names.has('customFields')) columns.push(`${customFieldsSql(definition)} AS "customFields"`);
  return columns.join(', ');
}

/** A field of the row `t`. */
export const columnSql = (
  definition: RecordDefinition,
  { kind, wire }: Pick<Field, 'kind' | 'wire'>,
): string => (kind === 'version' ? versionSql(definition, 't') : `t.${wire}`);
