import type { Field, FieldKind } from '../../records/fields.js';

/** The PostgreSQL type of a field kind. */
export const SQL_TYPE: Readonly<Record<FieldKind, string>> = {
  text: 'text',
  textList: 'text[]',
  decimalNumber: 'numeric',
  decimalText: 'numeric',
  timestamp: 'timestamptz',
  date: 'date',
  boolean: 'boolean',
  svcId: 'bigint',
  json: 'jsonb',
  version: 'text',
};

/** The filter operators of each kind; `eq` and `ne` take null, the rest do not. */
const COMPARABLE = ['eq', 'ne', 'in', 'notIn', 'gt', 'gte', 'lt', 'lte', 'isNull'] as const;
const OPERATORS = {
  text: [...COMPARABLE, 'contains', 'startsWith'],
  textList: ['contains', 'isNull'],
  decimalNumber: COMPARABLE,
  decimalText: COMPARABLE,
  timestamp: COMPARABLE,
  date: COMPARABLE,
  boolean: ['eq', 'ne', 'isNull'],
  svcId: COMPARABLE,
  json: [],
  version: [],
} as const satisfies Record<FieldKind, readonly string[]>;

export type Operator = (typeof OPERATORS)[FieldKind][number];

/** A closed value set has no order and no parts. */
const OF_VALUE_SET = ['eq', 'ne', 'in', 'notIn', 'isNull'] as const satisfies readonly Operator[];

/** The filter operators of a field. */
export function operatorsOf({ kind, values, isFilteredAsText }: Field): readonly Operator[] {
  return values && !isFilteredAsText ? OF_VALUE_SET : OPERATORS[kind];
}

/** Lists and JSON have no meaningful order; false comes before true. */
export function isSortable(kind: FieldKind): boolean {
  return kind !== 'textList' && kind !== 'json' && kind !== 'version';
}

/** Text compares by code point on every server, whatever its locale. */
export function comparable(sql: string, kind: FieldKind): string {
  return kind === 'text' ? `${sql} COLLATE "C"` : sql;
}
