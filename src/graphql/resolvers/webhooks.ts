import { deleteWebhook, listWebhooks } from '../../operations/webhooks/webhooks.js';
import type {
  SchemaMutationResolvers,
  SchemaQueryResolvers,
  SchemaWebhookResolvers,
} from '../__generated__/resolvers.js';
import { carryOut } from './mutation.js';

/** Who wants to hear of changes. */
export const webhookQueries: Pick<SchemaQueryResolvers, 'webhooks'> = {
  webhooks: (_source, args, context) => listWebhooks(context, args),
};

export const webhookFields: Pick<SchemaWebhookResolvers, 'webhookId'> = { webhookId: ({ id }) => id };

export const webhookMutations: Pick<SchemaMutationResolvers, 'deleteWebhook'> = {
  deleteWebhook: (_source, { input }, context) =>
    carryOut(input, { deletedWebhookId: null }, async () => {
      await deleteWebhook(context, input.webhookId);
      return { deletedWebhookId: input.webhookId };
    }),
};
