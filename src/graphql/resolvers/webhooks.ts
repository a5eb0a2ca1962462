import { listDeliveries } from '../../operations/webhooks/deliveries.js';
import { redeliverEvent, redeliverSpan, testWebhook } from '../../operations/webhooks/send-again.js';
import { parseText } from '../../base/values.js';
import { deleteWebhook, getWebhook, listWebhooks } from '../../operations/webhooks/webhooks.js';
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
import { encodeGlobalId } from '../global-id.js';
import { carryOut } from './mutation.js';

/** Queries for webhooks. */
export const webhookQueries: Pick<SchemaQueryResolvers, 'webhook' | 'webhooks'> = {
  webhooks: (_source, args, context) => listWebhooks(context, args),
  webhook: (_source, { id }, context) => getWebhook(context, parseText(id, 'id')),
};

export const webhookFields: Pick<SchemaWebhookResolvers, 'webhookId' | 'deliveries'> = {
  webhookId: ({ id }) => id,
  deliveries: ({ id }, args, context) => listDeliveries(context, id, args),
};

const NONE_MADE = { webhook: null, secret: null };

export const webhookMutations: Pick<
  SchemaMutationResolvers,
  | 'createWebhook'
  | 'updateWebhook'
  | 'deleteWebhook'
  | 'rotateWebhookSecret'
  | 'redeliverWebhookEvent'
  | 'redeliverWebhook'
  | 'testWebhook'
> = {
  createWebhook: (_source, { input }, context) =>
    carryOut(input, NONE_MADE, () => createWebhook(context, input)),
  updateWebhook: (_source, { input }, context) =>
    carryOut(input, { webhook: null }, async () => ({ webhook: await updateWebhook(context, input) })),
  deleteWebhook: (_source, { input }, context) =>
    carryOut(input, { deletedWebhookId: null, deletedId: null }, async () => {
      await deleteWebhook(context, input.webhookId);
      const deletedId = encodeGlobalId({ type: 'Webhook', svcCompanyId: 0, key: input.webhookId });
      return { deletedWebhookId: input.webhookId, deletedId };
    }),
  rotateWebhookSecret: (_source, { input }, context) =>
    carryOut(input, NONE_MADE, () => rotateWebhookSecret(context, input.webhookId)),
  redeliverWebhookEvent: (_source, { input }, context) =>
    carryOut(input, { delivery: null }, async () => ({ delivery: await redeliverEvent(context, input) })),
  redeliverWebhook: (_source, { input }, context) =>
    carryOut(input, { webhook: null }, async () => ({ webhook: await redeliverSpan(context, input) })),
  testWebhook: (_source, { input }, context) =>
    carryOut(input, { delivery: null }, async () => ({
      delivery: await testWebhook(context, input.webhookId),
    })),
};
