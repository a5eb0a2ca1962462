import { AppError, invalid } from '../../errors.js';
import { hasMoreValues, tooManyValues } from '../../graphql/document/variables.js';
import type { Limits } from '../../limits.js';
import type { OrderInput } from '../../query/order.js';
import type { RecordDefinition } from '../../records/define.js';
import { type Names, namesOf, parseOperator, parseOrderField } from './names.js';
import { parsePageSize } from './parameters.js';

export interface AllParameters {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly ignored: readonly string[];
}

const KNOWN = ['take', 'skip', 'orderBy', 'filter'];

/** Reads the body of POST `.../all` (reference 4.1). Throws AppError naming the field. */
export function parseAllBody(definition: RecordDefinition, body: unknown, limits: Limits): AllParameters {
  const given = body === undefined || body === null ? {} : asObject(body, 'body');
  const names = namesOf(definition);
  const { take, skip, orderBy, filter } = given;
  const most = limits.variableValues;
  if (hasMoreValues(filter, most)) {
    throw new AppError('query-too-complex', tooManyValues('filter', most), 'filter');
  }
  return {
    variables: {
      first: take == null ? limits.take : parsePageSize(number(take, 'take'), 'take', 0, limits.maxTake),
      skip: skip == null ? null : parsePageSize(number(skip, 'skip'), 'skip', 0, limits.maxSkip),
      orderBy: orderBy == null ? null : parseOrderBy(names, orderBy),
      filter: filter == null ? null : parseFilter(names, filter, { path: 'filter', limits }),
    },
    ignored: Object.keys(given).filter((name) => !KNOWN.includes(name)),
  };
}

function number(value: unknown, field: string): number {
  if (typeof value === 'number') return value;
  throw invalid(field, `${field} must be a whole number or null`);
}

function parseOrderBy(names: Names, value: unknown): OrderInput[] {
  return Object.entries(asObject(value, 'orderBy')).map(([wire, direction]) => {
    const path = `orderBy.${wire}`;
    const upper = typeof direction === 'string' ? direction.toUpperCase() : '';
    if (upper !== 'ASC' && upper !== 'DESC') throw invalid(path, `${path} must be asc or desc`);
    return { field: parseOrderField(names, wire, path), direction: upper };
  });
}

interface Place {
  readonly path: string;
  readonly limits: Limits;
}

function parseFilter(names: Names, value: unknown, { path, limits }: Place): Record<string, unknown> {
  const filter: Record<string, unknown> = {};
  for (const [wire, given] of Object.entries(asObject(value, path))) {
    if (given === null) continue;
    const here = `${path}.${wire}`;
    if (wire === 'and' || wire === 'or') {
      if (!Array.isArray(given)) throw invalid(here, `${here} must be a list of filters`);
      filter[wire] = given.map((one, index) => parseFilter(names, one, { path: `${here}.${index}`, limits }));
    } else if (wire === 'not') filter[wire] = parseFilter(names, given, { path: here, limits });
    else {
      const known = names.byWire.get(wire);
      if (!known) {
        throw invalid(here, `${here}: ${names.model} has no field ${wire.slice(0, 40)} to filter by`);
      }
      const operators = Object.entries(asObject(given, here)).map(([operator, operand]) =>
        parseOperator(known.field, operator, operand, { path: `${here}.${operator}`, limits }),
      );
      filter[known.name] = Object.fromEntries(operators);
    }
  }
  return filter;
}

function asObject(value: unknown, path: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  const example = path.startsWith('filter.') ? ' of operators such as {"eq": ...}' : '';
  throw invalid(path, `${path} must be an object${example}`);
}
