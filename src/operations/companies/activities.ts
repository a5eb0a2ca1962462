import type { Context } from '../../context.js';
import type { ActivityModel } from '../../db/__generated__/models.js';

/** Contract section 3, Activity. */
export interface ListedActivity {
  readonly svcId: number;
  readonly svcCompanyId: number;
  readonly activityType: string;
  readonly svcCreatedAt: string;
  readonly svcUpdatedAt: string;
}

const MOST_LISTED = 100;

/** Entries by their svc_ids. */
export async function listActivitiesById(
  context: Context,
  svcIds: readonly number[],
): Promise<ListedActivity[]> {
  const rows = await context.client.activity.findMany({ where: { svcId: { in: svcIds.map(BigInt) } } });
  return rows.map(present);
}

/** What happened to some companies, latest first; the companies of one query part share a statement. */
export async function listActivities(
  { sql }: Context,
  companyIds: readonly number[],
): Promise<ListedActivity[][]> {
  const query = sql.query();
  const rows = await sql.rows<ListedActivity & { readonly place: number }>(
    query,
    `SELECT k.place, a.* FROM unnest(${query.bind(companyIds)}::bigint[]) WITH ORDINALITY AS k (company, place)
     CROSS JOIN LATERAL (
       SELECT t.svc_id AS "svcId", t.svc_company_id AS "svcCompanyId", t.activity_type AS "activityType",
         t.svc_created_at AS "svcCreatedAt", t.svc_created_at AS "svcUpdatedAt"
       FROM activities t WHERE ${query.within('t')} AND t.svc_company_id = k.company
       ORDER BY t.svc_id DESC LIMIT ${MOST_LISTED}
     ) a ORDER BY k.place`,
  );
  return companyIds.map((_, index) => rows.filter(({ place }) => place === index + 1));
}

function present(row: ActivityModel): ListedActivity {
  return {
    svcId: Number(row.svcId),
    svcCompanyId: Number(row.svcCompanyId),
    activityType: row.activityType,
    svcCreatedAt: row.svcCreatedAt.toISOString(),
    svcUpdatedAt: row.svcCreatedAt.toISOString(),
  };
}
