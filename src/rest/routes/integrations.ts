import { invalid } from '../../errors.js';
import type { Executor } from '../../graphql/execute.js';
import { stringifyJson } from '../../base/raw-json.js';
import { parseBoolean, parseText } from '../../base/values.js';
import { envelopeA, type RequestReceipt } from '../envelopes.js';
import {
  CreateIntegrationDocument,
  IntegrationDocument,
  type IntegrationFragment,
  IntegrationsDocument,
  UpdateIntegrationDocument,
} from '../__generated__/documents.js';
import { prepareOperation } from '../prepared.js';
import type { RestAnswer, RestRoute } from '../route.js';
import { parseObject, readBody, textList } from '../request/body.js';
import { prepareMutation } from '../mutation.js';
import { absent, pathSvcId } from '../request/path.js';
import { readQuery } from '../request/query.js';
import type { Describer } from '../description/describe.js';
import { inEnvelopeA } from '../description/envelopes.js';
import {
  about,
  anyObject,
  changeFields,
  integer,
  type JsonSchema,
  arrayOf,
  object,
} from '../description/json-schema.js';
import { wordParameter } from '../description/parameters.js';

/** Clients know a field for what an integration has beyond these; ours have nothing. */
const complete = (integration: IntegrationFragment | null) => ({ ...integration, metadata: {} });

const integrationSchema = (to: Describer): JsonSchema =>
  to.component('Integration', () =>
    changeFields(to.inline(IntegrationDocument, 'result'), { also: { metadata: anyObject } }),
  );

/** The organisation's apps at platforms. Reference 4.4, G11. */
export function integrationRoutes(executor: Executor): RestRoute[] {
  const list = prepareOperation(executor, IntegrationsDocument);
  const integration = prepareOperation(executor, IntegrationDocument);
  const creation = prepareMutation(executor, CreateIntegrationDocument);
  const change = prepareMutation(executor, UpdateIntegrationDocument, { svcId: 'id' });

  return [
    {
      method: 'GET',
      path: '/integrations',
      describe: (to) => ({
        id: 'listIntegrations',
        group: 'Connecting',
        summary: 'List the apps for platforms',
        documentation: 'Query.integrations',
        description: 'Secrets are masked unless the key has the scope `integrations:secrets`.',
        parameters: [wordParameter('type', 'Which integrations to list.', ['ALL', 'DISABLED', 'ENABLED'])],
        answer: inEnvelopeA(
          object({
            data: arrayOf(integrationSchema(to)),
            disabled_integrations: about('Number of disabled apps.', integer),
            enabled_integrations: about('Number of enabled apps.', integer),
          }),
        ),
      }),
      query: ['type'],
      answer: async ({ query, context, ...received }) => {
        const type = readQuery(query).optional('type', parseText)?.toUpperCase() ?? 'ALL';
        if (type !== 'ALL' && type !== 'DISABLED' && type !== 'ENABLED') {
          throw invalid('type', `must be ALL, DISABLED or ENABLED, got ${type.slice(0, 40)}`);
        }
        const { result } = await list.run({ type }, context);
        const { data, ...counters } = result;
        return secret({ data: data.map(complete), ...counters }, received);
      },
    },
    {
      method: 'POST',
      path: '/integrations',
      describe: (to) => ({
        id: 'createIntegration',
        group: 'Connecting',
        summary: 'Add an app for a platform',
        documentation: 'Mutation.createIntegration',
        scope: 'integrations:secrets',
        body: to.input(CreateIntegrationDocument),
        answer: inEnvelopeA(integrationSchema(to)),
      }),
      answer: async ({ body, context, ...received }) => {
        const fields = readBody(body, ['integration_type']);
        const input = {
          integrationType: fields.required('integration_type', parseText),
          clientId: fields.optional('client_id', parseText),
          clientSecret: fields.optional('client_secret', parseText),
          scopes: fields.optional('scopes', textList),
          isSvcIdentity: fields.optional('is_svc_identity', parseBoolean),
        };
        const { integration: made } = await creation.run(input, context);
        return { ...secret(complete(made), received), ignored: fields.ignored() };
      },
    },
    {
      method: 'GET',
      path: '/integrations/:id',
      describe: (to) => ({
        id: 'getIntegration',
        group: 'Connecting',
        summary: 'Get an app for a platform',
        documentation: 'Query.integration',
        description: 'Secrets are masked unless the key has the scope `integrations:secrets`.',
        answer: inEnvelopeA(integrationSchema(to)),
      }),
      answer: async ({ params, context, ...received }) => {
        const { result } = await integration.run({ svcId: idOf(params) }, context);
        if (result === null) throw absent('integration');
        return secret(complete(result), received);
      },
    },
    {
      method: 'PUT',
      path: '/integrations/:id',
      describe: (to) => ({
        id: 'updateIntegration',
        group: 'Connecting',
        summary: 'Change an app for a platform',
        documentation: 'Mutation.updateIntegration',
        scope: 'write',
        body: to.input(UpdateIntegrationDocument, { without: ['svcId'], required: ['is_disabled'] }),
        answer: inEnvelopeA(integrationSchema(to)),
      }),
      answer: async ({ params, body, context, ...received }) => {
        const svcId = idOf(params);
        const fields = readBody(body, ['is_disabled', ...appFields(body)]);
        const input = {
          svcId,
          isDisabled: fields.required('is_disabled', parseBoolean),
          clientId: fields.optional('client_id', parseText),
          clientSecret: fields.optional('client_secret', parseText),
          hookSecret: fields.optional('hook_secret', parseText),
          scopes: fields.optional('scopes', textList),
          isSvcIdentity: fields.optional('is_svc_identity', parseBoolean),
        };
        const { integration: changed } = await change.run(input, context);
        return { ...secret(complete(changed), received), ignored: fields.ignored() };
      },
    },
  ];
}

/** Platforms without an app have neither; elsewhere both are sent. */
function appFields(body: unknown): readonly string[] {
  const names = ['client_id', 'client_secret'];
  const sent = parseObject(body, 'body');
  return names.some((name) => sent[name] != null) ? names : [];
}

const idOf = (params: Readonly<Record<string, string>>): number => pathSvcId(params['id'], 'integration');

/** The answer may contain secrets: no cache may keep it. */
function secret(data: unknown, received: RequestReceipt): RestAnswer {
  return { body: envelopeA(stringifyJson(data), received), headers: { 'cache-control': 'no-store' } };
}
