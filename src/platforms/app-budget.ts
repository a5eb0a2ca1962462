import type { TenantSql } from '../db/tenant-sql.js';
import { callsOfOthers, countRecent, RECENT_SUM, roomAt } from './rolling-minute.js';

/** The budget shared by all connections of an organisation's app at a platform. */
export interface AppBudget {
  readonly integrationType: string;
  readonly perMinute: number;
}

/** Counts calls of the app if there is room, in place of unused ones. Without an app there is no limit. */
export async function tryTakeOfApp(
  sql: TenantSql,
  { integrationType, perMinute }: AppBudget,
  share: number,
  { calls, unusedOfMinute }: { readonly calls: number; readonly unusedOfMinute: number },
): Promise<boolean> {
  const query = sql.query();
  const counted = `${query.bind(calls)}::int`;
  const unused = `${query.bind(unusedOfMinute)}::int`;
  const which = `${query.within('t')} AND t.integration_type = ${query.bind(integrationType)}`;
  const [row] = await sql.rows<{ isTaken: boolean }>(
    query,
    `WITH app AS (SELECT 1 FROM integrations t WHERE ${which}),
     taken AS (
       UPDATE integrations t SET ${countRecent(counted, { unused })}
       WHERE ${which} AND ${RECENT_SUM} + ${counted} - ${unused} - 1 < ${query.bind(perMinute * share)}::float8 RETURNING 1
     )
     SELECT EXISTS (SELECT 1 FROM taken) OR NOT EXISTS (SELECT 1 FROM app) AS "isTaken"`,
  );
  return row?.isTaken ?? false;
}

/** Returns calls that were not made, and counts `again` that were returned before. */
export async function releaseOfApp(
  sql: TenantSql,
  { integrationType }: AppBudget,
  calls: number,
  again = 0,
): Promise<void> {
  const query = sql.query();
  const unused = `${query.bind(calls)}::int`;
  await sql.rows(
    query,
    `UPDATE integrations t SET ${countRecent(`${query.bind(again)}::int`, { unused })}
     WHERE ${query.within('t')} AND t.integration_type = ${query.bind(integrationType)}`,
  );
}

/** Counts others' use of the app's minute, from the platform's remaining quota. */
export async function noteAppMinute(
  sql: TenantSql,
  { integrationType, perMinute }: AppBudget,
  left: number,
): Promise<void> {
  const query = sql.query();
  const others = callsOfOthers(`${query.bind(perMinute)}::int`, `${query.bind(left)}::int`);
  await sql.rows(
    query,
    `UPDATE integrations t SET ${countRecent(others)}
     WHERE ${query.within('t')} AND t.integration_type = ${query.bind(integrationType)} AND ${others} > 0`,
  );
}

/** Milliseconds for which the app certainly has no room. */
export async function untilRoomOfApp(
  sql: TenantSql,
  { integrationType, perMinute }: AppBudget,
  share: number,
): Promise<number> {
  const query = sql.query();
  const at = roomAt(`${query.bind(perMinute * share)}::float8`);
  const [row] = await sql.rows<{ waitMs: number }>(
    query,
    `SELECT CEIL(GREATEST(0, EXTRACT(EPOCH FROM ${at} - now())::float8 * 1000))::bigint AS "waitMs"
     FROM integrations t WHERE ${query.within('t')} AND t.integration_type = ${query.bind(integrationType)}`,
  );
  return row?.waitMs ?? 0;
}
