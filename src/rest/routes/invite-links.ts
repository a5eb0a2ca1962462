import type { Context } from '../../context.js';
import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import { stringifyJson } from '../../base/raw-json.js';
import { parseDateTime, parseSvcId, parseText } from '../../base/values.js';
import { envelopeA, envelopeC } from '../envelopes.js';
import {
  CreateInviteLinkDocument,
  DeleteInviteLinkDocument,
  InviteLinkDocument,
  type InviteLinkFragment,
  InviteLinksDocument,
  UpdateInviteLinkDocument,
} from '../__generated__/documents.js';
import { PAGE, prepareOperation } from '../prepared.js';
import type { RestRoute } from '../route.js';
import { type BodyFields, readBody, textList } from '../request/body.js';
import { prepareMutation } from '../mutation.js';
import { absent } from '../request/path.js';
import { checkExpand } from '../request/parts.js';
import { offsetsAround, readQuery } from '../request/query.js';
import { syncConfig } from './sync-config.js';
import type { Describer } from '../description/describe.js';
import { inEnvelopeA, inEnvelopeC, inList } from '../description/envelopes.js';
import {
  about,
  changeFields,
  type Fields,
  type JsonSchema,
  arrayOf,
  nullable,
  object,
  svcId,
  text,
} from '../description/json-schema.js';
import { limitParameter, listParameter, NEXT, offsetParameter } from '../description/parameters.js';
import { deletionRoute } from './deletion-route.js';

const NEEDED = ['integration_categories'];
const INCLUDED = ['connections', 'company'];
const EXPAND = listParameter('expand', 'Accepted for older clients: these are always included.', INCLUDED);

/** The pages where end customers connect platforms. Reference 4.4, G11. */
export function inviteLinkRoutes(executor: Executor, limits: Limits): RestRoute[] {
  const byPath = { inviteLinkId: 'id' };
  const list = prepareOperation(executor, InviteLinksDocument, PAGE);
  const inviteLink = prepareOperation(executor, InviteLinkDocument, byPath);
  const creation = prepareMutation(executor, CreateInviteLinkDocument);
  const change = prepareMutation(executor, UpdateInviteLinkDocument, byPath);
  const deletion = prepareMutation(executor, DeleteInviteLinkDocument, byPath);

  const find = async (id: string | undefined, context: Context): Promise<string> => {
    const { result } = await inviteLink.run({ id: parseText(id, 'id') }, context);
    if (result === null) throw absent('invite link');
    return stringifyJson(wireLink(result));
  };
  const make = async (fields: BodyFields, context: Context): Promise<InviteLinkFragment> => {
    const input = { ...settingsOf(fields), companyId: fields.optional('company_id', parseSvcId) };
    const { inviteLink: made } = await creation.run(input, context);
    if (made === null) throw absent('invite link');
    return made;
  };

  return [
    {
      method: 'GET',
      path: '/v3/core/invite_links',
      describe: (to) => ({
        id: 'listInviteLinks',
        group: 'Connecting',
        summary: 'List invite links',
        documentation: 'Query.inviteLinks',
        parameters: [limitParameter(limits), { ...NEXT, schema: svcId }, EXPAND],
        answer: inList(
          linkSchema(to),
          nullable(about('svc_id of the last link; null on the last page.', svcId)),
        ),
      }),
      query: ['limit', 'next', 'expand'],
      answer: async ({ query, context }) => {
        const fields = readQuery(query);
        checkExpand(fields, INCLUDED);
        const limit = fields.limit(limits);
        const after = fields.optional('next', parseSvcId);
        const { result } = await list.run({ first: limit, after }, context);
        const { nodes, pageInfo } = result;
        // Clients of this list declare `next` a number.
        const following = pageInfo.hasNextPage ? (nodes[nodes.length - 1]?.svc_id ?? null) : null;
        const body = `{"data":${stringifyJson(nodes.map(wireLink))},"next":${following}}`;
        return { body, cursors: { next: following } };
      },
    },
    {
      method: 'POST',
      path: '/v3/core/invite_links',
      describe: (to) => ({
        id: 'createInviteLink',
        group: 'Connecting',
        summary: 'Create an invite link',
        documentation: 'Mutation.createInviteLink',
        scope: 'write',
        body: to.input(CreateInviteLinkDocument, { required: NEEDED }),
        answer: inEnvelopeC(linkSchema(to)),
      }),
      answer: async ({ body, context }) => {
        const fields = readBody(body, NEEDED);
        const made = await make(fields, context);
        return { body: envelopeC(stringifyJson(wireLink(made))), ignored: fields.ignored() };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/invite_links/:id',
      describe: (to) => ({
        id: 'getInviteLink',
        group: 'Connecting',
        summary: 'Get an invite link',
        documentation: 'Query.inviteLink',
        description: 'With its company and the connections made.',
        answer: inEnvelopeC(linkSchema(to)),
      }),
      answer: async ({ params, context }) => ({ body: envelopeC(await find(params['id'], context)) }),
    },
    {
      method: 'PUT',
      path: '/v3/core/invite_links/:id',
      describe: (to) => ({
        id: 'updateInviteLink',
        group: 'Connecting',
        summary: 'Change an invite link',
        documentation: 'Mutation.updateInviteLink',
        scope: 'write',
        body: to.input(UpdateInviteLinkDocument, { without: ['inviteLinkId'], required: NEEDED }),
        answer: inEnvelopeC(linkSchema(to)),
      }),
      answer: async ({ params, body, context }) => {
        const fields = readBody(body, NEEDED);
        const input = { inviteLinkId: parseText(params['id'], 'id'), ...settingsOf(fields) };
        const { inviteLink: changed } = await change.run(input, context);
        return { body: envelopeC(stringifyJson(changed && wireLink(changed))), ignored: fields.ignored() };
      },
    },
    deletionRoute({
      path: '/v3/core/invite_links/:id',
      id: 'deleteInviteLink',
      group: 'Connecting',
      summary: 'Withdraw an invite link',
      documentation: 'Mutation.deleteInviteLink',
      scope: 'write',
      run: (params, context) => deletion.run({ inviteLinkId: parseText(params['id'], 'id') }, context),
    }),
    {
      method: 'GET',
      path: '/invite_link',
      describe: (to) => ({
        id: 'listUnversionedInviteLinks',
        group: 'Connecting',
        summary: 'List invite links, unversioned',
        documentation: 'Query.inviteLinks',
        parameters: [limitParameter(limits), offsetParameter(limits)],
        answer: inEnvelopeA(object({ data: arrayOf(linkSchema(to)) })),
      }),
      query: ['limit', 'offset'],
      answer: async ({ query, context, ...received }) => {
        const fields = readQuery(query);
        const variables = { first: fields.limit(limits), skip: fields.offset(limits) };
        const { result } = await list.run(variables, context);
        return {
          body: envelopeA(`{"data":${stringifyJson(result.nodes.map(wireLink))}}`, received),
          cursors: offsetsAround(variables, result.pageInfo.hasNextPage),
        };
      },
    },
    {
      method: 'POST',
      path: '/invite_link',
      describe: (to) => ({
        id: 'createUnversionedInviteLink',
        group: 'Connecting',
        summary: 'Create an invite link, unversioned',
        documentation: 'Mutation.createInviteLink',
        scope: 'write',
        body: to.input(CreateInviteLinkDocument),
        answer: inEnvelopeA(
          object({ invite_link: text, invite_link_data: linkSchema(to), company_id: svcId }),
        ),
      }),
      answer: async ({ body, context, ...received }) => {
        const fields = readBody(body);
        const link = wireLink(await make(fields, context));
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
      describe: (to) => ({
        id: 'getUnversionedInviteLink',
        group: 'Connecting',
        summary: 'Get an invite link, unversioned',
        documentation: 'Query.inviteLink',
        answer: inEnvelopeA(linkSchema(to)),
      }),
      answer: async ({ params, context, ...received }) => ({
        body: envelopeA(await find(params['id'], context), received),
      }),
    },
  ];
}

function settingsOf(fields: BodyFields) {
  return {
    companyName: fields.optional('company_name', parseText),
    integrations: fields.optional('integrations', textList),
    integrationCategories: fields.optional('integration_categories', textList),
    expiresAt: fields.optional('expires_at', parseDateTime),
    syncConfig: fields.optional('sync_config', syncConfig),
  };
}

/** Reference G12: a link without connections has null for them. */
const wireLink = (link: InviteLinkFragment) => ({
  ...link,
  connections: link.connections.nodes.length > 0 ? link.connections.nodes : null,
});

const linkSchema = (to: Describer): JsonSchema =>
  to.component('InviteLink', () => {
    const link = to.inline(InviteLinkDocument, 'result');
    const connections = (link['properties'] as Fields)['connections'] ?? {};
    return changeFields(link, { also: { connections: nullable(connections) } });
  });
