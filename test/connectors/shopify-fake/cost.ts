import {
  type FieldNode,
  getNamedType,
  GraphQLError,
  type GraphQLOutputType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

import { SCHEMA } from './schema.js';

type Variables = Readonly<Record<string, unknown>>;

/** What a single query may demand. */
export const MAX_COST = 1000;

/**
 * What a query may cost: a point for each object that it may hold, as many of a list as are asked for, and one of a list
 * without a limit.
 */
export function demandedBy({ selectionSet }: OperationDefinitionNode, variables: Variables): number {
  return costOf(selectionSet, 'QueryRoot', variables);
}

function costOf({ selections }: SelectionSetNode, typeName: string, variables: Variables): number {
  let cost = 0;
  for (const selection of selections) {
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      cost += costOf(selection.selectionSet, selection.typeCondition?.name.value ?? typeName, variables);
    } else if (selection.kind === Kind.FIELD && selection.selectionSet) {
      cost += fieldCost(selection, typeName, variables);
    }
  }
  return cost;
}

function fieldCost(field: FieldNode, typeName: string, variables: Variables): number {
  const parent = SCHEMA.getType(typeName);
  const type =
    isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[field.name.value]?.type : null;
  if (!type || !field.selectionSet || !isCompositeType(getNamedType(type))) return 0;
  const name = getNamedType(type).name;
  if (name === 'PageInfo') return 0;
  const inner = costOf(field.selectionSet, name, variables);
  if (!isList(type) && !name.endsWith('Connection')) return 1 + inner;
  const ids = argument(field, 'ids', variables);
  const count = Array.isArray(ids) ? ids.length : Number(argument(field, 'first', variables) ?? 1);
  return name.endsWith('Connection') ? 2 + count * inner : count * (1 + inner);
}

const isList = (type: GraphQLOutputType): boolean =>
  isListType(type) || (isNonNullType(type) && isList(type.ofType));

function argument({ arguments: given = [] }: FieldNode, name: string, variables: Variables): unknown {
  const value = given.find((one) => one.name.value === name)?.value;
  if (value?.kind === Kind.VARIABLE) return variables[value.name.value];
  return value?.kind === Kind.INT ? value.value : undefined;
}

/** The refusal of a query that may cost too much. */
export const tooCostly = (cost: number): GraphQLError =>
  new GraphQLError(`Query cost is ${cost}, which exceeds the single query max cost limit (${MAX_COST}).`, {
    extensions: { code: 'MAX_COST_EXCEEDED', cost, maxCost: MAX_COST },
  });
