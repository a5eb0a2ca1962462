import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { PointLimits } from '../connectors/connector.js';
import type { CallOutcome, CallPermit } from '../connectors/platform-access.js';
import { PlatformPause } from '../connectors/client/platform-errors.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { AppError } from '../errors.js';
import { type AppBudget, releaseOfApp, noteAppMinute, tryTakeOfApp, untilRoomOfApp } from './app-budget.js';
import { notePoints, pointsSql } from './points.js';
import { callsOfOthers, countRecent, RECENT_SUM, roomAt } from './rolling-minute.js';

/** Key of a connection in statements. */
export interface ConnectionKey {
  readonly svcCompanyId: number;
  readonly connectionId: number;
}

export interface BudgetOptions {
  /**
   * Background work leaves a share of every minute to writes that callers wait for; syncs that a platform's events
   * begin leave some of the day to both.
   */
  readonly use: Use;
  /** Maximum wait for room; a longer one throws PlatformPause. */
  readonly patienceMs: number;
  /** The worker that calls; none for a request. */
  readonly workerId?: string;
  /** Budget that the connection shares with others. */
  readonly app?: AppBudget | undefined;
  readonly points?: PointLimits | undefined;
}

type Use = 'event' | 'sync' | 'write';

const SHARE = { event: 0.8, sync: 0.8, write: 1 } as const;
/** Calls are counted in advance in this part of a minute's limit only: what is not used must not keep others waiting. */
const ADVANCE_SHARE = 0.5;
/** Calls of the day's remaining quota reserved from each use. */
const DAY_RESERVE = { event: 200, sync: 50, write: 0 } as const;
/** A platform's report of its daily quota expires after this; the next call refreshes it. */
const DAY_REPORT_TTL = "interval '1 hour'";
/** A dead process's lease expires after this if no worker lock shows its death: longer than the longest call. */
const LEASE_SECONDS = 120;
const MIN_WAIT_MS = 25;
const USED_UP = "the connection's share of its platform's limit is used up";
const PAUSED =
  'the platform is not called for a while: it asked for that, or calls of the connection have failed';

/** How the calls counted for a lease were used. */
export interface Settlement {
  readonly made: number;
  /** Calls that are no longer counted. */
  readonly unused: number;
  /** The unused calls to subtract from the rolling minute: those counted in one of its last two slots. */
  readonly unusedOfMinute: number;
}

/** A place among the concurrent calls of a connection, with calls that are already counted; settles those before them. */
export interface CallLease extends Settlement {
  readonly id: string;
  readonly calls: number;
}

const NOTHING_BEFORE: Settlement = { made: 0, unused: 0, unusedOfMinute: 0 };

/**
 * Permission for one call to a connection's platform. The budget is in the database, shared by all processes, and its
 * counts are the connection's `rate_limits`.
 */
export async function takePermit(
  sql: TenantSql,
  connection: ConnectionKey,
  options: BudgetOptions,
): Promise<CallPermit> {
  const lease = { ...(await takeLease(sql, connection, options)), made: 1 };
  return { done: (outcome) => releaseLease(sql, { ...connection, lease }, options, outcome) };
}

/** Waits for a place, with `calls` calls if there is room for them, otherwise with one. */
export async function takeLease(
  sql: TenantSql,
  connection: ConnectionKey,
  options: BudgetOptions,
  calls = 1,
): Promise<CallLease> {
  const deadline = Date.now() + options.patienceMs;
  for (let isFirst = true; ; isFirst = false) {
    const lease = { id: randomUUID(), calls: isFirst ? calls : 1, ...NOTHING_BEFORE };
    if (await tryTakeBoth(sql, connection, lease, options)) return lease;
    if (lease.calls > 1) continue;
    const { waitMs, isPaused } = await untilRoomOfBoth(sql, connection, options);
    const resumeAt = new Date(Date.now() + waitMs);
    if (resumeAt.getTime() > deadline) throw new PlatformPause(isPaused ? PAUSED : USED_UP, resumeAt);
    await sleep(Math.max(MIN_WAIT_MS, waitMs * (1 + Math.random() / 10)));
  }
}

/**
 * Permission under the limits of the connection and, if any, of its app: for a new lease, or for further calls of a
 * held one. Further calls are permitted only while places are left for others, so that they get their turn.
 */
export async function tryTakeBoth(
  sql: TenantSql,
  connection: ConnectionKey,
  lease: CallLease,
  options: BudgetOptions,
): Promise<boolean> {
  const { app } = options;
  if (app && !(await tryTakeOfApp(sql, app, shareOf(lease, options), lease))) return false;
  if (await tryTake(sql, connection, lease, options)) return true;
  if (app) await releaseOfApp(sql, app, lease.calls, lease.unusedOfMinute);
  return false;
}

async function untilRoomOfBoth(
  sql: TenantSql,
  connection: ConnectionKey,
  options: BudgetOptions,
): Promise<Pick<Room, 'waitMs' | 'isPaused'>> {
  const { app, use } = options;
  const own = await untilRoom(sql, connection, options);
  const ofAppMs = app ? await untilRoomOfApp(sql, app, SHARE[use]) : 0;
  return ofAppMs > own.waitMs ? { waitMs: ofAppMs, isPaused: false } : own;
}

/** Counts the calls and stores their lease, if there is room; the row's lock makes callers take turns. */
async function tryTake(
  sql: TenantSql,
  { svcCompanyId, connectionId }: ConnectionKey,
  lease: CallLease,
  options: BudgetOptions,
): Promise<boolean> {
  const { use, workerId, points: limits } = options;
  const query = sql.query();
  const points = limits && pointsSql(query, limits, SHARE[use]);
  const company = query.bind(svcCompanyId);
  const connection = query.bind(connectionId);
  const id = query.bind(lease.id);
  const calls = `${query.bind(lease.calls)}::int`;
  const unused = `${query.bind(lease.unused)}::int`;
  const unusedOfMinute = `${query.bind(lease.unusedOfMinute)}::int`;
  const others = `(${calls} - ${unused} - 1)`;
  const held = `(SELECT count(*) FROM platform_calls c WHERE ${query.within('c')} AND c.svc_company_id = ${company} AND c.id = ${id})`;
  const counted = (unit: 'minute' | 'hour' | 'day', without: string) => `
    ${unit}_calls = CASE WHEN ${isOver(unit)} THEN 0 ELSE GREATEST(0, t.${unit}_calls - ${without}) END + ${calls},
    ${unit}_reset_at = CASE WHEN ${isOver(unit)} THEN now() ELSE t.${unit}_reset_at END`;
  const rows = await sql.rows(
    query,
    `WITH taken AS (
       UPDATE connections t SET concurrent_calls = t.concurrent_calls + 1 - ${held},
         ${counted('minute', unusedOfMinute)}, ${counted('hour', unused)}, ${counted('day', unused)},
         ${countRecent(calls, { unused: unusedOfMinute })}, day_left = t.day_left - ${calls} + ${unused},${points ? ` ${points.take},` : ''}
         told_until = ${use === 'event' ? nextEventSync(`${query.bind(lease.made)}::int`) : 't.told_until'}
       FROM ${UNFLUSHED}
       WHERE ${query.within('t')} AND t.svc_company_id = ${company} AND t.svc_id = ${connection}
         AND (t.paused_until IS NULL OR t.paused_until <= now())
         AND ${RECENT_SUM} + ${calls} - ${unusedOfMinute} - 1 < t.max_per_minute * ${query.bind(shareOf(lease, options))}::float8
         AND NOT COALESCE(${isDayShort(use, others)}, false) AND NOT COALESCE(${isDaySpent(use, others)}, false)
         AND t.concurrent_calls < t.max_concurrent AND ${points?.hasRoom ?? 'true'}
       RETURNING t.svc_organisation_id, t.svc_company_id, t.svc_id
     )
     INSERT INTO platform_calls (id, svc_organisation_id, svc_company_id, connection_id, leased_until, worker_id)
     SELECT ${id}, svc_organisation_id, svc_company_id, svc_id,
       now() + interval '${LEASE_SECONDS} seconds', ${query.bind(workerId ?? null)}
     FROM taken
     ON CONFLICT (svc_company_id, id) DO UPDATE SET leased_until = excluded.leased_until RETURNING id`,
  );
  return rows.length === 1;
}

const shareOf = ({ calls }: CallLease, { use }: BudgetOptions): number =>
  calls > 1 ? Math.min(ADVANCE_SHARE, SHARE[use]) : SHARE[use];

/** Counts need not survive a crash of the database: commits do not wait for its disk. */
const UNFLUSHED = "(SELECT set_config('synchronous_commit', 'off', true)) unflushed";

const isOver = (unit: 'minute' | 'hour' | 'day') => `t.${unit}_reset_at <= now() - interval '1 ${unit}'`;

/** Whether the day's quota is short by the platform's report, for a call after `others`; null without a report. */
const isDayShort = (use: Use, others = '0') =>
  `(t.day_left - ${others} <= ${DAY_RESERVE[use]} AND t.day_left_at > now() - ${DAY_REPORT_TTL})`;
/** Calls left today by our own count; null without a limit. */
const OWN_DAY_LEFT = `(t.max_per_day - CASE WHEN ${isOver('day')} THEN 0 ELSE t.day_calls END)`;
const isDaySpent = (use: Use, others = '0') =>
  `(${OWN_DAY_LEFT} - ${others} <= LEAST(${DAY_RESERVE[use]}, t.max_per_day / 2))`;

/**
 * Once half of the day's quota is used, each call made by an event-triggered sync delays the next such sync by a day
 * divided by the calls left for them. So the rest shrinks ever more slowly, and lasts whenever the platform's day ends.
 */
const DAY_LEFT = `LEAST(${OWN_DAY_LEFT}, CASE WHEN t.day_left_at > now() - ${DAY_REPORT_TTL} THEN t.day_left END)`;
const nextEventSync = (calls: string) => `CASE WHEN ${DAY_LEFT} * 2 <= t.max_per_day
  THEN GREATEST(t.told_until, now()) + ${calls} * LEAST(interval '1 hour',
    interval '1 day' / GREATEST(1, ${DAY_LEFT} - ${DAY_RESERVE.event}))
  ELSE t.told_until END`;

/** Locks the connection before the lease: the same order as in the cascade of deleting a connection. */
export async function releaseLease(
  sql: TenantSql,
  {
    svcCompanyId,
    connectionId,
    lease,
  }: ConnectionKey & { readonly lease: Settlement & Pick<CallLease, 'id'> },
  { app, points, use }: BudgetOptions,
  { retryAfterMs, remaining }: Pick<CallOutcome, 'retryAfterMs' | 'remaining'>,
): Promise<void> {
  if (app && lease.unusedOfMinute > 0) await releaseOfApp(sql, app, lease.unusedOfMinute);
  if (app && remaining?.appMinute != null) await noteAppMinute(sql, app, remaining.appMinute);
  const query = sql.query();
  const company = query.bind(svcCompanyId);
  const connection = query.bind(connectionId);
  // Others may use the same account: calls counted by the platform but not by us are theirs.
  const minute = query.bind(remaining?.minute ?? null);
  const unused = `${query.bind(lease.unused)}::int`;
  const unusedOfMinute = `${query.bind(lease.unusedOfMinute)}::int`;
  const others = callsOfOthers('t.max_per_minute', `(${minute}::int - ${unusedOfMinute})`);
  const hasChanged = `(${minute}::int IS NOT NULL OR ${unusedOfMinute} > 0)`;
  const uncounted = (unit: string, without: string) =>
    `${unit}_calls = GREATEST(0, t.${unit}_calls - ${without})`;
  const noted = points && remaining?.points ? `${notePoints(query, points, remaining.points)},` : '';
  const day = query.bind(remaining?.day ?? null);
  const leased = `${query.within('c')} AND c.id = ${query.bind(lease.id)}`;
  await sql.rows(
    query,
    `WITH given AS (
       UPDATE connections t SET
         concurrent_calls = GREATEST(0, t.concurrent_calls - (SELECT count(*) FROM platform_calls c WHERE ${leased})),
         ${uncounted('minute', unusedOfMinute)}, ${uncounted('hour', unused)}, ${uncounted('day', unused)},
         ${countRecent(others, { unused: unusedOfMinute, condition: hasChanged })}, ${noted}
         told_until = ${use === 'event' ? nextEventSync(`${query.bind(lease.made)}::int`) : 't.told_until'},
         day_left = COALESCE(${day}::int, t.day_left + ${unused}),
         day_left_at = CASE WHEN ${day}::int IS NULL THEN t.day_left_at ELSE now() END,
         paused_until = GREATEST(t.paused_until, now() + ${query.bind(retryAfterMs)}::float8 * interval '1 millisecond')
       FROM ${UNFLUSHED}
       WHERE ${query.within('t')} AND t.svc_company_id = ${company} AND t.svc_id = ${connection} RETURNING 1
     )
     DELETE FROM platform_calls c USING given WHERE ${leased}`,
  );
}

/** Frees the leases of dead workers' calls; locks the connections first, as everywhere. */
export async function freeCalls(sql: TenantSql, workerIds: readonly string[]): Promise<void> {
  const query = sql.query();
  const ofWorkers = `${query.within('c')} AND c.worker_id = ANY(${query.bind(workerIds)}::text[])`;
  await sql.rows(
    query,
    `WITH held AS (
       SELECT t.svc_company_id, t.svc_id FROM connections t WHERE ${query.within('t')}
         AND (t.svc_company_id, t.svc_id) IN (SELECT c.svc_company_id, c.connection_id FROM platform_calls c WHERE ${ofWorkers})
       ORDER BY t.svc_id FOR NO KEY UPDATE
     ), freed AS (
       DELETE FROM platform_calls c USING held h
       WHERE ${ofWorkers} AND c.svc_company_id = h.svc_company_id AND c.connection_id = h.svc_id
       RETURNING c.svc_company_id, c.connection_id
     )
     UPDATE connections t SET concurrent_calls = GREATEST(0, t.concurrent_calls - f.calls)
     FROM (SELECT svc_company_id, connection_id, count(*) AS calls FROM freed GROUP BY 1, 2) f
     WHERE ${query.within('t')} AND t.svc_company_id = f.svc_company_id AND t.svc_id = f.connection_id`,
  );
}

/** Milliseconds until there is room. */
interface Room {
  readonly waitMs: number;
  /** Due to a pause: the limits alone would allow a call earlier. */
  readonly isPaused: boolean;
  readonly eventSyncMs: number;
}

/**
 * How long there will certainly be no room; first frees the leases of dead processes, locking the connection first, as
 * everywhere.
 */
async function untilRoom(
  sql: TenantSql,
  { svcCompanyId, connectionId }: ConnectionKey,
  { use, points: limits }: Pick<BudgetOptions, 'use' | 'points'>,
): Promise<Room> {
  const query = sql.query();
  const company = query.bind(svcCompanyId);
  const connection = query.bind(connectionId);
  const points = limits && pointsSql(query, limits, SHARE[use]);
  const until = (time: string) => `EXTRACT(EPOCH FROM ${time} - now())::float8 * 1000`;
  const [row] = await sql.rows<{ limitMs: number; pauseMs: number; eventSyncMs: number }>(
    query,
    `WITH held AS (
       SELECT t.svc_id FROM connections t
       WHERE ${query.within('t')} AND t.svc_company_id = ${company} AND t.svc_id = ${connection} FOR NO KEY UPDATE
     ), dead AS (
       DELETE FROM platform_calls c USING held h WHERE ${query.within('c')} AND c.svc_company_id = ${company}
         AND c.connection_id = h.svc_id AND c.leased_until < now() RETURNING 1
     )
     UPDATE connections t SET concurrent_calls = GREATEST(0, t.concurrent_calls - (SELECT count(*) FROM dead))
     WHERE ${query.within('t')} AND t.svc_company_id = ${company} AND t.svc_id = ${connection}
     RETURNING CEIL(GREATEST(0, ${until('t.paused_until')}))::bigint AS "pauseMs",
       CEIL(GREATEST(0, ${until(roomAt(`t.max_per_minute * ${query.bind(SHARE[use])}::float8`))},
       ${points ? until(points.roomAt) : '0'},
       CASE WHEN ${isDayShort(use)} THEN ${until(`t.day_left_at + ${DAY_REPORT_TTL}`)} END,
       CASE WHEN ${isDaySpent(use)} THEN ${until("t.day_reset_at + interval '1 day'")} END))::bigint AS "limitMs",
       CEIL(GREATEST(0, ${until('t.told_until')}))::bigint AS "eventSyncMs"`,
  );
  if (!row) throw new AppError('not-found', 'there is no such connection', 'connectionId');
  const { limitMs, pauseMs, eventSyncMs } = row;
  return { waitMs: Math.max(limitMs, pauseMs), isPaused: pauseMs > limitMs, eventSyncMs };
}

/** Delay of an event-triggered sync in milliseconds: for room, and so that the day's calls last. */
export async function untilEventSync(sql: TenantSql, connection: ConnectionKey): Promise<number> {
  const { waitMs, eventSyncMs } = await untilRoom(sql, connection, { use: 'event' });
  return Math.max(waitMs, eventSyncMs);
}

/** No call before `seconds` have passed: the platform did not answer. */
export async function pauseConnection(
  sql: TenantSql,
  { svcCompanyId, connectionId }: ConnectionKey,
  seconds: number,
): Promise<void> {
  const query = sql.query();
  await sql.rows(
    query,
    `UPDATE connections t SET paused_until = GREATEST(t.paused_until, now() + ${query.bind(seconds)}::float8 * interval '1 second')
     WHERE ${query.rowsOf(svcCompanyId, 'svc_id', connectionId)}`,
  );
}
