import { AppError, invalid } from '../errors.js';
import type { Executor } from '../graphql/execute.js';
import type { Limits } from '../limits.js';
import { stringifyJson } from '../raw-json.js';
import { parseSvcId, parseText } from '../values.js';
import { envelopeA, envelopeC } from './envelopes.js';
import { parsePageSize, type Query } from './parameters.js';
import { prepareOperation } from './prepared.js';
import type { RestRoute } from './route.js';

const TIMES = 'svc_id: svcId svc_created_at: svcCreatedAt svc_updated_at: svcUpdatedAt';
const RATE_LIMITS = `rate_limits: rateLimits {
  counters { concurrent day hour minute }
  lastReset { day hour minute }
  maxLimits { concurrent_calls: concurrentCalls per_minute: perMinute }
}`;
const CONNECTION = `${TIMES} category integration_type: integrationType sync_status: syncStatus ${RATE_LIMITS}`;
const INVITE_LINK = `{
  ${TIMES} company { name ${TIMES} }
  connections { ${CONNECTION} status }
  integration_categories: integrationCategories integrations invite_link_id: inviteLinkId
}`;
const WEBHOOK = `{
  id name type url headers operations data_models: dataModels org_id: svcOrganisationId created_at: createdAt
}`;
const COMPANY = `{
  ${TIMES} name partner_id: partnerId
  connections { ${CONNECTION} connection_status: status last_synced: lastSyncedAt }
  invite_link: inviteLink { invite_link_id: inviteLinkId ${TIMES} integrations integration_categories: integrationCategories }
  activity_log: activityLog { ${TIMES} activity_type: activityType }
}`;

const PAGE = { first: 'limit', after: 'next', limit: 'limit' };

/** Integration management (reference 4.4, contract section 3): reading, and removing a webhook. */
export function coreRoutes(executor: Executor, limits: Limits): RestRoute[] {
  const prepare = (text: string) => prepareOperation(executor, text, PAGE);
  const integrations = prepare(`query ($type: IntegrationSelection) { result: integrations(type: $type) {
    data: nodes {
      svc_id: svcId client_id: clientId client_secret: clientSecret count integration_type: integrationType
      is_disabled: isDisabled is_svc_identity: isSvcIdentity
    }
    disabled_integrations: disabledIntegrations enabled_integrations: enabledIntegrations } }`);
  const webhooks = prepare(`{ result: webhooks ${WEBHOOK} }`);
  const deletion = prepare(
    `mutation ($id: String!) { result: deleteWebhook(input: { id: $id }) { deletedWebhookId } }`,
  );
  const inviteLinks = prepare(
    `query ($limit: Int!, $after: SvcId) { result: inviteLinks(limit: $limit, afterSvcId: $after) ${INVITE_LINK} }`,
  );
  const inviteLink = prepare(`query ($id: String!) { result: inviteLink(inviteLinkId: $id) ${INVITE_LINK} }`);
  const companies = prepare(`query ($first: Int, $after: String, $connected: ConnectedFilter) {
    result: companies(first: $first, after: $after, connected: $connected) {
      nodes ${COMPANY} pageInfo { hasNextPage endCursor } } }`);
  const company = prepare(`query ($svcId: SvcId!) { result: company(svcId: $svcId) ${COMPANY} }`);

  return [
    {
      method: 'GET',
      path: '/integrations',
      answer: async ({ query, context, ...received }) => {
        const type = one(query, 'type')?.toUpperCase() ?? 'ALL';
        if (!['ALL', 'DISABLED', 'ENABLED'].includes(type)) {
          throw invalid('type', `type must be ALL, DISABLED or ENABLED, got ${type.slice(0, 40)}`);
        }
        const { result } = await integrations.run({ type }, context);
        // The answer may hold secrets: no cache keeps it.
        return { body: envelopeA(stringifyJson(result), received), headers: { 'cache-control': 'no-store' } };
      },
    },
    {
      method: 'GET',
      path: '/webhooks',
      answer: async ({ context, ...received }) => {
        const { result } = await webhooks.run({}, context);
        return { body: envelopeA(stringifyJson(result), received) };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/webhooks',
      answer: async ({ context }) => {
        const { result } = await webhooks.run({}, context);
        return { body: envelopeC(stringifyJson(result)) };
      },
    },
    {
      method: 'DELETE',
      path: '/v3/core/webhooks/:id',
      answer: async ({ params, context }) => {
        const { result } = await deletion.run({ id: parseText(params['id'], 'id') }, context);
        if ((result as { deletedWebhookId: string | null }).deletedWebhookId === null)
          throw absent('webhook');
        return { body: '{"status":"success"}' };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/invite_links',
      answer: async ({ query, context }) => {
        const limit = limitOf(query, limits);
        const next = one(query, 'next');
        const after = next === null ? null : parseSvcId(next, 'next');
        const read = async (size: number, afterSvcId: number | null) => {
          const { result } = await inviteLinks.run({ limit: size, after: afterSvcId }, context);
          return result as { svc_id: number }[];
        };
        const page = await read(limit, after);
        const last = page.length === limit ? page[page.length - 1] : undefined;
        const isThereMore = last !== undefined && (await read(1, last.svc_id)).length > 0;
        // Clients of this list declare `next` a number.
        const following = isThereMore ? last.svc_id : null;
        return { body: `{"data":${stringifyJson(page)},"next":${following}}` };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/invite_links/:id',
      answer: async ({ params, context }) => {
        const { result } = await inviteLink.run({ id: parseText(params['id'], 'id') }, context);
        if (result === null) throw absent('invite link');
        return { body: envelopeC(stringifyJson(result)) };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/companies',
      answer: async ({ query, context }) => {
        const connected = {
          integrationTypes: several(query, 'integrations'),
          categories: several(query, 'categories'),
          statuses: several(query, 'status'),
        };
        const wanted = Object.values(connected).some((values) => values !== null);
        const variables = {
          first: limitOf(query, limits),
          after: one(query, 'next'),
          connected: wanted ? connected : null,
        };
        const { result } = await companies.run(variables, context);
        const { nodes, pageInfo } = result as {
          nodes: unknown[];
          pageInfo: { hasNextPage: boolean; endCursor: string | null };
        };
        const next = pageInfo.hasNextPage ? pageInfo.endCursor : null;
        return { body: `{"data":${stringifyJson(nodes)},"next":${stringifyJson(next)}}` };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/companies/:svc_id',
      answer: async ({ params, context }) => {
        const text = params['svc_id'] ?? '';
        const svcId = /^\d{1,15}$/.test(text) ? Number(text) : null;
        const { result } = svcId === null ? { result: null } : await company.run({ svcId }, context);
        if (result === null) throw absent('company');
        return { body: envelopeC(stringifyJson(result)) };
      },
    },
  ];
}

/** A parameter that is given once; empty and literal null are absent. */
function one(query: Query, name: string): string | null {
  const value = query[name];
  if (value === undefined || value === '' || value === 'null') return null;
  if (typeof value !== 'string') throw invalid(name, `${name} must be given once`);
  return parseText(value, name);
}

function several(query: Query, name: string): string[] | null {
  return (
    one(query, name)
      ?.split(',')
      .map((part) => part.trim()) ?? null
  );
}

function limitOf(query: Query, limits: Limits): number {
  return parsePageSize(one(query, 'limit') ?? limits.pageSize, 'limit', 1, limits.maxPageSize);
}

function absent(what: string): AppError {
  return new AppError('not-found', `there is no such ${what}`, 'id');
}
