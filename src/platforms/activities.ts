import type { TenantClient } from '../db/tenant-client.js';

/** What happens to a company. Reference G6, activity_type. */
type ActivityType =
  | 'COMPANY_CREATED'
  | 'INVITE_LINK_CREATED'
  | 'CONNECTION_CREATED'
  | 'CONNECTION_EXPIRED'
  | 'CONNECTION_DISCONNECTED';

/** Notes what happened to a company in its log. */
export async function noteActivity(
  client: TenantClient,
  { organisationId, companyId }: { readonly organisationId: number; readonly companyId: number },
  activityType: ActivityType,
): Promise<void> {
  await client.activity.create({
    data: { svcOrganisationId: BigInt(organisationId), svcCompanyId: BigInt(companyId), activityType },
  });
}
