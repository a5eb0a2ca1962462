import { listReturnOrigins, updateReturnOrigins } from '../../operations/organisations/return-origins.js';
import type { SchemaMutationResolvers, SchemaQueryResolvers } from '../__generated__/resolvers.js';
import { carryOut } from './mutation.js';

/** Where end customers may be sent back to. */
export const returnOriginQueries: Pick<SchemaQueryResolvers, 'returnOrigins'> = {
  returnOrigins: (_source, _args, { client }) => listReturnOrigins(client),
};

export const returnOriginMutations: Pick<SchemaMutationResolvers, 'updateReturnOrigins'> = {
  updateReturnOrigins: (_source, { input }, context) =>
    carryOut(input, { returnOrigins: null }, async () => ({
      returnOrigins: await updateReturnOrigins(context, input.origins),
    })),
};
