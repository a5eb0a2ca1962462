import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import { stringifyJson } from '../../raw-json.js';
import { parseDateTime, parseSvcId, parseText } from '../../values.js';
import { envelopeA, envelopeC } from '../envelopes.js';
import { prepareOperation } from '../prepared.js';
import type { RestRoute } from '../route.js';
import { type BodyFields, readBody, textList } from '../request/body.js';
import { prepareMutation } from '../mutation.js';
import { absent, ignoredIn, limitOf, offsetOf, parsed } from '../request/query.js';
import { INVITE_LINK, PAGE } from './selections.js';
import { syncConfig } from './sync-config.js';

interface WireLink {
  readonly svc_id: number;
  readonly invite_link: string;
  readonly company: { readonly svc_id: number };
  readonly connections: readonly unknown[];
}

interface LinkPage {
  readonly nodes: readonly WireLink[];
  readonly pageInfo: { readonly hasNextPage: boolean };
}

/** The pages where end customers connect platforms. Reference 4.4, contract section 3. */
export function inviteLinkRoutes(executor: Executor, limits: Limits): RestRoute[] {
  const list = prepareOperation(
    executor,
    `query ($first: Int!, $after: SvcId, $skip: Int) {
      result: inviteLinks(first: $first, afterSvcId: $after, skip: $skip) {
        nodes ${INVITE_LINK} pageInfo { hasNextPage } } }`,
    PAGE,
  );
  const inviteLink = prepareOperation(
    executor,
    `query ($id: String!) { result: inviteLink(id: $id) ${INVITE_LINK} }`,
    { inviteLinkId: 'id' },
  );
  const byPath = { inviteLinkId: 'id' };
  const creation = prepareMutation(executor, 'createInviteLink', `inviteLink ${INVITE_LINK}`);
  const change = prepareMutation(executor, 'updateInviteLink', `inviteLink ${INVITE_LINK}`, byPath);
  const deletion = prepareMutation(executor, 'deleteInviteLink', 'deletedInviteLinkId', byPath);

  const find: (id: unknown, context: Parameters<typeof list.run>[1]) => Promise<string> = async (
    id,
    context,
  ) => {
    const { result } = await inviteLink.run({ id: parseText(id, 'id') }, context);
    if (result === null) throw absent('invite link');
    return stringifyJson(result);
  };

  return [
    {
      method: 'GET',
      path: '/v3/core/invite_links',
      answer: async ({ query, context }) => {
        const ignored = ignoredIn(query, ['limit', 'next', 'expand']);
        const limit = limitOf(query, limits);
        const after = parsed(query, 'next', parseSvcId);
        const { result } = await list.run({ first: limit, after }, context);
        const { nodes, pageInfo } = result as LinkPage;
        // Clients of this list declare `next` a number.
        const following = pageInfo.hasNextPage ? (nodes[nodes.length - 1]?.svc_id ?? null) : null;
        return { body: `{"data":${stringifyJson(nodes)},"next":${following}}`, ignored };
      },
    },
    {
      method: 'POST',
      path: '/v3/core/invite_links',
      answer: async ({ body, context }) => {
        const fields = readBody(body, ['integration_categories']);
        const input = { ...settingsOf(fields), companyId: fields.optional('company_id', parseSvcId) };
        const { inviteLink: made } = await creation.run(input, context);
        return { body: envelopeC(stringifyJson(fresh(made as WireLink))), ignored: fields.ignored() };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/invite_links/:id',
      answer: async ({ params, context }) => ({ body: envelopeC(await find(params['id'], context)) }),
    },
    {
      method: 'PUT',
      path: '/v3/core/invite_links/:id',
      answer: async ({ params, body, context }) => {
        const fields = readBody(body, ['integration_categories']);
        const input = { inviteLinkId: parseText(params['id'], 'id'), ...settingsOf(fields) };
        const { inviteLink: changed } = await change.run(input, context);
        return { body: envelopeC(stringifyJson(changed)), ignored: fields.ignored() };
      },
    },
    {
      method: 'DELETE',
      path: '/v3/core/invite_links/:id',
      answer: async ({ params, context }) => {
        await deletion.run({ inviteLinkId: parseText(params['id'], 'id') }, context);
        return { body: '{"status":"success"}' };
      },
    },
    {
      method: 'GET',
      path: '/invite_link',
      answer: async ({ query, context, ...received }) => {
        const ignored = ignoredIn(query, ['limit', 'offset']);
        const variables = { first: limitOf(query, limits), skip: offsetOf(query, limits) };
        const { result } = await list.run(variables, context);
        return {
          body: envelopeA(`{"data":${stringifyJson((result as LinkPage).nodes)}}`, received),
          ignored,
        };
      },
    },
    {
      method: 'POST',
      path: '/invite_link',
      answer: async ({ body, context, ...received }) => {
        const fields = readBody(body);
        const input = { ...settingsOf(fields), companyId: fields.optional('company_id', parseSvcId) };
        const { inviteLink: made } = await creation.run(input, context);
        const link = fresh(made as WireLink);
        const data = {
          invite_link: link.invite_link,
          invite_link_data: link,
          company_id: link.company.svc_id,
        };
        return { body: envelopeA(stringifyJson(data), received), ignored: fields.ignored() };
      },
    },
    {
      method: 'GET',
      path: '/invite_link/:id',
      answer: async ({ params, context, ...received }) => ({
        body: envelopeA(await find(params['id'], context), received),
      }),
    },
  ];
}

function settingsOf(fields: BodyFields): Readonly<Record<string, unknown>> {
  return {
    companyName: fields.optional('company_name', parseText),
    integrations: fields.optional('integrations', textList),
    integrationCategories: fields.optional('integration_categories', textList),
    expiresAt: fields.optional('expires_at', parseDateTime),
    syncConfig: fields.optional('sync_config', syncConfig),
  };
}

/** Contract section 3: a link that was just made has null for the connections that it has not. */
const fresh = (link: WireLink) => ({
  ...link,
  connections: link.connections.length > 0 ? link.connections : null,
});
