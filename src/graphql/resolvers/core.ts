import type { CountedConnection } from '../../query/pages/connection.js';
import { auditEventQueries } from './audit-events.js';
import { changeFields, changeQueries } from './changes.js';
import { companyMutations } from './companies.js';
import { connectionFields, connectionMutations } from './connections.js';
import { documentMutations, downloadFields } from './documents.js';
import { fieldMappingFields, fieldMappingMutations, fieldMappingQueries } from './field-mappings.js';
import { integrationMutations, integrationQueries } from './integrations.js';
import { inviteLinkFields, inviteLinkMutations, inviteLinkQueries } from './invite-links.js';
import { userErrorFields } from './mutation.js';
import { passthroughMutations } from './passthrough.js';
import { returnOriginMutations, returnOriginQueries } from './return-origins.js';
import { statementQueries, statementTypes } from './statements.js';
import { syncErrorFields, syncFields, syncMutations, syncQueries } from './syncs.js';
import { webhookFields, webhookMutations, webhookQueries } from './webhooks.js';
import {
  readRecordPayloadFields,
  typedWriteMutations,
  writeErrorFields,
  writeFields,
  writeItemFields,
  writeMutations,
  writeQueries,
  writeResults,
} from './writes.js';

/** Integration management, one file a subject. Reference 4.4, G11. */
export const coreQueries = {
  ...integrationQueries,
  ...inviteLinkQueries,
  ...webhookQueries,
  ...syncQueries,
  ...writeQueries,
  ...auditEventQueries,
  ...changeQueries,
  ...returnOriginQueries,
  ...statementQueries,
  ...fieldMappingQueries,
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
  ...returnOriginMutations,
  ...fieldMappingMutations,
};

/** Counted when selected. */
const counted = { totalCount: ({ count }: CountedConnection<unknown>) => count() };

export const coreTypes = {
  ActivityConnection: counted,
  AuditEventConnection: counted,
  BalanceSheetConnection: counted,
  CashFlowStatementConnection: counted,
  ConnectedPlatformConnection: counted,
  FieldMappingConnection: counted,
  IncomeStatementConnection: counted,
  IntegrationConnection: counted,
  InviteLinkConnection: counted,
  PlatformConnection: counted,
  SyncConnection: counted,
  SyncJobConnection: counted,
  SyncSettingConnection: counted,
  UnmappedRecordConnection: counted,
  WebhookConnection: counted,
  WebhookDeliveryConnection: counted,
  WriteConnection: counted,
  WriteItemConnection: counted,
  ...statementTypes,
  Change: changeFields,
  InviteLink: inviteLinkFields,
  FieldMapping: fieldMappingFields,
  Webhook: webhookFields,
  ConnectedPlatform: connectionFields,
  Sync: syncFields,
  SyncError: syncErrorFields,
  Write: writeFields,
  WriteItem: writeItemFields,
  WriteError: writeErrorFields,
  UserError: userErrorFields,
  ReadRecordPayload: readRecordPayloadFields,
  ...writeResults(),
  DownloadDocumentPayload: downloadFields,
};
