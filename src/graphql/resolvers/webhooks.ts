import { deleteWebhook, listWebhooks } from '../../operations/webhooks/webhooks.js';
import {
  createWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '../../operations/webhooks/write-webhooks.js';
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

const NONE_MADE = { webhook: null, secret: null };

export const webhookMutations: Pick<
  SchemaMutationResolvers,
  'createWebhook' | 'updateWebhook' | 'deleteWebhook' | 'rotateWebhookSecret'
> = {
  createWebhook: (_source, { input }, context) =>
    carryOut(input, NONE_MADE, () => createWebhook(context, input)),
  updateWebhook: (_source, { input }, context) =>
    carryOut(input, { webhook: null }, async () => ({ webhook: await updateWebhook(context, input) })),
  deleteWebhook: (_source, { input }, context) =>
    carryOut(input, { deletedWebhookId: null }, async () => {
      await deleteWebhook(context, input.webhookId);
      return { deletedWebhookId: input.webhookId };
    }),
  rotateWebhookSecret: (_source, { input }, context) =>
    carryOut(input, NONE_MADE, () => rotateWebhookSecret(context, input.webhookId)),
};
