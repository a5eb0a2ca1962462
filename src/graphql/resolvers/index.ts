import type { addResolversToSchema } from '@graphql-tools/schema';
import type { Row } from '../../query/columns.js';
import { company, lineTypes, records } from '../../records/index.js';
import { scalars } from '../scalars.js';
import { companyFields, coreMutations, coreQueries, coreTypes } from './core.js';
import { nodeQueries } from './node.js';
import { companyList, recordResolvers, rootList, rootRecord } from './records.js';

const typeName = (row: Row) => row['__typename'];
const singular = (model: string) => model.charAt(0).toLowerCase() + model.slice(1);

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
          [singular(definition.model), rootRecord(definition)],
        ]),
      ),
    },
    Mutation: coreMutations,
    ...coreTypes,
    Company: {
      ...Object.fromEntries(records.map((definition) => [definition.list, companyList(definition)])),
      ...companyFields,
    },
    ...Object.fromEntries(
      [...records, ...lineTypes].map((definition) => [definition.model, recordResolvers(definition)]),
    ),
    Node: { __resolveType: typeName },
    Record: { __resolveType: typeName },
  } as Resolvers;
}
