import type { Context } from '../../context.js';

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
