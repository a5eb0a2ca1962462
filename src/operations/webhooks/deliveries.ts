import type { Context } from '../../context.js';
import type { CountedConnection } from '../../query/pages/connection.js';
import { readOwnedPages } from '../../query/pages/owned-pages.js';
import type { PageArguments } from '../../query/pages/page.js';
import { keyOfSvcId, svcIdList } from '../../query/pages/svc-id-list.js';
import { isManager, requireManager } from './webhooks.js';

/** A delivery to a webhook, successful or not. */
export interface ListedDelivery {
  readonly svcId: number;
  readonly webhookId: string;
  readonly eventId: string;
  readonly svcCompanyId: number | null;
  readonly type: string;
  readonly dataModel: string | null;
  readonly state: string;
  readonly attempts: number;
  readonly responseStatus: number | null;
  readonly responseText: string | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly firstAttemptAt: string;
  readonly lastAttemptAt: string;
}

export type DeliveryConnection = CountedConnection<ListedDelivery>;

const COLUMNS = `t.svc_id AS "svcId", t.webhook_id AS "webhookId", t.event_id AS "eventId",
  t.company_id AS "svcCompanyId", t.type, t.data_model AS "dataModel", t.state, t.attempts,
  t.response_status AS "responseStatus", t.response_text AS "responseText", t.error, t.duration_ms AS "durationMs",
  t.first_attempt_at AS "firstAttemptAt", t.last_attempt_at AS "lastAttemptAt"`;

const DELIVERIES = svcIdList('webhook_deliveries', 'DESC');

/**
 * A webhook's deliveries, latest first; the webhooks of one query part share a statement. Throws `forbidden` without
 * the scope.
 */
export async function listDeliveries(
  context: Context,
  webhookId: string,
  args: PageArguments,
): Promise<DeliveryConnection> {
  requireManager(context, 'read deliveries of webhooks');
  return context.loaders
    .of(`deliveries ${JSON.stringify(args)}`, (ids) => readDeliveries(context, ids.map(String), args))
    .load(webhookId);
}

const readDeliveries = (
  context: Context,
  webhookIds: readonly string[],
  args: PageArguments,
): Promise<DeliveryConnection[]> =>
  readOwnedPages<string, ListedDelivery>(context, webhookIds, args, {
    list: DELIVERIES,
    keyOf: keyOfSvcId,
    select: (query, rest) =>
      `SELECT k.place, d.* FROM unnest(${query.bind(webhookIds)}::text[]) WITH ORDINALITY AS k (webhook, place)
       CROSS JOIN LATERAL (
         SELECT ${COLUMNS} FROM webhook_deliveries t
         WHERE ${query.within('t')} AND t.webhook_id = k.webhook${rest}
       ) d ORDER BY k.place`,
    count: (webhookId) => countDeliveries(context, webhookId),
  });

function countDeliveries({ client, loaders }: Context, webhookId: string): Promise<number> {
  return loaders
    .of('delivery counts', async (ids) => {
      const groups = await client.webhookDelivery.groupBy({
        by: ['webhookId'],
        where: { webhookId: { in: ids.map(String) } },
        _count: { _all: true },
      });
      const counts = new Map(groups.map((group) => [group.webhookId, group._count._all]));
      return ids.map((id) => counts.get(String(id)) ?? 0);
    })
    .load(webhookId);
}

/** Deliveries by their svc_ids; none for a key that may not read them. */
export async function listDeliveriesById(
  context: Context,
  svcIds: readonly number[],
): Promise<ListedDelivery[]> {
  if (!isManager(context)) return [];
  const query = context.sql.query();
  return context.sql.rows<ListedDelivery>(
    query,
    `SELECT ${COLUMNS} FROM webhook_deliveries t
     WHERE ${query.within('t')} AND t.svc_id = ANY(${query.bind(svcIds)}::bigint[])`,
  );
}

/** The delivery of an event; null if none was attempted. */
export async function getDelivery(
  { sql }: Context,
  webhookId: string,
  eventId: string,
): Promise<ListedDelivery | null> {
  const query = sql.query();
  const [row] = await sql.rows<ListedDelivery>(
    query,
    `SELECT ${COLUMNS} FROM webhook_deliveries t WHERE ${query.within('t')}
       AND t.webhook_id = ${query.bind(webhookId)} AND t.event_id = ${query.bind(eventId)}`,
  );
  return row ?? null;
}
