import {
  type DocumentNode,
  type FieldNode,
  getNamedType,
  type GraphQLField,
  type GraphQLSchema,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  valueFromASTUntyped,
} from 'graphql';
import type { Limits } from '../../limits.js';
import { fragmentsOf } from './fragments.js';
import { FIELD_WEIGHTS, INDEXED_ORDERS, SKIPPED_PER_UNIT, UNPAGED_LISTS, WEIGHT_TABLE } from './weights.js';

interface CostOptions {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly limits: Limits;
}

/** Arguments that say how many records a list may give. */
const PAGE_SIZES = ['first', 'last'];

/**
 * Values selected within what counts as one record or page: by the path of their field, the paths of names that they have
 * in the answer. A value is free once.
 */
type Values = ReadonlyMap<string, ReadonlySet<string>>;

/** Cost of a selection. */
interface Cost {
  /** Cost per record. */
  readonly each: number;
  /** Cost independent of the number of records: each level of a query is one statement. */
  readonly once: number;
  /** Values that no selection above has counted yet. */
  readonly values: Values;
}
const NO_VALUES: Values = new Map();
const NOTHING: Cost = { each: 0, once: 0, values: NO_VALUES };

/**
 * The cost of an operation, counted before it runs: a connection counts its page size, a record one, both times the
 * records above, and parts for which the database reads more than it returns have a weight. A value that is selected again
 * under another name is written again, so each of these counts. Each fragment is counted once per type, so a fragment
 * bomb costs no time.
 */
export function operationCost({ schema, document, operation, variables, limits }: CostOptions): number {
  const fragments = fragmentsOf(document);
  const fragmentCosts = new Map<string, Cost>();
  const given = { ...defaultsOf(operation), ...variables };

  const pageSize = (values: Arguments, nested: boolean): number => {
    for (const name of PAGE_SIZES) {
      const size = values.get(name);
      // A size beyond the limit is refused when the list is read: here it counts as the largest page.
      if (typeof size === 'number') return Math.min(Math.max(size, 0), limits.maxPageSize);
    }
    return nested ? limits.nestedPageSize : limits.pageSize;
  };

  const costOf = (set: SelectionSetNode | undefined, typeName: string, root: boolean): Cost => {
    let each = 0;
    let once = 0;
    const values = new Map<string, Set<string>>();
    for (const selection of set?.selections ?? []) {
      const cost =
        selection.kind === Kind.FIELD
          ? fieldCost(selection, typeName, root)
          : selection.kind === Kind.FRAGMENT_SPREAD
            ? fragmentCost(selection.name.value, root)
            : costOf(selection.selectionSet, selection.typeCondition?.name.value ?? typeName, root);
      each += cost.each;
      once += cost.once;
      for (const [path, names] of cost.values) {
        const same = values.get(path);
        if (!same) values.set(path, new Set(names));
        else for (const one of names) same.add(one);
      }
    }
    return { each, once, values };
  };

  const fieldCost = (field: FieldNode, typeName: string, root: boolean): Cost => {
    const name = field.name.value;
    const shown = (field.alias ?? field.name).value;
    if (name === 'totalCount') return { ...NOTHING, once: WEIGHT_TABLE.totalCount.value };
    const definition = fieldOf(schema, typeName, name);
    const type = getNamedType(definition?.type);
    // Mapped fields cost each time: they are read from the raw data.
    if (name === 'fields' && type && !isCompositeType(type)) {
      return { ...NOTHING, each: WEIGHT_TABLE.mappedRecord.value };
    }
    if (!definition || !isCompositeType(type)) {
      return { ...NOTHING, values: new Map([[name, new Set([shown])]]) };
    }
    const values = argumentsOf(field, given);
    const paged = definition.args.some((argument) => PAGE_SIZES.includes(argument.name));
    const unpaged = UNPAGED_LISTS.get(`${typeName}.${name}`);
    const times = paged ? pageSize(values, !root) : root && name === 'nodes' ? 100 : (unpaged ?? 1);
    // `edges`, `node`, `nodes` and `pageInfo` hold what the connection has counted already, and introspection counts its lists.
    const isPartOfPage = typeName.endsWith('Connection') || typeName.endsWith('Edge');
    const isPart = isPartOfPage || typeName.startsWith('__');
    const own = FIELD_WEIGHTS.get(`${typeName}.${name}`) ?? 0;
    const below = costOf(field.selectionSet, type.name, false);
    const once = listWeight(values) + below.once;
    if (isPartOfPage)
      return { each: times * (own + below.each), once, values: within(name, shown, below.values) };
    return {
      each: times * ((paged || unpaged || !isPart ? 1 : 0) + own + below.each + repeatsIn(below.values)),
      once,
      values: NO_VALUES,
    };
  };

  const fragmentCost = (name: string, root: boolean): Cost => {
    const known = fragmentCosts.get(name);
    if (known !== undefined) return known;
    fragmentCosts.set(name, NOTHING);
    const fragment = fragments.get(name);
    const cost = fragment ? costOf(fragment.selectionSet, fragment.typeCondition.name.value, root) : NOTHING;
    fragmentCosts.set(name, cost);
    return cost;
  };

  const rootType = schema.getRootType(operation.operation);
  if (!rootType) return 0;
  const { each, once, values } = costOf(operation.selectionSet, rootType.name, true);
  return each + once + repeatsIn(values);
}

/** Values as the record or page above the field sees them. */
const within = (field: string, shown: string, values: Values): Values =>
  new Map(
    [...values].map(([path, names]) => [
      `${field}.${path}`,
      new Set([...names].map((name) => `${shown}.${name}`)),
    ]),
  );

function repeatsIn(values: Values): number {
  let repeats = 0;
  for (const names of values.values()) repeats += names.size - 1;
  return repeats * WEIGHT_TABLE.repeat.value;
}

function fieldOf(
  schema: GraphQLSchema,
  typeName: string,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  if (typeName === schema.getQueryType()?.name) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  }
  const parent = schema.getType(typeName);
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
}

type Arguments = ReadonlyMap<string, unknown>;

function argumentsOf(field: FieldNode, variables: Readonly<Record<string, unknown>>): Arguments {
  return new Map(
    (field.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)]),
  );
}

function defaultsOf(operation: OperationDefinitionNode): Record<string, unknown> {
  const defaults: Record<string, unknown> = {};
  for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
    if (defaultValue) defaults[variable.name.value] = valueFromASTUntyped(defaultValue);
  }
  return defaults;
}

/** Weight of the rows that the database reads for a list beyond its page. */
function listWeight(values: Arguments): number {
  const skip = values.get('skip');
  const filter = values.get('filter');
  const orderBy = values.get('orderBy');
  const first: unknown = Array.isArray(orderBy) ? orderBy[0] : orderBy;
  const isSorted = isObject(first) && !INDEXED_ORDERS.has(first['field']);
  return (
    (typeof skip === 'number' && skip > 0
      ? Math.ceil(skip / SKIPPED_PER_UNIT) * WEIGHT_TABLE.skip.value
      : 0) +
    (names(filter, CONTAINS) ? WEIGHT_TABLE.contains.value : 0) +
    (names(filter, MAPPED) ? WEIGHT_TABLE.mapped.value : 0) +
    (isSorted ? WEIGHT_TABLE.sort.value : 0)
  );
}

const CONTAINS = ['contains'];
const MAPPED = ['fields', 'customFields'];

/** Whether any object of a filter has one of these names. Iterative: values may nest as deep as the document has tokens. */
function names(filter: unknown, wanted: readonly string[]): boolean {
  const waiting = [filter];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (!isObject(one)) continue;
    if (!Array.isArray(one) && wanted.some((name) => Object.hasOwn(one, name))) return true;
    for (const inner of Object.values(one)) waiting.push(inner);
  }
  return false;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
