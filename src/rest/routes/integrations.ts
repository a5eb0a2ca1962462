import { invalid } from '../../errors.js';
import type { Executor } from '../../graphql/execute.js';
import { stringifyJson } from '../../raw-json.js';
import { parseBoolean, parseText } from '../../values.js';
import { envelopeA, type Received } from '../envelopes.js';
import { ALL, prepareOperation } from '../prepared.js';
import type { RestAnswer, RestRoute } from '../route.js';
import { readBody } from '../request/body.js';
import { prepareMutation } from '../mutation.js';
import { absent, ignoredIn, one, pathSvcId } from '../request/query.js';
import { INTEGRATION } from './selections.js';

/** Clients know a field for what an integration has beyond these; ours have nothing. */
const complete = (integration: unknown) => ({ ...(integration as object), metadata: {} });

/** The organisation's apps at platforms. Reference 4.4, contract section 3. */
export function integrationRoutes(executor: Executor): RestRoute[] {
  const list = prepareOperation(
    executor,
    `query ($type: IntegrationSelection) { result: integrations(type: $type, first: ${ALL}) {
      data: nodes ${INTEGRATION}
      disabled_integrations: disabledIntegrations enabled_integrations: enabledIntegrations } }`,
    {},
  );
  const integration = prepareOperation(
    executor,
    `query ($svcId: SvcId!) { result: integration(svcId: $svcId) ${INTEGRATION} }`,
    {},
  );
  const creation = prepareMutation(executor, 'createIntegration', `integration ${INTEGRATION}`);
  const change = prepareMutation(executor, 'updateIntegration', `integration ${INTEGRATION}`, {
    svcId: 'id',
  });

  return [
    {
      method: 'GET',
      path: '/integrations',
      answer: async ({ query, context, ...received }) => {
        const ignored = ignoredIn(query, ['type']);
        const type = one(query, 'type')?.toUpperCase() ?? 'ALL';
        if (!['ALL', 'DISABLED', 'ENABLED'].includes(type)) {
          throw invalid('type', `type must be ALL, DISABLED or ENABLED, got ${type.slice(0, 40)}`);
        }
        const { result } = await list.run({ type }, context);
        const { data, ...counters } = result as { data: unknown[] };
        return { ...secret({ data: data.map(complete), ...counters }, received), ignored };
      },
    },
    {
      method: 'POST',
      path: '/integrations',
      answer: async ({ body, context, ...received }) => {
        const fields = readBody(body, ['integration_type', 'client_id', 'client_secret']);
        const input = {
          integrationType: fields.required('integration_type', parseText),
          clientId: fields.required('client_id', parseText),
          clientSecret: fields.required('client_secret', parseText),
          isSvcIdentity: fields.optional('is_svc_identity', parseBoolean),
        };
        const { integration: made } = await creation.run(input, context);
        return { ...secret(complete(made), received), ignored: fields.ignored() };
      },
    },
    {
      method: 'GET',
      path: '/integrations/:id',
      answer: async ({ params, context, ...received }) => {
        const { result } = await integration.run({ svcId: idOf(params) }, context);
        if (result === null) throw absent('integration');
        return secret(complete(result), received);
      },
    },
    {
      method: 'PUT',
      path: '/integrations/:id',
      answer: async ({ params, body, context, ...received }) => {
        const svcId = idOf(params);
        const fields = readBody(body, ['is_disabled', 'client_id', 'client_secret']);
        const input = {
          svcId,
          isDisabled: fields.required('is_disabled', parseBoolean),
          clientId: fields.required('client_id', parseText),
          clientSecret: fields.required('client_secret', parseText),
          isSvcIdentity: fields.optional('is_svc_identity', parseBoolean),
        };
        const { integration: changed } = await change.run(input, context);
        return { ...secret(complete(changed), received), ignored: fields.ignored() };
      },
    },
  ];
}

function idOf(params: Readonly<Record<string, string>>): number {
  const svcId = pathSvcId(params['id']);
  if (svcId === null) throw absent('integration');
  return svcId;
}

/** The answer may hold secrets: no cache keeps it. */
function secret(data: unknown, received: Received): RestAnswer {
  return { body: envelopeA(stringifyJson(data), received), headers: { 'cache-control': 'no-store' } };
}
