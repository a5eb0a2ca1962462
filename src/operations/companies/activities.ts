import type { Context } from '../../context.js';
import type { CountedConnection } from '../../query/pages/connection.js';
import { ofOwnedIds, type OwnedId } from '../../query/owned-ids.js';
import { readOwnedPages } from '../../query/pages/owned-pages.js';
import type { PageArguments } from '../../query/pages/page.js';
import { keyOfSvcId, svcIdList } from '../../query/pages/svc-id-list.js';

/** Reference G12, activity. */
export interface ListedActivity {
  readonly svcId: number;
  readonly svcCompanyId: number;
  readonly activityType: string;
  readonly svcCreatedAt: string;
  readonly svcUpdatedAt: string;
}

/** Entries by their svc_ids. */
export function listActivitiesById(
  { sql }: Context,
  activities: readonly OwnedId[],
): Promise<ListedActivity[]> {
  const query = sql.query();
  return sql.rows(
    query,
    `SELECT ${COLUMNS} FROM activities t WHERE ${query.within('t')} AND ${ofOwnedIds(query, 'svc_id', activities)}`,
  );
}

export type ActivityConnection = CountedConnection<ListedActivity>;

const COLUMNS = `t.svc_id AS "svcId", t.svc_company_id AS "svcCompanyId", t.activity_type AS "activityType",
  t.svc_created_at AS "svcCreatedAt", t.svc_created_at AS "svcUpdatedAt"`;

const ACTIVITIES = svcIdList('activities', 'DESC');

/** A company's activities, latest first; companies of one query part share a statement. */
export function listActivities(
  context: Context,
  companyId: number,
  args: PageArguments,
): Promise<ActivityConnection> {
  return context.loaders
    .of(`activities ${JSON.stringify(args)}`, (ids) => readActivities(context, ids.map(Number), args))
    .load(String(companyId));
}

const readActivities = (
  context: Context,
  companyIds: readonly number[],
  args: PageArguments,
): Promise<ActivityConnection[]> =>
  readOwnedPages<number, ListedActivity>(context, companyIds, args, {
    list: ACTIVITIES,
    keyOf: keyOfSvcId,
    select: (query, rest) =>
      `SELECT k.place, a.* FROM unnest(${query.bind(companyIds)}::bigint[]) WITH ORDINALITY AS k (company, place)
       CROSS JOIN LATERAL (
         SELECT ${COLUMNS}
         FROM activities t WHERE ${query.within('t')} AND t.svc_company_id = k.company
           AND ${query.ofCompanies(companyIds)}${rest}
       ) a ORDER BY k.place`,
    count: (companyId) => countActivities(context, companyId),
  });

function countActivities({ client, loaders }: Context, companyId: number): Promise<number> {
  return loaders
    .of('activity counts', async (ids) => {
      const groups = await client.activity.groupBy({
        by: ['svcCompanyId'],
        where: { svcCompanyId: { in: ids.map(BigInt) } },
        _count: { _all: true },
      });
      const counts = new Map(groups.map(({ svcCompanyId, _count }) => [String(svcCompanyId), _count._all]));
      return ids.map((id) => counts.get(id) ?? 0);
    })
    .load(String(companyId));
}
