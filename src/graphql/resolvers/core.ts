import type { Context } from '../../context.js';
import { invalid } from '../../errors.js';
import { listActivities } from '../../operations/activities.js';
import type { ConnectedPlatform } from '../../operations/connections.js';
import { listIntegrations } from '../../operations/integrations.js';
import { getInviteLink, latestInviteLinks, listInviteLinks } from '../../operations/invite-links.js';
import { getRecord } from '../../operations/get-record.js';
import { deleteWebhook, listWebhooks } from '../../operations/webhooks.js';
import type { Row } from '../../query/columns.js';
import { company } from '../../records/index.js';
import type {
  SchemaCompanyResolvers,
  SchemaInviteLinkResolvers,
  SchemaMutationResolvers,
  SchemaQueryResolvers,
} from '../__generated__/resolvers.js';
import { encodeGlobalId } from '../global-id.js';
import { recordNeed } from '../selection.js';

/** Integration management: integrations, invite links, webhooks. Reference 4.4. */
export const coreQueries: Pick<
  SchemaQueryResolvers,
  'integrations' | 'inviteLink' | 'inviteLinks' | 'webhooks'
> = {
  integrations: (_source, { type }, context) => listIntegrations(context, type ?? 'ALL'),
  inviteLinks: (_source, { limit, afterSvcId }, context) =>
    listInviteLinks(context, { limit: limit ?? context.limits.pageSize, afterSvcId: afterSvcId ?? 0 }),
  inviteLink: (_source, { inviteLinkId }, context) => {
    if (inviteLinkId.includes('\0'))
      throw invalid('inviteLinkId', 'inviteLinkId must not hold a NUL character');
    return getInviteLink(context, inviteLinkId);
  },
  webhooks: (_source, _args, context) => listWebhooks(context),
};

export const coreMutations: SchemaMutationResolvers = {
  deleteWebhook: async (_source, { input }, context) => {
    if (await deleteWebhook(context, input.id)) return { deletedWebhookId: input.id, userErrors: [] };
    const message = 'there is no such webhook';
    return { deletedWebhookId: null, userErrors: [{ message, code: 'not-found', field: 'id' }] };
  },
};

const connectionsOf = async (companyId: number, context: Context): Promise<ConnectedPlatform[]> => [
  ...(await context.loaders.connections().load(String(companyId))),
];

/** The worst state that a connection of a company can be in comes first. */
const WORST_FIRST = ['EXPIRED', 'DISCONNECTED', 'SLEEPING', 'PENDING'];

const companyId = (row: Row): number => Number(row['svcId']);

export const companyFields: Pick<
  SchemaCompanyResolvers,
  'id' | 'status' | 'connections' | 'inviteLink' | 'activityLog'
> = {
  id: (row) => {
    const svcId = companyId(row);
    return encodeGlobalId({ model: company.model, svcCompanyId: svcId, svcId });
  },
  status: async (row, _args, context) => {
    const connections = await connectionsOf(companyId(row), context);
    const states = connections.flatMap(({ status, syncStatus }) => [status, syncStatus]);
    if (connections.length === 0) return 'PENDING';
    return WORST_FIRST.find((state) => states.includes(state)) ?? 'HEALTHY';
  },
  connections: (row, _args, context) => connectionsOf(companyId(row), context),
  inviteLink: (row, _args, context) =>
    context.loaders
      .of('invite links', async (ids) => {
        const found = await latestInviteLinks(context, ids.map(Number));
        return ids.map((id) => found.get(Number(id)) ?? null);
      })
      .load(String(companyId(row))),
  activityLog: (row, _args, context) => listActivities(context, companyId(row)),
};

export const inviteLinkFields: Pick<SchemaInviteLinkResolvers, 'company' | 'connections'> = {
  company: async (link, _args, context, info) => {
    const found = await getRecord(context, recordNeed(company, info), { svcId: link.svcCompanyId });
    if (!found) throw new Error(`the company of invite link ${link.svcId} is gone`);
    return found;
  },
  connections: (link, _args, context) => connectionsOf(link.svcCompanyId, context),
};
