import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLSchema,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Limits } from '../../limits.js';

interface CostOptions {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly limits: Limits;
}

/** Arguments that say how many records a list may give. */
const PAGE_SIZES = new Set(['first', 'last']);

/**
 * How many records an operation may read, counted before it runs: a connection counts its page size, a record one,
 * both times the records above. Each fragment is counted once per type, so a fragment bomb costs no time.
 */
export function operationCost({ schema, document, operation, variables, limits }: CostOptions): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const fragmentCosts = new Map<string, number>();

  const pageSize = (field: FieldNode, nested: boolean): number => {
    for (const argument of field.arguments ?? []) {
      if (!PAGE_SIZES.has(argument.name.value)) continue;
      const { value } = argument;
      const given =
        value.kind === Kind.INT
          ? Number(value.value)
          : value.kind === Kind.VARIABLE
            ? (variables[value.name.value] ?? defaultOf(operation, value.name.value))
            : null;
      // A size beyond the limit is refused when the list is read: here it counts as the largest page.
      if (typeof given === 'number') return Math.min(Math.max(given, 0), limits.maxPageSize);
    }
    return nested ? limits.nestedPageSize : limits.pageSize;
  };

  const costOf = (set: SelectionSetNode | undefined, typeName: string, root: boolean): number => {
    let cost = 0;
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        cost += costOf(selection.selectionSet, selection.typeCondition?.name.value ?? typeName, root);
      } else if (selection.kind === Kind.FRAGMENT_SPREAD) cost += fragmentCost(selection.name.value, root);
      else cost += fieldCost(selection, typeName, root);
    }
    return cost;
  };

  const fieldCost = (field: FieldNode, typeName: string, root: boolean): number => {
    const parent = schema.getType(typeName);
    if (!isObjectType(parent) && !isInterfaceType(parent)) return 0;
    const definition = parent.getFields()[field.name.value];
    const type = getNamedType(definition?.type);
    if (!definition || !type || !isCompositeType(type)) return 0;
    const paged = definition.args.some(({ name }) => PAGE_SIZES.has(name));
    const times = paged ? pageSize(field, !root) : root && field.name.value === 'nodes' ? 100 : 1;
    // `edges`, `node`, `nodes` and `pageInfo` hold what the connection has counted already.
    const counts = paged || (!typeName.endsWith('Connection') && !typeName.endsWith('Edge'));
    return times * ((counts ? 1 : 0) + costOf(field.selectionSet, type.name, false));
  };

  const fragmentCost = (name: string, root: boolean): number => {
    const known = fragmentCosts.get(name);
    if (known !== undefined) return known;
    fragmentCosts.set(name, 0);
    const fragment = fragments.get(name);
    const cost = fragment ? costOf(fragment.selectionSet, fragment.typeCondition.name.value, root) : 0;
    fragmentCosts.set(name, cost);
    return cost;
  };

  const rootType = schema.getRootType(operation.operation);
  return rootType ? costOf(operation.selectionSet, rootType.name, true) : 0;
}

function defaultOf(operation: OperationDefinitionNode, variable: string): number | null {
  const definition = operation.variableDefinitions?.find((one) => one.variable.name.value === variable);
  return definition?.defaultValue?.kind === Kind.INT ? Number(definition.defaultValue.value) : null;
}
