import { getIntegration, listIntegrations } from '../../operations/integrations/integrations.js';
import { createIntegration, updateIntegration } from '../../operations/integrations/write-integrations.js';
import type { SchemaMutationResolvers, SchemaQueryResolvers } from '../__generated__/resolvers.js';
import { carryOut } from './mutation.js';

/** The organisation's apps at platforms. */
export const integrationQueries: Pick<SchemaQueryResolvers, 'integrations' | 'integration'> = {
  integrations: (_source, args, context) => listIntegrations(context, args),
  integration: (_source, { svcId }, context) => getIntegration(context, svcId),
};

export const integrationMutations: Pick<SchemaMutationResolvers, 'createIntegration' | 'updateIntegration'> =
  {
    createIntegration: (_source, { input }, context) =>
      carryOut(input, { integration: null }, async () => ({
        integration: await createIntegration(context, input),
      })),
    updateIntegration: (_source, { input }, context) =>
      carryOut(input, { integration: null }, async () => ({
        integration: await updateIntegration(context, input),
      })),
  };
