import { companyFields, companyMutations } from './companies.js';
import { connectionFields, connectionMutations } from './connections.js';
import { integrationMutations, integrationQueries } from './integrations.js';
import { inviteLinkFields, inviteLinkMutations, inviteLinkQueries } from './invite-links.js';
import { passthroughMutations } from './passthrough.js';
import { syncConnectionFields, syncFields, syncMutations, syncQueries } from './syncs.js';
import { webhookMutations, webhookQueries } from './webhooks.js';

/** Integration management, one file a subject. Reference 4.4, contract section 3. */
export const coreQueries = {
  ...integrationQueries,
  ...inviteLinkQueries,
  ...webhookQueries,
  ...syncQueries,
};

export const coreMutations = {
  ...integrationMutations,
  ...inviteLinkMutations,
  ...companyMutations,
  ...connectionMutations,
  ...syncMutations,
  ...passthroughMutations,
  ...webhookMutations,
};

export const coreTypes = {
  InviteLink: inviteLinkFields,
  ConnectedPlatform: connectionFields,
  SyncConnection: syncConnectionFields,
  Sync: syncFields,
};

export { companyFields };
