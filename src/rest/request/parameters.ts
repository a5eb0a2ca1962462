import { AppError, invalid } from '../../errors.js';
import type { Limits } from '../../limits.js';
import type { OrderInput } from '../../query/order.js';
import type { RecordDefinition } from '../../records/define.js';
import { parseBoolean, parseSvcId, parseText } from '../../values.js';
import { type Names, namesOf, parseOperator, parseOrderField } from './names.js';
import { expandable } from '../shape.js';

export type Query = Readonly<Record<string, unknown>>;

/** The parameters of a cursor list (reference 4.3), checked. */
export interface ListParameters {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly expand: readonly string[];
  readonly select: readonly string[];
  readonly includeDeleted: boolean;
  readonly count: boolean;
  /** Parameters that mean nothing here: ignored, and said so in a header. */
  readonly ignored: readonly string[];
}

const SELECTABLE = new Map([
  ['raw_data', 'rawData'],
  ['data_hash', 'dataHash'],
]);

/** Reads the query string of a cursor list. Throws AppError naming the parameter. */
export function parseListParameters(
  definition: RecordDefinition,
  query: Query,
  limits: Limits,
): ListParameters {
  const names = namesOf(definition);
  const given = new Map(Object.entries(query).flatMap(([name, value]) => present(name, value)));
  const take = <Value>(name: string, parse: (text: string, name: string) => Value): Value | null => {
    const text = given.get(name);
    given.delete(name);
    return text === undefined ? null : parse(text, name);
  };

  const limit =
    take('limit', (text) => parsePageSize(text, 'limit', 1, limits.maxPageSize)) ?? limits.pageSize;
  const next = take('next', parseText);
  const prev = take('prev', parseText);
  if (next !== null && prev !== null) throw invalid('prev', 'next and prev cannot be used together');
  const relations = expandable(definition);
  // The contract lists `raw_data` under expand for one type: either parameter adds it.
  const wanted = take('expand', (text) => parseNames(text, 'expand', relations, SELECTABLE)) ?? [];
  const selected = take('select', (text) => parseNames(text, 'select', SELECTABLE)) ?? [];
  const metadata = new Set(SELECTABLE.values());
  const expand = wanted.filter((name) => !metadata.has(name));
  const select = [...new Set([...selected, ...wanted.filter((name) => metadata.has(name))])].sort();
  const count = take('return_count', parseBoolean) ?? false;
  const includeDeleted = take('include_deleted_records', parseBoolean) ?? false;
  const companyId = take('svc_company_id[eq]', parseSvcId);

  const filter: Record<string, Record<string, unknown>> = {};
  const orderBy: OrderInput[] = [];
  const ignored: string[] = [];
  for (const [name, text] of given) {
    const brackets = /^(\w+)\[(\w+)\]$/.exec(name);
    if (brackets?.[1] === 'sort') orderBy.push(parseSort(names, brackets[2] ?? '', text, name));
    else if (brackets)
      addCondition({ names, filter, limits }, brackets[1] ?? '', brackets[2] ?? '', text, name);
    else if (names.byWire.has(name)) {
      throw invalid(name, `${name} needs an operator: write ${name}[eq]=${text.slice(0, 40)}`);
    } else if (/[[\]]/.test(name)) {
      throw invalid(name, `${name} is no filter: write field[operator]=value`);
    } else ignored.push(name);
  }
  return {
    variables: {
      ...(prev === null ? { first: limit, after: next } : { last: limit, before: prev }),
      companyId,
      includeDeleted,
      filter: Object.keys(filter).length > 0 ? filter : null,
      orderBy: orderBy.length > 0 ? orderBy : null,
    },
    expand,
    select,
    includeDeleted,
    count,
    ignored,
  };
}

/** An empty parameter or a literal `null` is absent; a repeated one is a mistake (design section 5). */
function present(name: string, value: unknown): [string, string][] {
  if (typeof value !== 'string') throw invalid(name, `${name} must be given once`);
  return value === '' || value === 'null' ? [] : [[name, value]];
}

/** A page size in its limits. */
export function parsePageSize(value: unknown, name: string, min: number, max: number): number {
  const size = typeof value === 'string' && /^-?\d{1,12}$/.test(value) ? Number(value) : value;
  if (typeof size === 'number' && Number.isInteger(size) && size >= min && size <= max) return size;
  throw invalid(name, `${name} must be between ${min} and ${max}, got ${String(value).slice(0, 40)}`);
}

function parseNames(
  text: string,
  parameter: string,
  allowed: ReadonlyMap<string, string>,
  more: ReadonlyMap<string, string> = new Map(),
): string[] {
  const found = new Set<string>();
  for (const wire of text.split(',').map((part) => part.trim())) {
    const name = allowed.get(wire) ?? more.get(wire);
    if (name === undefined) {
      const choices = [...allowed.keys()].join(', ') || 'nothing here';
      throw invalid(parameter, `${parameter} takes ${choices}; got ${wire.slice(0, 40) || 'an empty name'}`);
    }
    found.add(name);
  }
  return [...found].sort();
}

function parseSort(names: Names, wire: string, text: string, parameter: string): OrderInput {
  const direction = text.toUpperCase();
  if (direction !== 'ASC' && direction !== 'DESC') {
    throw invalid(parameter, `${parameter} must be ASC or DESC, got ${text.slice(0, 40)}`);
  }
  return { field: parseOrderField(names, wire, parameter), direction };
}

interface Conditions {
  readonly names: Names;
  readonly filter: Record<string, Record<string, unknown>>;
  readonly limits: Limits;
}

function addCondition(
  { names, filter, limits }: Conditions,
  wire: string,
  operator: string,
  text: string,
  parameter: string,
): void {
  const known = names.byWire.get(wire);
  if (!known) {
    throw new AppError('invalid-params', `${parameter}: there is no field ${wire} to filter by`, parameter);
  }
  const list = operator === 'in' || operator === 'notIn' || operator === 'not_in';
  const [name, value] = parseOperator(known.field, operator, list ? text.split(',') : text, {
    path: parameter,
    limits,
  });
  (filter[known.name] ??= {})[name] = value;
}
