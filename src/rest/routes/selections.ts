/** What the shapes of contract section 3 select; aliases give the wire names. */
export const TIMES = 'svc_id: svcId svc_created_at: svcCreatedAt svc_updated_at: svcUpdatedAt';

export const SYNC_CONFIG = `{
  category data_model: dataModel enabled frequency interval sync_from: syncFrom custom_fields: customFields
  scope_access: scopeAccess { READ: read CREATE: create UPDATE: update DELETE: delete }
}`;

const CONNECTION = `${TIMES} category integration_type: integrationType sync_status: syncStatus
  rate_limits: rateLimits {
    counters { concurrent day hour minute }
    lastReset { day hour minute }
    maxLimits { concurrent_calls: concurrentCalls per_minute: perMinute }
  }
  sync_config: syncSettings ${SYNC_CONFIG}`;

export const INVITE_LINK = `{
  ${TIMES} company { name ${TIMES} }
  connections { ${CONNECTION} status }
  integration_categories: integrationCategories integrations invite_link_id: inviteLinkId
  invite_link: inviteLinkUrl expires_at: expiresAt
}`;

export const COMPANY = `{
  ${TIMES} name partner_id: partnerId status
  connections {
    ${CONNECTION} connection_status: status last_synced: lastSyncedAt sync_resume_at: syncResumeAt
  }
  invite_link: inviteLink {
    invite_link_id: inviteLinkId ${TIMES} integrations integration_categories: integrationCategories
    invite_link: inviteLinkUrl
  }
  activity_log: activityLog(first: 100) { nodes { ${TIMES} activity_type: activityType } }
}`;

interface SelectedCompany {
  readonly activity_log: { readonly nodes: readonly unknown[] };
}

/** Contract section 3, Company: its activities are the latest 100. */
export const wireCompany = (selected: unknown): object => {
  const company = selected as SelectedCompany;
  return { ...company, activity_log: company.activity_log.nodes };
};

export const INTEGRATION = `{
  ${TIMES} client_id: clientId client_secret: clientSecret count integration_type: integrationType
  is_disabled: isDisabled is_svc_identity: isSvcIdentity
}`;

export const WEBHOOK = `{
  id: webhookId name type url headers operations data_models: dataModels org_id: svcOrganisationId created_at: createdAt
}`;

/** Names of GraphQL's paging arguments in the words of the REST parameters. */
export const PAGE = { first: 'limit', last: 'limit', after: 'next', before: 'prev', skip: 'offset' };
