import { AppError } from '../../errors.js';
import type { Limits } from '../../limits.js';
import type { Field, FieldKind } from '../../records/fields.js';
import { coerce } from './coerce.js';
import { parseDayOperand } from './day-operand.js';
import type { Operator } from './kinds.js';
import { MAPPED_FORMS, type MappedField, type MappedType } from './mapped-fields.js';

/** A field as used by filters and parameters. */
export const mappedField = (name: string, kind: FieldKind): Field => ({
  wire: name,
  kind,
  shown: 'everywhere',
});

/** The mapped fields that a filter may name, and what indexes have found for it. */
export interface MappedFilter {
  readonly fields: readonly MappedField[];
  /** The svc_ids of the only records that can match a comparison, by `comparisonKey`. */
  readonly found: ReadonlyMap<string, readonly number[]>;
}

interface Comparison {
  readonly operator: string;
  readonly value: unknown;
}

export const comparisonKey = (field: MappedField, { operator, value }: Comparison): string =>
  `${field.svcId} ${operator} ${JSON.stringify(value)}`;

interface Place {
  readonly mapped?: MappedFilter | null;
  readonly bind: (value: unknown) => string;
}

/** A comparison of a field that several platforms and companies have: it is null in records that have no mapping. */
export function mappedConditionSql(
  { mapped, bind }: Place,
  fields: readonly MappedField[],
  comparison: Comparison,
  conditionOf: (field: MappedField) => string,
): string {
  const holders: string[] = [];
  const parts = fields.map((field) => {
    const others = fields.filter((one) => one.integrationType === field.integrationType && one !== field);
    const companies = others.flatMap(({ svcCompanyId }) => svcCompanyId ?? []);
    const company =
      field.svcCompanyId !== null
        ? ` AND t.svc_company_id = ${bind(field.svcCompanyId)}::bigint`
        : companies.length > 0
          ? ` AND t.svc_company_id <> ALL(${bind(companies)}::bigint[])`
          : '';
    const holder = `t.svc_integration_type = ${bind(field.integrationType)}${company}`;
    holders.push(`(${holder})`);
    const found = mapped?.found.get(comparisonKey(field, comparison));
    const among = found ? ` AND t.svc_id = ANY(${bind(found)}::bigint[])` : '';
    return `(${holder}${among} AND ${conditionOf(field)})`;
  });
  if (holdsOfNull(comparison)) parts.push(`NOT (${holders.join(' OR ')})`);
  return parts.length === 1 ? (parts[0] ?? 'TRUE') : `(${parts.join(' OR ')})`;
}

function holdsOfNull({ operator, value }: Comparison): boolean {
  switch (operator as Operator) {
    case 'isNull':
      return value === true;
    case 'eq':
      return value === null;
    case 'ne':
      return value !== null;
    case 'notIn':
      return true;
    default:
      return false;
  }
}

/** Longer texts are truncated to this in an index. */
const INDEXED_CHARACTERS = 200;

/** The part of a field's value that its index holds, as `svc_find_by_field` compares it. */
export const indexedSql = (type: MappedType, value: string): string =>
  type === 'TEXT' ? `left(${value}, ${INDEXED_CHARACTERS}) COLLATE "C"` : value;

/** How `svc_find_by_field` looks for a comparison: it finds all matches, and possibly more. */
interface FieldSearch {
  readonly operator: '=' | '<=' | '>=';
  readonly wanted: readonly string[];
}

/** Null if no index helps, and for a value that is refused when the filter becomes SQL. */
export function searchOf(
  { name, type }: MappedField,
  { operator, value }: Comparison,
  limits: Limits,
): FieldSearch | null {
  const { kind } = MAPPED_FORMS[type];
  const textOf = (one: unknown): string => {
    if (type === 'DATE') return parseDayOperand(one, name).day;
    const text = String(coerce(mappedField(name, kind), one, name));
    return type === 'TEXT' ? [...text].slice(0, INDEXED_CHARACTERS).join('') : text;
  };
  const search = SEARCHES[operator];
  const values: readonly unknown[] = operator === 'in' && Array.isArray(value) ? value : [value];
  if (!search || value === null || values.length > limits.filterValues) return null;
  try {
    return { operator: search, wanted: values.map(textOf) };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

const SEARCHES: Readonly<Record<string, FieldSearch['operator']>> = {
  eq: '=',
  in: '=',
  gt: '>=',
  gte: '>=',
  lt: '<=',
  lte: '<=',
};
