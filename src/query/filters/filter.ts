import { invalid, type Path } from '../../errors.js';
import type { Limits } from '../../limits.js';
import type { RecordDefinition } from '../../records/define.js';
import type { Field } from '../../records/fields.js';
import { parseText } from '../../base/values.js';
import { coerceOperand } from './coerce.js';
import { parseDayOperand, withinDaySql } from './day-operand.js';
import { comparable, operatorsOf, SQL_TYPE, type Operator } from './kinds.js';
import { customFieldsNamed } from './custom-fields.js';
import { MAPPED_FORMS, type MappedField, mappedSql } from './mapped-fields.js';
import { mappedConditionSql, mappedField, type MappedFilter } from './mapped-filter.js';

/** A filter by GraphQL field names: `{ name: { eq: "Cash" }, or: [{ ... }] }`. All conditions must hold. */
export type FilterInput = Readonly<Record<string, unknown>>;

interface FilterContext {
  readonly definition: RecordDefinition;
  readonly limits: Limits;
  /** The mapped fields that it may name. */
  readonly mapped?: MappedFilter | null;
  readonly bind: (value: unknown) => string;
  conditions: number;
}

/** The SQL condition of a filter on the row `t`; `TRUE` for an empty one. */
export function filterSql(filter: FilterInput, options: Omit<FilterContext, 'conditions'>): string {
  return all(filter, { ...options, conditions: 0 }, ['filter']);
}

function all(filter: FilterInput, context: FilterContext, path: Path): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(filter)) {
    if (value === undefined || value === null) continue;
    const here = [...path, name];
    if (name === 'and' || name === 'or') parts.push(combine(name, value, context, here));
    else if (name === 'fields') {
      const mapped = context.mapped?.fields ?? [];
      const named = {
        fieldsOfName: (field: string) => mapped.filter((one) => one.name === field),
        unknown: 'is not a mapped field of these records',
      };
      parts.push(...mappedConditions(named, asObject(value, here), context, here));
    } else if (name === 'customFields') {
      const named = {
        fieldsOfName: (field: string) => customFieldsNamed(context.definition, parseText(field, here)),
        unknown: 'is not a filter: no platform has custom fields of these records',
      };
      parts.push(...mappedConditions(named, asObject(value, here), context, here));
    } else if (name === 'not')
      parts.push(`NOT COALESCE(${all(asObject(value, here), context, here)}, FALSE)`);
    else parts.push(...conditions(name, asObject(value, here), context, here));
  }
  return parts.length === 0 ? 'TRUE' : parts.length === 1 ? (parts[0] ?? 'TRUE') : `(${parts.join(' AND ')})`;
}

function combine(name: 'and' | 'or', value: unknown, context: FilterContext, path: Path): string {
  if (!Array.isArray(value)) throw invalid(path, 'must be a list of filters');
  if (value.length === 0) return name === 'and' ? 'TRUE' : 'FALSE';
  const parts = value.map((item, index) => all(asObject(item, [...path, index]), context, [...path, index]));
  return `(${parts.join(name === 'and' ? ' AND ' : ' OR ')})`;
}

function conditions(name: string, operators: FilterInput, context: FilterContext, path: Path): string[] {
  const { definition } = context;
  const field = Object.hasOwn(definition.fields, name) ? definition.fields[name] : undefined;
  if (!field || operatorsOf(field).length === 0) {
    throw invalid(path, 'is not a field to filter by');
  }
  const sql = `t.${field.wire}`;
  return comparisons(operators, context, path).map(([operator, value]) =>
    condition({ field, sql, operator, value, path: [...path, operator] }, context),
  );
}

/** Fields in `raw_data`, by name; `unknown` is the message if there are none. */
interface NamedFields {
  readonly fieldsOfName: (name: string) => readonly MappedField[];
  readonly unknown: string;
}

/** Conditions on fields in `raw_data`, at the path of each platform and company. */
function mappedConditions(
  { fieldsOfName, unknown }: NamedFields,
  names: FilterInput,
  context: FilterContext,
  path: Path,
): string[] {
  return Object.entries(names).flatMap(([name, operators]) => {
    if (operators === undefined || operators === null) return [];
    const here = [...path, name];
    const known = fieldsOfName(name);
    if (known.length === 0) throw invalid(here, unknown);
    return comparisons(asObject(operators, here), context, here).map(([operator, value]) =>
      mappedConditionSql(context, known, { operator, value }, ({ type, path: place }) => {
        const sql = mappedSql(type, 't', context.bind(place));
        const field = mappedField(name, MAPPED_FORMS[type].kind);
        return condition({ field, sql, operator, value, path: [...here, operator] }, context);
      }),
    );
  });
}

/** The comparisons of a filter, counted towards their limit. */
function comparisons(operators: FilterInput, context: FilterContext, path: Path): [string, unknown][] {
  return Object.entries(operators).filter(([, value]) => {
    if (value === undefined) return false;
    context.conditions += 1;
    const max = context.limits.filterConditions;
    if (context.conditions > max) throw invalid(path.slice(0, 1), `accepts at most ${max} comparisons`);
    return true;
  });
}

/** One comparison of a filter. */
interface Condition {
  readonly field: Field;
  /** Its value. */
  readonly sql: string;
  readonly operator: string;
  readonly value: unknown;
  readonly path: Path;
}

function condition({ field, sql: plain, operator, value, path }: Condition, context: FilterContext): string {
  const allowed: readonly string[] = operatorsOf(field);
  if (!allowed.includes(operator)) {
    throw invalid(path, `is not an operator of this field, which takes ${allowed.join(', ')}`);
  }
  const column = comparable(plain, field.kind);
  const type = SQL_TYPE[field.kind];
  const bind = (given: unknown) => `${context.bind(coerceOperand(field, given, path))}::${type}`;
  if (field.kind === 'date' && typeof value === 'string') {
    const { day, isWithin } = parseDayOperand(value, path);
    const sql = isWithin ? withinDaySql(operator, column, () => bind(day)) : null;
    if (sql !== null) return sql;
  }
  switch (operator as Operator) {
    case 'isNull': {
      if (typeof value !== 'boolean') throw invalid(path, 'must be true or false');
      const empty = field.kind === 'textList' ? `cardinality(${plain}) = 0` : `${plain} IS NULL`;
      return value ? empty : `NOT (${empty})`;
    }
    case 'eq':
      return value === null ? `${plain} IS NULL` : `${plain} = ${bind(value)}`;
    case 'ne':
      return value === null ? `${plain} IS NOT NULL` : `${plain} IS DISTINCT FROM ${bind(value)}`;
    case 'in':
      return `${plain} = ANY(${list(field, value, context, path)})`;
    case 'notIn':
      return `(${plain} = ANY(${list(field, value, context, path)})) IS NOT TRUE`;
    case 'gt':
      return `${column} > ${bind(value)}`;
    case 'gte':
      return `${column} >= ${bind(value)}`;
    case 'lt':
      return `${column} < ${bind(value)}`;
    case 'lte':
      return `${column} <= ${bind(value)}`;
    case 'contains':
      return field.kind === 'textList'
        ? `${plain} @> ARRAY[${context.bind(coerceOperand(field, value, path))}::text]`
        : `strpos(${plain}, ${bind(value)}) > 0`;
    case 'startsWith':
      return `starts_with(${plain}, ${bind(value)})`;
    default:
      return operator;
  }
}

function list(field: Field, value: unknown, context: FilterContext, path: Path): string {
  if (!Array.isArray(value)) throw invalid(path, 'must be a list of values');
  const max = context.limits.filterValues;
  if (value.length > max) throw invalid(path, `accepts at most ${max} values, got ${value.length}`);
  const values = value.flatMap((item, index) => {
    const place = [...path, index];
    const isNoDay = field.kind === 'date' && parseDayOperand(item, place).isWithin;
    return isNoDay ? [] : [coerceOperand(field, item, place)];
  });
  return `${context.bind(values)}::${SQL_TYPE[field.kind]}[]`;
}

function asObject(value: unknown, path: Path): FilterInput {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as FilterInput;
  throw invalid(path, 'must be an object of operators such as {"eq": ...}');
}
