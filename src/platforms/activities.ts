import type { TenantClient } from '../db/tenant-client.js';
import type { TenantSql } from '../db/tenant-sql.js';

/** Activity of a company. Reference G6, activity_type. */
type ActivityType =
  | 'COMPANY_CREATED'
  | 'INVITE_LINK_CREATED'
  | 'CONNECTION_CREATED'
  | 'CONNECTION_EXPIRED'
  | 'CONNECTION_DISCONNECTED';

/** Adds an activity to a company's log. */
export async function noteActivity(
  client: TenantClient,
  { organisationId, companyId }: { readonly organisationId: number; readonly companyId: number },
  activityType: ActivityType,
): Promise<void> {
  await client.activity.create({
    data: { svcOrganisationId: BigInt(organisationId), svcCompanyId: BigInt(companyId), activityType },
  });
}

type ConnectionActivity = Extract<ActivityType, `CONNECTION_${string}`>;

/** Adds an activity of a company's connection, in the transaction of the change. */
export async function noteConnectionActivity(
  transaction: TenantSql,
  svcCompanyId: number,
  activityType: ConnectionActivity,
): Promise<void> {
  const query = transaction.query();
  await transaction.rows(
    query,
    `INSERT INTO activities (svc_organisation_id, svc_company_id, activity_type)
     SELECT t.svc_organisation_id, t.svc_id, ${query.bind(activityType)} FROM companies t
     WHERE ${query.within('t', 'svc_id')} AND t.svc_id = ${query.bind(svcCompanyId)}`,
  );
}
