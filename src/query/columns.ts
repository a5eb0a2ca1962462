import type { RecordDefinition } from '../records/define.js';

/** A row of a hot read: GraphQL field name to value, only the columns that were asked for. */
export type Row = Readonly<Record<string, unknown>>;

/** The select list for some fields, in the definition's order, so that equal sets give equal statements. */
export function columnsSql(definition: RecordDefinition, names: ReadonlySet<string>, alias: string): string {
  const columns: string[] = [];
  for (const [name, field] of Object.entries(definition.fields)) {
    if (names.has(name)) columns.push(`${alias}.${field.wire} AS "${name}"`);
  }
  return columns.join(', ');
}
