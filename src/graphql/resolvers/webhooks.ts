import { deleteWebhook, listWebhooks } from '../../operations/webhooks/webhooks.js';
import type { SchemaMutationResolvers, SchemaQueryResolvers } from '../__generated__/resolvers.js';
import { carryOut } from './mutation.js';

/** Who wants to hear of changes. */
export const webhookQueries: Pick<SchemaQueryResolvers, 'webhooks'> = {
  webhooks: (_source, _args, context) => listWebhooks(context),
};

export const webhookMutations: Pick<SchemaMutationResolvers, 'deleteWebhook'> = {
  deleteWebhook: (_source, { input }, context) =>
    carryOut(input, { deletedWebhookId: null }, async () => {
      await deleteWebhook(context, input.id);
      return { deletedWebhookId: input.id };
    }),
};
