import type { Context } from '../../context.js';
import type { TenantClient } from '../../db/tenant-client.js';

/** Contract section 3, Activity. */
export interface ListedActivity {
  readonly svcId: number;
  readonly activityType: string;
  readonly svcCreatedAt: string;
  readonly svcUpdatedAt: string;
}

const MOST_LISTED = 100;

/** What happened to a company, latest first. */
export async function listActivities(context: Context, companyId: number): Promise<ListedActivity[]> {
  const rows = await context.client.activity.findMany({
    where: { svcCompanyId: BigInt(companyId) },
    orderBy: { svcId: 'desc' },
    take: MOST_LISTED,
  });
  return rows.map((row) => ({
    svcId: Number(row.svcId),
    activityType: row.activityType,
    svcCreatedAt: row.svcCreatedAt.toISOString(),
    svcUpdatedAt: row.svcCreatedAt.toISOString(),
  }));
}

/** What callers of the API do to a company (contract section 4, Activity type). */
export type ActivityType = 'COMPANY_CREATED' | 'INVITE_LINK_CREATED' | 'CONNECTION_DISCONNECTED';

/** Notes what happened to a company. */
export async function noteActivity(
  client: TenantClient,
  company: { readonly organisationId: number; readonly companyId: number },
  activityType: ActivityType,
): Promise<void> {
  const svcOrganisationId = BigInt(company.organisationId);
  await client.activity.create({
    data: { svcOrganisationId, svcCompanyId: BigInt(company.companyId), activityType },
  });
}
