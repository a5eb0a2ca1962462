import { type AppError, invalid } from '../../errors.js';
import type { Limits } from '../../limits.js';
import type { OrderInput } from '../../query/pages/order.js';
import type { RecordDefinition } from '../../records/define.js';
import { parseBoolean, parseSvcId } from '../../base/values.js';
import {
  addComparison,
  byName,
  type Names,
  namesOf,
  parseMappedOperator,
  RAW_FILTERS,
  parseOperator,
  parseOrderField,
} from './names.js';
import type { ListVariables } from '../operation.js';
import { looksLikeFilter } from './ignored.js';
import { parseExpand, parseNames, SELECTABLE } from './parts.js';
import { relationProblem } from './relation-names.js';
import { OBJECT, type Query, type QueryFields, readPage, readQuery } from './query.js';
import { narrowable } from '../shape.js';

/** Parameters that select the shown fields of records. */
export interface ShownParameters {
  readonly expand: readonly string[];
  readonly select: readonly string[];
  /** Wire names; null for all. */
  readonly fields: readonly string[] | null;
}

/** The parameters that say so. */
export const SHOWN = ['expand', 'select', 'fields'];

export function parseShown(definition: RecordDefinition, fields: QueryFields): ShownParameters {
  const { relations: expand, metadata } = parseExpand(definition, fields.list('expand'));
  const selected = parseNames('select', fields.list('select'), { allowed: SELECTABLE });
  const select = [...new Set([...selected, ...metadata])].sort();
  const shown = fields.list('fields');
  const narrowed = shown && parseNames('fields', shown, { allowed: narrowable(definition) });
  return { expand, select, fields: narrowed };
}

/** The parameters of a cursor list (Reference 4.3), checked. */
export interface ListParameters extends ShownParameters {
  readonly variables: ListVariables;
  readonly includeDeleted: boolean;
  readonly count: boolean;
  readonly changePosition: boolean;
  /** Unknown parameters: ignored, and named in a header. */
  readonly ignored: readonly string[];
}

/** Filters by values in `raw_data`: `fields[region][eq]`, `custom_fields[Credit limit][eq]`. */
const IN_RAW_DATA = /^(fields|custom_fields)\[([^[\]]+)\]\[(\w+)\]$/;

/** The same without an operator. */
const NAMED_ONLY = /^(fields|custom_fields)\[[^[\]]+\]$/;

/** Reads the query string of a cursor list. Throws AppError naming the parameter. */
export function parseListParameters(
  definition: RecordDefinition,
  query: Query,
  limits: Limits,
): ListParameters {
  const names = namesOf(definition);
  const fields = readQuery(query);
  const page = readPage(fields, limits);
  const shown = parseShown(definition, fields);
  const count = fields.optional('return_count', parseBoolean) ?? false;
  const changePosition = fields.optional('return_position', parseBoolean) ?? false;
  const includeDeleted = fields.optional('include_deleted_records', parseBoolean) ?? false;
  const companyId = fields.optional('svc_company_id[eq]', parseSvcId);

  const filter: Record<string, Comparisons> = {};
  const orderBy: OrderInput[] = [];
  const ignored: string[] = [];
  for (const [name, text] of fields.others()) {
    if (text === OBJECT && !name.includes('[')) throw needsKeys(names, name);
    const [, place = '', field, comparison = ''] = IN_RAW_DATA.exec(name) ?? [];
    if (field !== undefined) {
      const parsed = parseMappedOperator(comparison, valueOf(comparison, text), { path: name, limits });
      const named = (filter[RAW_FILTERS.get(place) ?? place] ??= byName()) as Record<string, Comparisons>;
      addComparison((named[field] ??= byName()), parsed, name);
      continue;
    }
    if (NAMED_ONLY.test(name)) throw needsOperator(name, text);
    const [, wire, inside = ''] = /^(\w+)\[(\w+)\]$/.exec(name) ?? [];
    if (wire === 'sort') orderBy.push(parseSort(names, { name, wire: inside, text }));
    else if (wire !== undefined) {
      const { field: known, parsed } = parseCondition(names, { name, wire, operator: inside, text, limits });
      addComparison((filter[known] ??= byName()), parsed, name);
    } else if (names.byWire.has(name)) {
      throw needsOperator(name, text);
    } else if (/[[\]]/.test(name) || looksLikeFilter(name)) {
      throw invalid(
        name,
        /^(sort|order)/.test(name)
          ? 'is not an order: write sort[field]=ASC'
          : 'is not a filter: write field[operator]=value',
      );
    } else ignored.push(name);
  }
  return {
    variables: {
      ...page,
      companyId,
      includeDeleted,
      filter: Object.keys(filter).length > 0 ? filter : null,
      orderBy: orderBy.length > 0 ? orderBy : null,
    },
    ...shown,
    includeDeleted,
    count,
    changePosition,
    ignored,
  };
}

const needsOperator = (name: string, text: string): AppError =>
  invalid(name, `needs an operator: write ${name}[eq]=${text.slice(0, 40)}`);

function needsKeys(names: Names, name: string): AppError {
  const example = names.byWire.has(name) ? `${name}[eq]=value` : 'field[operator]=value';
  const right = name === 'sort' ? 'sort[field]=ASC' : example;
  return invalid(name, `is an object as text: write ${right} (in generated clients, deepObject)`);
}

/** A parameter with brackets: `wire` is the field that it is about. */
interface Bracketed {
  readonly name: string;
  readonly wire: string;
  readonly text: string;
}

function parseSort(names: Names, { name, wire, text }: Bracketed): OrderInput {
  const direction = text.toUpperCase();
  if (direction !== 'ASC' && direction !== 'DESC') {
    throw invalid(name, `must be ASC or DESC, got ${text.slice(0, 40)}`);
  }
  return { field: parseOrderField(names, wire, name), direction };
}

type Comparisons = Record<string, unknown>;

/** One comparison of a filter, in GraphQL's names. */
interface Condition {
  readonly field: string;
  readonly parsed: readonly [operator: string, value: unknown];
}

function parseCondition(
  names: Names,
  { name, wire, operator, text, limits }: Bracketed & { readonly operator: string; readonly limits: Limits },
): Condition {
  const known = names.byWire.get(wire);
  if (!known) {
    const problem = relationProblem(names.definition, wire, 'filter');
    throw invalid(name, problem ?? `is not a filter: there is no field ${wire}`);
  }
  const parsed = parseOperator(known.field, operator, valueOf(operator, text), { path: name, limits });
  return { field: known.name, parsed };
}

/** Operators whose value in a query string is a list. */
export const takesList = (operator: string): boolean =>
  operator === 'in' || operator === 'notIn' || operator === 'not_in';

/** A list is separated by commas; `\\,` is a comma within a value. */
const valueOf = (operator: string, text: string): string | string[] =>
  takesList(operator) ? text.split(/(?<!\\),/).map((value) => value.replaceAll('\\,', ',')) : text;
