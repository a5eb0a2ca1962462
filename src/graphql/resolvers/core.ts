import { companyFields, companyMutations } from './companies.js';
import { connectionFields, connectionMutations } from './connections.js';
import { documentMutations, downloadFields } from './documents.js';
import { integrationMutations, integrationQueries } from './integrations.js';
import { inviteLinkFields, inviteLinkMutations, inviteLinkQueries } from './invite-links.js';
import { passthroughMutations } from './passthrough.js';
import { syncConnectionFields, syncFields, syncMutations, syncQueries } from './syncs.js';
import { webhookMutations, webhookQueries } from './webhooks.js';
import {
  readRecordPayloadFields,
  typedWriteMutations,
  typedWriteResults,
  uploadConnectionFields,
  uploadFields,
  uploadItemFields,
  writeMutations,
  writeQueries,
} from './writes.js';

/** Integration management, one file a subject. Reference 4.4, contract section 3. */
export const coreQueries = {
  ...integrationQueries,
  ...inviteLinkQueries,
  ...webhookQueries,
  ...syncQueries,
  ...writeQueries,
};

export const coreMutations = {
  ...integrationMutations,
  ...inviteLinkMutations,
  ...companyMutations,
  ...connectionMutations,
  ...syncMutations,
  ...passthroughMutations,
  ...writeMutations,
  ...typedWriteMutations(),
  ...documentMutations,
  ...webhookMutations,
};

export const coreTypes = {
  InviteLink: inviteLinkFields,
  ConnectedPlatform: connectionFields,
  SyncConnection: syncConnectionFields,
  Sync: syncFields,
  UploadConnection: uploadConnectionFields,
  Upload: uploadFields,
  UploadItem: uploadItemFields,
  ReadRecordPayload: readRecordPayloadFields,
  ...typedWriteResults(),
  DownloadDocumentPayload: downloadFields,
};

export { companyFields };
