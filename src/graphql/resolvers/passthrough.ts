import { passThrough } from '../../operations/passthrough/passthrough.js';
import type { SchemaMutationResolvers } from '../__generated__/resolvers.js';
import { carryOut } from './mutation.js';

const NOTHING = { connectionId: null, status: null, headers: null, data: null };

/** Requests that go to a platform as they are. */
export const passthroughMutations: Pick<SchemaMutationResolvers, 'passthrough'> = {
  passthrough: (_source, { input }, context) => carryOut(input, NOTHING, () => passThrough(context, input)),
};
