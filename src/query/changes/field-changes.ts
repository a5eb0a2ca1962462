import { parse, isLosslessNumber } from 'lossless-json';
import type { Fields } from '../../records/define.js';
import type { FieldKind } from '../../records/fields.js';

/** The value of a field before and after. */
export type FieldChange = readonly [before: unknown, after: unknown];

/**
 * The changes of a row of the log, column name to JSON values, in GraphQL's names and values. Columns that its record
 * type no longer has are left out.
 */
export function presentFieldChanges(fields: Fields, text: string): Record<string, FieldChange> {
  const changes = parse(text) as Record<string, readonly [unknown, unknown]>;
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { wire, kind }]): [string, FieldChange][] => {
      const change = changes[wire];
      return change ? [[name, [present(kind, change[0]), present(kind, change[1])]]] : [];
    }),
  );
}

/** A value as rows hold it (see `readTypes`). PostgreSQL writes a timestamp in JSON with an offset. */
function present(kind: FieldKind, value: unknown): unknown {
  if (kind === 'timestamp' && typeof value === 'string') return new Date(value).toISOString();
  if (!isLosslessNumber(value)) return value;
  return kind === 'svcId' ? Number(value.value) : value.value;
}
