import { type FieldPath, invalid } from '../../errors.js';
import type { Field } from '../../records/fields.js';
import {
  parseBoolean,
  parseChoice,
  parseDate,
  parseDateTime,
  parseDayOrTime,
  parseDecimal,
  parseSvcId,
  parseText,
} from '../../base/values.js';

/** The operand of a filter on a field; for a calendar day also a time. */
export const coerceOperand = (field: Field, value: unknown, path: FieldPath): string | number | boolean =>
  field.kind === 'date' ? parseDayOrTime(value, path) : coerce(field, value, path);

/** The internal form of a value for a field, from GraphQL or REST input. `path` names it in errors. */
export function coerce(field: Field, value: unknown, path: FieldPath): string | number | boolean {
  switch (field.kind) {
    case 'text':
      if (!field.values) return parseText(value, path);
      return field.isFilteredAsText
        ? wordOrText(field.values, value, path)
        : parseChoice(field.values, value, path);
    case 'textList':
      return parseText(value, path);
    case 'decimalNumber':
    case 'decimalText':
      return parseDecimal(value, path);
    case 'timestamp':
      return parseDateTime(value, path);
    case 'date':
      return parseDate(value, path);
    case 'boolean':
      return parseBoolean(value, path);
    case 'svcId':
      return parseSvcId(value, path);
    case 'json':
    case 'version':
      throw invalid(path, 'cannot be compared');
    default:
      return field.kind satisfies never;
  }
}

/** Matches a value of the set in any case; other text is kept, as clients also filter by values that no record has. */
function wordOrText(values: readonly string[], value: unknown, path: FieldPath): string {
  const text = parseText(value, path);
  return values.find((one) => one.toLowerCase() === text.toLowerCase()) ?? text;
}
