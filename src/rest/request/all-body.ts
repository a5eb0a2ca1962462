import { AppError, type FieldPath, invalid, type Path, pathOf } from '../../errors.js';
import { hasMoreValues, tooManyValues } from '../../graphql/document/variables.js';
import type { Limits } from '../../limits.js';
import type { OrderInput } from '../../query/pages/order.js';
import type { RecordDefinition } from '../../records/define.js';
import { parseBoolean } from '../../base/values.js';
import { between, type Parser, parseObject, readBody, textList } from './body.js';
import {
  type Names,
  namesOf,
  addComparison,
  byName,
  parseMappedOperator,
  RAW_FILTERS,
  parseOperator,
  parseOrderField,
} from './names.js';
import type { ListVariables } from '../operation.js';
import { ignoredInBody } from './ignored.js';
import { parseExpand } from './parts.js';
import { relationProblem } from './relation-names.js';

/** The body of POST `.../all`, checked. */
export interface AllParameters {
  readonly variables: ListVariables;
  /** Relations and metadata in addition to those always in the answer, by GraphQL name. */
  readonly expand: readonly string[];
  readonly select: readonly string[];
  readonly includeDeleted: boolean;
  readonly changePosition: boolean;
  readonly ignored: readonly string[];
}

/** Reads the body of POST `.../all` (Reference 4.1). Throws AppError naming the field. */
export function parseAllBody(definition: RecordDefinition, body: unknown, limits: Limits): AllParameters {
  const names = namesOf(definition);
  const fields = readBody(body ?? {});
  const first = fields.optional('take', count(limits.maxTake)) ?? limits.take;
  const skip = fields.optional('skip', count(limits.maxSkip)) ?? null;
  const orderBy = fields.optional('orderBy', (value, field) => parseOrderBy(names, value, field)) ?? null;
  const filter = fields.optional('filter', (value, field) => {
    const max = limits.variableValues;
    if (hasMoreValues(value, max)) throw new AppError('query-too-complex', tooManyValues(max), field);
    return parseFilter(names, value, { path: pathOf(field), limits });
  });
  const changePosition = fields.optional('return_position', parseBoolean) ?? false;
  const includeDeleted = fields.optional('include_deleted_records', parseBoolean) ?? false;
  const { relations: expand, metadata: select } = parseExpand(
    definition,
    fields.optional('expand', textList) ?? null,
  );
  const variables = { first, skip, orderBy, filter: filter ?? null, includeDeleted };
  return { variables, expand, select, includeDeleted, changePosition, ignored: ignoredInBody(body, fields) };
}

const count =
  (max: number): Parser<number> =>
  (value, field) => {
    if (typeof value === 'number') return between(0, max)(value, field);
    throw invalid(field, 'must be a whole number or null');
  };

function parseOrderBy(names: Names, value: unknown, field: FieldPath): OrderInput[] {
  return Object.entries(parseObject(value, field)).map(([wire, direction]) => {
    const path = [...pathOf(field), wire];
    const ordered = parseOrderField(names, wire, path);
    const upper = typeof direction === 'string' ? direction.toUpperCase() : '';
    if (upper !== 'ASC' && upper !== 'DESC') throw invalid(path, 'must be asc or desc');
    return { field: ordered, direction: upper };
  });
}

interface Place {
  readonly path: Path;
  readonly limits: Limits;
}

function parseFilter(names: Names, value: unknown, { path, limits }: Place): Record<string, unknown> {
  const filter: Record<string, unknown> = {};
  for (const [wire, given] of Object.entries(parseObject(value, path))) {
    if (given === null) continue;
    const here = [...path, wire];
    const inRawData = RAW_FILTERS.get(wire);
    if (wire === 'and' || wire === 'or') {
      if (!Array.isArray(given)) throw invalid(here, 'must be a list of filters');
      // Filters of this interface use only dots: `filter.or.0.name`.
      filter[wire] = given.map((one, index) =>
        parseFilter(names, one, { path: [...here, String(index)], limits }),
      );
    } else if (inRawData !== undefined) filter[inRawData] = parseMappedFilter(given, { path: here, limits });
    else if (wire === 'not') filter[wire] = parseFilter(names, given, { path: here, limits });
    else {
      const known = names.byWire.get(wire);
      if (!known) {
        const problem = relationProblem(names.definition, wire, 'filter');
        throw invalid(here, problem ?? 'is not a field to filter by');
      }
      filter[known.name] = parseComparisons(given, here, (operator, operand, place) =>
        parseOperator(known.field, operator, operand, { path: place, limits }),
      );
    }
  }
  return filter;
}

/** Conditions on mapped fields: `{"region": {"eq": "North"}}`. */
function parseMappedFilter(value: unknown, { path, limits }: Place): Record<string, unknown> {
  const fields = Object.entries(parseObject(value, path)).map(([name, operators]) => {
    const here = [...path, name];
    const parsed = parseComparisons(operators, here, (operator, operand, place) =>
      parseMappedOperator(operator, operand, { path: place, limits }),
    );
    return [name, parsed];
  });
  return Object.fromEntries(fields) as Record<string, unknown>;
}

function parseComparisons(
  value: unknown,
  path: Path,
  parse: (operator: string, operand: unknown, path: Path) => readonly [string, unknown],
): Record<string, unknown> {
  const comparisons = byName<unknown>();
  for (const [operator, operand] of Object.entries(operatorsIn(value, path))) {
    const here = [...path, operator];
    addComparison(comparisons, parse(operator, operand, here), here);
  }
  return comparisons;
}

function operatorsIn(value: unknown, path: Path): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw invalid(path, 'must be an object of operators such as {"eq": ...}');
  }
  return parseObject(value, path);
}
