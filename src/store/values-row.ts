import { coerceStored } from '../query/coerce.js';
import type { RecordDefinition } from '../records/define.js';

/**
 * A record's own values by column, every column present: null (or an empty list) where nothing is known. Throws
 * AppError naming the field for a value that its kind does not take.
 */
export function valuesRow(
  definition: RecordDefinition,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(definition.own)) {
    const value = values[name];
    if (field.kind === 'textList')
      row[field.wire] = ((value ?? []) as string[]).map((one) => coerceStored(field, one, name));
    else row[field.wire] = value === null || value === undefined ? null : coerceStored(field, value, name);
  }
  return row;
}
