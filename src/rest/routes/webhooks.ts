import type { Context } from '../../context.js';
import type { Executor } from '../../graphql/execute.js';
import { invalid } from '../../errors.js';
import type { Limits } from '../../limits.js';
import { stringifyJson } from '../../base/raw-json.js';
import { parseBoolean, parseDateTime, parseSvcId, parseText } from '../../base/values.js';
import { meantBy, NAMES } from '../data-models.js';
import { envelopeA, envelopeC } from '../envelopes.js';
import {
  CreateWebhookDocument,
  DeleteWebhookDocument,
  RedeliverWebhookDocument,
  RedeliverWebhookEventDocument,
  RotateWebhookSecretDocument,
  TestWebhookDocument,
  UpdateWebhookDocument,
  WebhookDeliveriesDocument,
  WebhookDocument,
  WebhooksDocument,
} from '../__generated__/documents.js';
import { prepareMutation } from '../mutation.js';
import { PAGE, prepareOperation } from '../prepared.js';
import { type BodyFields, listOf, parseObject, readBody, textList } from '../request/body.js';
import { absent } from '../request/path.js';
import { readPage, readQuery } from '../request/query.js';
import type { RestRoute } from '../route.js';
import { latestFirstPage } from './latest-first.js';
import type { Describer } from '../description/describe.js';
import { inEnvelopeA, inEnvelopeC, inLatestFirst } from '../description/envelopes.js';
import {
  about,
  arrayOf,
  changeFields,
  type JsonSchema,
  object,
  text,
  word,
} from '../description/json-schema.js';
import { limitParameter, NEXT, PREV } from '../description/parameters.js';
import { deletionRoute } from './deletion-route.js';

/** The body of POST holds the settings one level down, as that of PUT may. */
const IN_WEBHOOK = {
  name: 'webhook.name',
  type: 'webhook.type',
  url: 'webhook.url',
  headers: 'webhook.headers',
  dataModels: 'webhook.data_models',
  operations: 'webhook.operations',
  companyIds: 'webhook.companies',
  enabled: 'webhook.enabled',
};
const SECRET = { 'cache-control': 'no-store' };

/** Subscribers to changes. Reference 4.4, G14. */
export function webhookRoutes(executor: Executor, limits: Limits): RestRoute[] {
  const renames = { webhookId: 'id', companyIds: 'companies' };
  const webhooks = prepareOperation(executor, WebhooksDocument);
  const one = prepareOperation(executor, WebhookDocument);
  const creation = prepareMutation(executor, CreateWebhookDocument, IN_WEBHOOK);
  const change = prepareMutation(executor, UpdateWebhookDocument, renames);
  const wrappedChange = prepareMutation(executor, UpdateWebhookDocument, { ...IN_WEBHOOK, webhookId: 'id' });
  const deletion = prepareMutation(executor, DeleteWebhookDocument, renames);
  const rotation = prepareMutation(executor, RotateWebhookSecretDocument, renames);
  const deliveries = prepareOperation(executor, WebhookDeliveriesDocument, PAGE);
  const redelivery = prepareMutation(executor, RedeliverWebhookEventDocument, { webhookId: 'id' });
  const replay = prepareMutation(executor, RedeliverWebhookDocument, renames);
  const trial = prepareMutation(executor, TestWebhookDocument, renames);
  const list = async (context: Context): Promise<string> => {
    const { result } = await webhooks.run({}, context);
    return stringifyJson(result.nodes);
  };
  return [
    {
      method: 'GET',
      path: '/webhooks',
      describe: (to) => ({
        id: 'listUnversionedWebhooks',
        group: 'Webhooks',
        summary: 'List webhooks, unversioned',
        documentation: 'Query.webhooks',
        description: 'The complete list, in one answer.',
        answer: inEnvelopeA(arrayOf(webhookSchema(to))),
      }),
      answer: async ({ context, ...received }) => ({ body: envelopeA(await list(context), received) }),
    },
    {
      method: 'GET',
      path: '/v3/core/webhooks',
      describe: (to) => ({
        id: 'listWebhooks',
        group: 'Webhooks',
        summary: 'List webhooks',
        documentation: 'Query.webhooks',
        description: 'The complete list, in one answer.',
        answer: inEnvelopeC(arrayOf(webhookSchema(to))),
      }),
      answer: async ({ context }) => ({ body: envelopeC(await list(context)) }),
    },
    {
      method: 'POST',
      path: '/v3/core/webhooks',
      describe: (to) => ({
        id: 'createWebhook',
        group: 'Webhooks',
        summary: 'Create a webhook',
        documentation: 'Mutation.createWebhook',
        description: 'The answer is the only one with its signing secret.',
        scope: 'webhooks:manage',
        body: object({ webhook: to.input(CreateWebhookDocument, { renames, own: READ }) }),
        answer: newWebhookSchema(to),
      }),
      answer: async ({ body, context }) => {
        const outer = readBody(body, ['webhook']);
        const fields = readBody(outer.required('webhook', parseObject), ['name', 'type', 'url'], ['webhook']);
        const input = {
          ...settingsOf(fields),
          name: fields.required('name', parseText),
          type: fields.required('type', parseText),
          url: fields.required('url', parseText),
        };
        const { webhook, secret } = await creation.run(input, context);
        return {
          // The webhook itself: clients of this call know no envelope.
          body: stringifyJson({ ...webhook, secret }),
          ignored: [...outer.ignored(), ...fields.ignored()],
          headers: SECRET,
        };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/webhooks/:id',
      describe: (to) => ({
        id: 'getWebhook',
        group: 'Webhooks',
        summary: 'Get a webhook',
        documentation: 'Query.webhook',
        answer: inEnvelopeC(webhookSchema(to)),
      }),
      answer: async ({ params, context }) => {
        const { result } = await one.run({ id: parseText(params['id'], 'id') }, context);
        if (result === null) throw absent('webhook');
        return { body: envelopeC(stringifyJson(result)) };
      },
    },
    {
      method: 'PUT',
      path: '/v3/core/webhooks/:id',
      describe: (to) => ({
        id: 'updateWebhook',
        group: 'Webhooks',
        summary: 'Change a webhook',
        documentation: 'Mutation.updateWebhook',
        description: 'Fields that are left out stay as they are.',
        scope: 'webhooks:manage',
        body: to.input(UpdateWebhookDocument, { renames, without: ['webhookId'], own: READ }),
        answer: inEnvelopeC(webhookSchema(to)),
      }),
      answer: async ({ params, body, context }) => {
        const { fields, isWrapped, ignored } = changedSettings(body);
        const input = {
          webhookId: parseText(params['id'], 'id'),
          ...settingsOf(fields),
          name: fields.optional('name', parseText),
          type: fields.optional('type', parseText),
          url: fields.optional('url', parseText),
        };
        const { webhook } = await (isWrapped ? wrappedChange : change).run(input, context);
        return { body: envelopeC(stringifyJson(webhook)), ignored: [...ignored, ...fields.ignored()] };
      },
    },
    deletionRoute({
      path: '/v3/core/webhooks/:id',
      id: 'deleteWebhook',
      group: 'Webhooks',
      summary: 'Delete a webhook',
      documentation: 'Mutation.deleteWebhook',
      description: 'Workers stop sending to it within a second.',
      scope: 'webhooks:manage',
      run: (params, context) => deletion.run({ webhookId: parseText(params['id'], 'id') }, context),
    }),
    {
      method: 'POST',
      path: '/v3/core/webhooks/:id/rotate_secret',
      describe: (to) => ({
        id: 'rotateWebhookSecret',
        group: 'Webhooks',
        summary: 'Rotate the secret of a webhook',
        documentation: 'Mutation.rotateWebhookSecret',
        description: 'The answer is the only one with the new secret.',
        scope: 'webhooks:manage',
        answer: inEnvelopeC(newWebhookSchema(to)),
      }),
      answer: async ({ params, context }) => {
        const input = { webhookId: parseText(params['id'], 'id') };
        const { webhook, secret } = await rotation.run(input, context);
        return { body: envelopeC(stringifyJson({ ...webhook, secret })), headers: SECRET };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/webhooks/:id/deliveries',
      describe: (to) => ({
        id: 'listWebhookDeliveries',
        group: 'Webhooks',
        summary: 'List the deliveries of a webhook, latest first',
        documentation: 'Webhook.deliveries',
        description: 'With the status and the beginning of the last response of its receiver.',
        scope: 'webhooks:manage',
        parameters: [limitParameter(limits), NEXT, PREV],
        answer: inLatestFirst(to.selected(WebhookDeliveriesDocument, 'result', 'deliveries', 'nodes')),
      }),
      query: ['limit', 'next', 'prev'],
      answer: async ({ params, query, context }) => {
        const page = readPage(readQuery(query), limits);
        const { result } = await deliveries.run({ id: parseText(params['id'], 'id'), ...page }, context);
        if (result === null) throw absent('webhook');
        return latestFirstPage(result.deliveries.nodes, result.deliveries.pageInfo);
      },
    },
    {
      method: 'POST',
      path: '/v3/core/webhooks/:id/deliveries/:event_id/redeliver',
      describe: (to) => ({
        id: 'redeliverWebhookEvent',
        group: 'Webhooks',
        summary: 'Resend an event',
        documentation: 'Mutation.redeliverWebhookEvent',
        description: 'Answers when its receiver has.',
        scope: 'webhooks:manage',
        answer: inEnvelopeC(to.selected(RedeliverWebhookEventDocument, 'result', 'delivery')),
      }),
      answer: async ({ params, context }) => {
        const input = {
          webhookId: parseText(params['id'], 'id'),
          eventId: parseText(params['event_id'], 'event_id'),
        };
        const { delivery } = await redelivery.run(input, context);
        return { body: envelopeC(stringifyJson(delivery)) };
      },
    },
    {
      method: 'POST',
      path: '/v3/core/webhooks/:id/redeliver',
      describe: (to) => ({
        id: 'redeliverWebhook',
        group: 'Webhooks',
        summary: 'Resend the events of a period',
        documentation: 'Mutation.redeliverWebhook',
        description: 'Answers immediately; they are sent afterwards.',
        scope: 'webhooks:manage',
        body: to.input(RedeliverWebhookDocument, { without: ['webhookId'] }),
        answer: inEnvelopeC(webhookSchema(to)),
      }),
      answer: async ({ params, body, context }) => {
        const fields = readBody(body, ['since']);
        const input = {
          webhookId: parseText(params['id'], 'id'),
          since: fields.required('since', parseDateTime),
          until: fields.optional('until', parseDateTime),
        };
        const { webhook } = await replay.run(input, context);
        return { body: envelopeC(stringifyJson(webhook)), ignored: fields.ignored() };
      },
    },
    {
      method: 'POST',
      path: '/v3/core/webhooks/:id/test',
      describe: (to) => ({
        id: 'testWebhook',
        group: 'Webhooks',
        summary: 'Send a test event to a webhook',
        documentation: 'Mutation.testWebhook',
        description: 'Answers when its receiver has.',
        scope: 'webhooks:manage',
        answer: inEnvelopeC(to.selected(TestWebhookDocument, 'result', 'delivery')),
      }),
      answer: async ({ params, context }) => {
        const { delivery } = await trial.run({ webhookId: parseText(params['id'], 'id') }, context);
        return { body: envelopeC(stringifyJson(delivery)) };
      },
    },
  ];
}

/** Fields that are optional, also for a new webhook. */
const settingsOf = (fields: BodyFields) => ({
  dataModels: fields.optional('data_models', (value, field) => meantBy(textList(value, field))),
  operations: fields.optional('operations', textList),
  companyIds: fields.optional('companies', listOf(parseSvcId)),
  headers: fields.optional('headers', parseObject),
  enabled: fields.optional('enabled', parseBoolean),
});

const SETTINGS = Object.values(IN_WEBHOOK).map((name) => name.slice('webhook.'.length));

/** The fields of a change: the body's own, or those in its `webhook`. Throws `invalid-params` for a mixture. */
function changedSettings(body: unknown): {
  readonly fields: BodyFields;
  readonly isWrapped: boolean;
  readonly ignored: readonly string[];
} {
  const outer = readBody(body);
  const webhook = outer.optional('webhook', parseObject);
  if (!webhook) return { fields: outer, isWrapped: false, ignored: [] };
  const beside = SETTINGS.find((name) => Object.hasOwn(parseObject(body, 'body'), name));
  if (beside !== undefined)
    throw invalid(beside, 'must be in webhook: this body has settings in both places');
  return { fields: readBody(webhook, [], ['webhook']), isWrapped: true, ignored: outer.ignored() };
}

const READ = { data_models: arrayOf(word(...NAMES)) };
const HEADERS = about('Headers to add, name to value.', { type: 'object', additionalProperties: text });

const webhookSchema = (to: Describer): JsonSchema =>
  to.component('Webhook', () =>
    changeFields(to.inline(WebhooksDocument, 'result', 'nodes'), { also: { headers: HEADERS } }),
  );

const newWebhookSchema = (to: Describer): JsonSchema =>
  to.component('NewWebhook', () =>
    changeFields(to.inline(WebhooksDocument, 'result', 'nodes'), {
      also: { headers: HEADERS, secret: about('Signing secret; shown only once.', text) },
    }),
  );
