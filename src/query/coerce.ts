import { invalid } from '../errors.js';
import type { Field } from '../records/fields.js';
import {
  parseBoolean,
  parseChoice,
  parseDate,
  parseDateTime,
  parseDecimal,
  parseSvcId,
  parseText,
} from '../values.js';

/** The inside form of a value for a field, from what GraphQL or REST gave. `path` names it in errors. */
export function coerce(field: Field, value: unknown, path: string): string | number | boolean {
  switch (field.kind) {
    case 'text':
      return field.values ? parseChoice(field.values, value, path) : parseText(value, path);
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
      throw invalid(path, `${path} cannot be compared`);
    default:
      return field.kind satisfies never;
  }
}
