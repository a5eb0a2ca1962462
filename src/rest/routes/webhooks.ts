import type { Context } from '../../context.js';
import type { Executor } from '../../graphql/execute.js';
import { stringifyJson } from '../../raw-json.js';
import { parseText } from '../../values.js';
import { envelopeA, envelopeC } from '../envelopes.js';
import { DeleteWebhookDocument, WebhooksDocument } from '../__generated__/documents.js';
import { prepareOperation } from '../prepared.js';
import type { RestRoute } from '../route.js';
import { prepareMutation } from '../mutation.js';
import { ignoredIn } from '../request/query.js';

/** Who wants to hear of changes. Reference 4.4. */
export function webhookRoutes(executor: Executor): RestRoute[] {
  const webhooks = prepareOperation(executor, WebhooksDocument);
  const list = async (context: Context): Promise<string> => {
    const { result } = await webhooks.run({}, context);
    return stringifyJson(result.nodes);
  };
  const deletion = prepareMutation(executor, DeleteWebhookDocument, { webhookId: 'id' });
  return [
    {
      method: 'GET',
      path: '/webhooks',
      answer: async ({ query, context, ...received }) => {
        const ignored = ignoredIn(query, []);
        return { body: envelopeA(await list(context), received), ignored };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/webhooks',
      answer: async ({ query, context }) => {
        const ignored = ignoredIn(query, []);
        return { body: envelopeC(await list(context)), ignored };
      },
    },
    {
      method: 'DELETE',
      path: '/v3/core/webhooks/:id',
      answer: async ({ params, context }) => {
        await deletion.run({ webhookId: parseText(params['id'], 'id') }, context);
        return { body: '{"status":"success"}' };
      },
    },
  ];
}
