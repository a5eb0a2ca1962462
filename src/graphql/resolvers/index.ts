import type { addResolversToSchema } from '@graphql-tools/schema';
import type { GraphQLFieldResolver } from 'graphql';
import type { Context } from '../../context.js';
import type { Row } from '../../query/columns.js';
import { isSortable } from '../../query/filters/kinds.js';
import { company, lineTypes, records, type RecordDefinition } from '../../records/index.js';
import { inCapitals, lowerFirst } from '../../base/names.js';
import { scalars } from '../scalars.js';
import { companyFields } from './companies.js';
import { coreMutations, coreQueries, coreTypes } from './core.js';
import { nodeIds, nodeQueries } from './node.js';
import { subscriptions } from './subscriptions.js';
import { companyList, recordResolvers, rootList, rootRecord } from './records.js';

const typeName = (row: Row) => row['__typename'];

/** Fields to sort by, by the value that names them in a query: `SVC_ID` is `svcId`. */
const orderFields = ({ fields }: RecordDefinition) =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([name, { kind, shown }]) => isSortable(kind) && shown !== 'nowhere' && name !== 'connectionId')
      .map(([name]) => [inCapitals(name), name]),
  );

/** Resolvers of types that are no records, with those of their global ids. */
const withIds = (types: Readonly<Record<string, object>>): Record<string, object> => ({
  ...types,
  ...Object.fromEntries(Object.entries(nodeIds).map(([type, ids]) => [type, { ...types[type], ...ids }])),
});

type MutationResolver = GraphQLFieldResolver<unknown, Context, never>;

/** The fields of a mutation run one after the other: each shows the state after it, not what earlier ones have read. */
const readingAnew = (mutations: Readonly<Record<string, unknown>>): Record<string, MutationResolver> =>
  Object.fromEntries(
    Object.entries(mutations as Readonly<Record<string, MutationResolver>>).map(
      ([name, resolve]): [string, MutationResolver] => [
        name,
        async (source, args, context, info) => {
          const payload: unknown = await resolve(source, args, context, info);
          context.loaders.forget();
          return payload;
        },
      ],
    ),
  );

type Resolvers = Parameters<typeof addResolversToSchema>[0]['resolvers'];

/** All resolvers: the generic ones of every record type, and those written by hand. */
export function createResolvers(): Resolvers {
  const listed = [company, ...records];
  return {
    ...scalars,
    Query: {
      ...nodeQueries,
      ...coreQueries,
      ...Object.fromEntries(
        listed.flatMap((definition): [string, unknown][] => [
          [definition.list, rootList(definition)],
          [lowerFirst(definition.model), rootRecord(definition)],
        ]),
      ),
    },
    Mutation: readingAnew(coreMutations),
    Subscription: subscriptions,
    ...withIds(coreTypes),
    Company: {
      ...Object.fromEntries(records.map((definition) => [definition.list, companyList(definition)])),
      ...companyFields,
    },
    ...Object.fromEntries(
      [...records, ...lineTypes].map((definition) => [definition.model, recordResolvers(definition)]),
    ),
    ...Object.fromEntries(
      listed.map((definition) => [`${definition.model}OrderByField`, orderFields(definition)]),
    ),
    Node: { __resolveType: typeName },
    Record: { __resolveType: typeName },
  } as Resolvers;
}
