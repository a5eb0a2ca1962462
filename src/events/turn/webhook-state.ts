import type { TenantSql } from '../../db/tenant-sql.js';
import type { EventFilter, WebhookEvent } from '../event.js';
import type { Attempt } from '../send.js';

/** A webhook that this worker has leased: what it stores carries the fence, and a later lease has a higher one. */
export interface WebhookLease {
  readonly id: string;
  readonly organisationId: number;
  readonly fence: number;
}

/** A webhook as its worker found it. */
export interface LeasedWebhook extends EventFilter {
  readonly type: string;
  readonly url: string;
  readonly headers: string;
  readonly secret: string | null;
  readonly oldSecret: string | null;
  readonly oldSecretUntil: string | null;
  readonly position: number;
  readonly replayAfter: number | null;
  readonly replayUntil: number | null;
  readonly failures: number;
  readonly failingSince: string | null;
}

/** Another worker has it, it was changed, or it is gone: nothing more may be sent or stored. */
export class WebhookLost extends Error {
  override readonly name = 'WebhookLost';
}

/** The webhook of a lease. */
export async function readWebhook(sql: TenantSql, lease: WebhookLease): Promise<LeasedWebhook> {
  const query = sql.query();
  const [row] = await sql.rows<Omit<LeasedWebhook, 'companyIds'> & { companyIds: readonly string[] }>(
    query,
    `SELECT t.type, t.url, t.headers, t.secret, t.old_secret AS "oldSecret", t.old_secret_until AS "oldSecretUntil",
       t.position, t.replay_after AS "replayAfter", t.replay_until AS "replayUntil", t.failures,
       t.failing_since AS "failingSince", COALESCE(t.company_ids, '{}')::text[] AS "companyIds",
       COALESCE(t.data_models, '{}') AS "dataModels", COALESCE(t.operations, '{}') AS operations
     FROM webhooks t WHERE ${query.within('t')} AND t.id = ${query.bind(lease.id)} AND t.fence = ${query.bind(lease.fence)}`,
  );
  if (!row) throw new WebhookLost('the webhook was changed or removed');
  return { ...row, companyIds: row.companyIds.map(Number) };
}

/**
 * Releases a webhook, `isSlow` if its turns could delay others. The time of release orders the next turns; it is
 * truncated, as rounded up it would outlast the release.
 */
export async function releaseWebhook(sql: TenantSql, lease: WebhookLease, isSlow: boolean): Promise<void> {
  const query = sql.query();
  await sql.rows(
    query,
    `UPDATE webhooks t SET leased_until = date_trunc('milliseconds', now()), worker_id = NULL, slow = ${query.bind(isSlow)}
     WHERE ${query.within('t')} AND t.id = ${query.bind(lease.id)} AND t.fence = ${query.bind(lease.fence)}`,
  );
}

/** A rejected event: later events of its key wait until it is delivered or given up. */
export interface WebhookHold {
  readonly key: number;
  readonly companyId: number;
  readonly position: number;
  readonly attempts: number;
  readonly dueAt: string;
}

/** The first held position of each of these keys, and the due events of any key. */
export async function readHolds(
  sql: TenantSql,
  lease: WebhookLease,
  { keys, dueBy, max }: { readonly keys: readonly number[]; readonly dueBy: Date; readonly max: number },
): Promise<{ readonly held: ReadonlyMap<number, number>; readonly due: readonly WebhookHold[] }> {
  const query = sql.query();
  const rows = await sql.rows<WebhookHold & { isDue: boolean }>(
    query,
    `SELECT t.key, t.company_id AS "companyId", t.position, t.attempts, t.due_at AS "dueAt",
       t.due_at <= ${query.bind(dueBy)}::timestamptz AS "isDue"
     FROM webhook_holds t WHERE ${query.within('t')} AND t.webhook_id = ${query.bind(lease.id)}
       AND (t.key = ANY(${query.bind(keys)}::bigint[]) OR t.due_at <= ${query.bind(dueBy)}::timestamptz)
     ORDER BY t.due_at, t.position`,
  );
  return {
    held: new Map(rows.map(({ key, position }) => [key, position])),
    due: rows.filter(({ isDue }) => isDue).slice(0, max),
  };
}

export type DeliveryState = 'DELIVERED' | 'FAILED' | 'GIVEN_UP';

/** State and first attempt of events that were tried before, by event id. */
export async function readTried(
  sql: TenantSql,
  webhookId: string,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly state: DeliveryState; readonly firstAttemptAt: string }>> {
  if (eventIds.length === 0) return new Map();
  const query = sql.query();
  const rows = await sql.rows<{ eventId: string; state: DeliveryState; firstAttemptAt: string }>(
    query,
    `SELECT t.event_id AS "eventId", t.state, t.first_attempt_at AS "firstAttemptAt" FROM webhook_deliveries t
     WHERE ${query.within('t')} AND t.webhook_id = ${query.bind(webhookId)}
       AND t.event_id = ANY(${query.bind(eventIds)}::text[])`,
  );
  return new Map(rows.map(({ eventId, ...tried }) => [eventId, tried]));
}

/** An attempt and the resulting state of the event. */
export interface Delivery {
  readonly event: Pick<WebhookEvent, 'id' | 'type' | 'dataModel'> & { readonly companyId: number | null };
  readonly attempt: Attempt;
  readonly state: DeliveryState;
}

/** Results of a round of attempts. */
export interface RoundResults {
  readonly position: number;
  /** How far a replay went, unless another one was requested in the meantime; null without one. */
  readonly replay: { readonly from: number; readonly until: number; readonly to: number | null } | null;
  readonly failures: number;
  readonly failingSince: Date | null;
  readonly dueAt: Date | null;
  /** Why it is switched off from now on. */
  readonly disabledReason: 'GONE' | 'FAILING' | null;
  readonly deliveries: readonly Delivery[];
  readonly holds: readonly WebhookHold[];
  /** Keys that wait no longer. */
  readonly released: readonly number[];
}

const ROWS = `event_id text, company_id bigint, type text, data_model text, state text, response_status int,
  response_text text, error text, duration_ms int, at timestamptz`;

/** The rows of deliveries as JSON. */
const toRows = (deliveries: readonly Delivery[]): string =>
  JSON.stringify(
    deliveries.map(({ event, attempt, state }) => ({
      event_id: event.id,
      company_id: event.companyId,
      type: event.type,
      data_model: event.dataModel,
      state,
      response_status: attempt.status,
      response_text: attempt.text,
      error: attempt.error,
      duration_ms: attempt.durationMs,
      at: attempt.at,
    })),
  );

/**
 * Whether the company still exists, or none is given. Locks its row: a deletion waits, and then removes the rows stored
 * here.
 */
const isLeft = (companyId: string): string => `(${companyId} IS NULL OR EXISTS (
    SELECT FROM companies c WHERE c.svc_organisation_id = $1 AND c.svc_id = ${companyId} FOR KEY SHARE))`;

/** Stores attempts of the webhook `w.id`, in the rows of `from`; none of a company that was deleted meanwhile. */
const noteSql = (rows: string, from: string): string => `
  INSERT INTO webhook_deliveries AS d (svc_organisation_id, webhook_id, event_id, company_id, type, data_model, state,
    attempts, response_status, response_text, error, duration_ms, first_attempt_at, last_attempt_at)
  SELECT $1, w.id, r.event_id, r.company_id, r.type, r.data_model, r.state, 1, r.response_status, r.response_text,
    r.error, r.duration_ms, r.at, r.at
  FROM ${from} w, jsonb_to_recordset(${rows}::jsonb) AS r (${ROWS})
  WHERE ${isLeft('r.company_id')}
  ON CONFLICT (webhook_id, event_id) DO UPDATE SET state = excluded.state, attempts = d.attempts + 1,
    response_status = excluded.response_status, response_text = excluded.response_text, error = excluded.error,
    duration_ms = excluded.duration_ms, last_attempt_at = excluded.last_attempt_at
  WHERE d.svc_organisation_id = $1`;

/** Stores the results of a round, or throws WebhookLost; one statement. */
export async function storeRound(sql: TenantSql, lease: WebhookLease, settled: RoundResults): Promise<void> {
  const query = sql.query();
  const bind = (value: unknown) => query.bind(value);
  const disabled = `${bind(settled.disabledReason)}::text`;
  const rows = await sql.rows(
    query,
    `WITH webhook AS (
       UPDATE webhooks t SET position = ${bind(settled.position)}, failures = ${bind(settled.failures)},
         replay_after = CASE WHEN t.replay_after = ${bind(settled.replay?.from ?? null)}::bigint
           AND t.replay_until = ${bind(settled.replay?.until ?? null)}::bigint
           THEN ${bind(settled.replay?.to ?? null)}::bigint ELSE t.replay_after END, failing_since = ${bind(settled.failingSince)}::timestamptz,
         due_at = ${bind(settled.dueAt)}::timestamptz, enabled = t.enabled AND ${disabled} IS NULL,
         disabled_reason = COALESCE(${disabled}, t.disabled_reason)
       WHERE ${query.within('t')} AND t.id = ${bind(lease.id)} AND t.fence = ${bind(lease.fence)} RETURNING t.id, t.name
     ), noted AS (
       ${noteSql(bind(toRows(settled.deliveries)), 'webhook')}
     ), released AS (
       DELETE FROM webhook_holds h USING webhook w WHERE h.svc_organisation_id = $1 AND h.webhook_id = w.id
         AND (h.key = ANY(${bind(settled.released)}::bigint[]) OR ${disabled} IS NOT NULL)
     ), held AS (
       INSERT INTO webhook_holds AS h (svc_organisation_id, webhook_id, key, company_id, position, attempts, due_at)
       SELECT $1, w.id, r.key, r."companyId", r.position, r.attempts, r."dueAt"
       FROM webhook w, jsonb_to_recordset(${bind(JSON.stringify(settled.disabledReason ? [] : settled.holds))}::jsonb)
         AS r (key bigint, "companyId" bigint, position bigint, attempts int, "dueAt" timestamptz)
       WHERE ${isLeft('r."companyId"')}
       ON CONFLICT (webhook_id, key) DO UPDATE SET position = excluded.position, attempts = excluded.attempts,
         due_at = excluded.due_at WHERE h.svc_organisation_id = $1
     ), audited AS (
       INSERT INTO audit_events (svc_organisation_id, event_type, subject)
       SELECT $1, 'WEBHOOK_DISABLED', w.name FROM webhook w WHERE ${disabled} IS NOT NULL
     )
     SELECT 1 FROM webhook`,
  );
  if (rows.length === 0)
    throw new WebhookLost('another worker has the webhook, or it was changed or removed');
}

/**
 * Stores one attempt that was requested by hand, unless its company or the webhook is gone, or the webhook has another
 * `url` by now, whose receiver has not got the event. Returns whether it was stored.
 */
export async function noteDelivery(
  sql: TenantSql,
  { id, url }: { readonly id: string; readonly url: string },
  delivery: Delivery,
): Promise<boolean> {
  const query = sql.query();
  const noted = await sql.rows(
    query,
    `WITH webhook AS (
       SELECT t.id FROM webhooks t WHERE ${query.within('t')} AND t.id = ${query.bind(id)} AND t.url = ${query.bind(url)}
     )
     ${noteSql(query.bind(toRows([delivery])), 'webhook')} RETURNING 1`,
  );
  return noted.length > 0;
}
