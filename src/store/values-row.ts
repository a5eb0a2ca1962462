import { invalid } from '../errors.js';
import { coerce } from '../query/filters/coerce.js';
import type { RecordDefinition } from '../records/define.js';
import type { Field } from '../records/fields.js';
import { parseText } from '../base/values.js';

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
      row[field.wire] = ((value ?? []) as string[]).map((one) => coerce(field, one, name));
    else row[field.wire] = value === null || value === undefined ? null : toStored(field, value, name);
  }
  return row;
}

/**
 * Maximum bytes of an id. An index entry has room for 2,704, and the database refuses the whole batch for one that
 * exceeds it.
 */
const MAX_ID_BYTES = 2000;

export const isIdTooLong = (id: string): boolean => Buffer.byteLength(id) > MAX_ID_BYTES;

/** Throws AppError naming the field for an id too long for an index. */
export function checkId(id: string, name: string): void {
  if (isIdTooLong(id)) throw invalid(name, `must have at most ${MAX_ID_BYTES} bytes`);
}

/** Fields that stand in indexes: ids of other records, and what lines name accounts by. */
const isIndexed = ({ wire, kind }: Field): boolean =>
  kind === 'text' && (wire.endsWith('_id') || wire === 'nominal_code');

/** A value outside a closed set, which a mapper could not translate, must not block its whole page. */
function toStored(field: Field, value: unknown, name: string): string | number | boolean | null {
  const { values } = field;
  if (!values) {
    if (typeof value === 'string' && isIndexed(field)) checkId(value, name);
    return coerce(field, value, name);
  }
  const word = parseText(value, name).toUpperCase();
  return values.find((one) => one === word) ?? values.find((one) => one === 'UNKNOWN') ?? null;
}
