import { parseText } from '../../base/values.js';
import { listConnections } from '../../operations/connections/list-connections.js';
import { getInviteLink, listInviteLinks } from '../../operations/links/invite-links.js';
import {
  createInviteLink,
  revokeInviteLink,
  updateInviteLink,
} from '../../operations/links/write-invite-links.js';
import type {
  SchemaInviteLinkResolvers,
  SchemaMutationResolvers,
  SchemaQueryResolvers,
} from '../__generated__/resolvers.js';
import { encodeGlobalId } from '../global-id.js';
import { carryOut } from './mutation.js';
import { loadCompany } from './records.js';

/** The pages where end customers connect platforms. */
export const inviteLinkQueries: Pick<SchemaQueryResolvers, 'inviteLink' | 'inviteLinks'> = {
  inviteLinks: (_source, args, context) => listInviteLinks(context, args),
  inviteLink: (_source, { id }, context) => getInviteLink(context, parseText(id, 'id')),
};

export const inviteLinkMutations: Pick<
  SchemaMutationResolvers,
  'createInviteLink' | 'updateInviteLink' | 'deleteInviteLink'
> = {
  createInviteLink: (_source, { input }, context) =>
    carryOut(input, { inviteLink: null }, async () => ({
      inviteLink: await createInviteLink(context, input),
    })),
  updateInviteLink: (_source, { input }, context) =>
    carryOut(input, { inviteLink: null }, async () => ({
      inviteLink: await updateInviteLink(context, input),
    })),
  deleteInviteLink: (_source, { input }, context) =>
    carryOut(input, { deletedInviteLinkId: null, deletedId: null }, async () => {
      const { svcCompanyId, svcId } = await revokeInviteLink(context, input.inviteLinkId);
      const deletedId = encodeGlobalId({ type: 'InviteLink', svcCompanyId, key: svcId });
      return { deletedInviteLinkId: input.inviteLinkId, deletedId };
    }),
};

export const inviteLinkFields: Pick<SchemaInviteLinkResolvers, 'company' | 'connections' | 'inviteLinkUrl'> =
  {
    company: async (link, _args, context, info) => {
      const found = await loadCompany(link.svcCompanyId, context, info);
      if (!found) throw new Error(`the company of invite link ${link.svcId} is gone`);
      return found;
    },
    connections: (link, args, context) => listConnections(context, link.svcCompanyId, args),
    inviteLinkUrl: (link, _args, context) => `${context.publicUrl}/link/${link.inviteLinkId}`,
  };
