import type pg from 'pg';
import { connectorFor } from '../connectors/index.js';
import type { Category } from '../records/define.js';
import { organisationScope } from '../db/scope.js';
import type { TenantSql } from '../db/tenant-sql.js';
import type { SyncEngine } from './engine.js';
import { hasOpenSync, startSync } from './start-sync.js';
import { defaultSyncSettings, type Frequency, readSyncSettings, type SyncSetting } from './sync-config.js';

const DAYS: Readonly<Record<Frequency, number>> = { DAILY: 1, WEEKLY: 7, MONTHLY: 30, YEARLY: 365 };
const DAY_MS = 86_400_000;
const BATCH = 200;

/** Starts the automatic syncs that are due, over all organisations, until `signal` is aborted. Returns how many. */
export async function startDueSyncs(
  { database, log }: SyncEngine,
  now: Date,
  signal?: AbortSignal,
): Promise<number> {
  let started = 0;
  for (let after = 0; ;) {
    const connections = await connectionsToSync(database.pool, after);
    const last = connections[connections.length - 1];
    if (!last) return started;
    after = last.svcId;
    for (const connection of connections) {
      if (signal?.aborted) return started;
      try {
        if (await startDueSync(database, connection, now)) started += 1;
      } catch (error) {
        log.warn({ err: error, connectionId: connection.svcId }, 'an automatic sync could not be started');
      }
    }
  }
}

interface DueCandidate {
  readonly svcId: number;
  readonly organisationId: number;
  readonly svcCompanyId: number;
  readonly integrationType: string;
  readonly category: Category;
  readonly marks: readonly Mark[];
}

interface Mark {
  readonly dataModel: string;
  readonly pulledTo: string | null;
  /** When it was last wanted here. */
  readonly triedAt: string | null;
}

async function connectionsToSync(pool: pg.Pool, after: number): Promise<DueCandidate[]> {
  const { rows } = await pool.query<DueCandidate>(
    `SELECT svc_id::float8 AS "svcId", svc_organisation_id::float8 AS "organisationId",
       svc_company_id::float8 AS "svcCompanyId", integration_type AS "integrationType", category, marks FROM svc_connections_to_sync($1, $2)`,
    [after, BATCH],
  );
  return rows;
}

async function startDueSync(
  database: SyncEngine['database'],
  connection: DueCandidate,
  now: Date,
): Promise<boolean> {
  const scope = organisationScope(connection.organisationId);
  const sql = database.sql(scope);
  const { svcCompanyId, svcId: connectionId, integrationType, category } = connection;
  const read = new Set(connectorFor(integrationType, category).pulls.map((one) => one.definition.dataModel));
  const dueBy = (settings: readonly SyncSetting[]) =>
    settings
      .filter((setting) => read.has(setting.dataModel) && isDue(setting, connection, now))
      .map(({ dataModel }) => dataModel);
  // A company's own settings never make anything due sooner: for most connections they need not be read every minute.
  if (dueBy(defaultSyncSettings(category)).length === 0) return false;
  const due = dueBy(await readSyncSettings(database.client(scope), svcCompanyId, category));
  if (due.length === 0 || (await hasOpenSync(sql, connectionId))) return false;
  await sql.transaction(async (transaction) => {
    await startSync(transaction, {
      svcCompanyId,
      connectionId,
      syncType: 'AUTO_SYNC',
      fullSync: false,
      syncFrom: null,
      dataModels: due,
    });
    await noteTried(transaction, connection, due, now);
  });
  return true;
}

async function noteTried(
  sql: TenantSql,
  { svcCompanyId, svcId }: DueCandidate,
  dataModels: readonly string[],
  now: Date,
): Promise<void> {
  const query = sql.query();
  const company = query.bind(svcCompanyId);
  await sql.rows(
    query,
    `INSERT INTO sync_marks AS m (svc_organisation_id, svc_company_id, connection_id, data_model, tried_at)
     SELECT t.svc_organisation_id, t.svc_id, ${query.bind(svcId)}, d.data_model, ${query.bind(now)}::timestamptz
     FROM unnest(${query.bind(dataModels)}::text[]) AS d (data_model), companies t
     WHERE ${query.within('t', 'svc_id')} AND t.svc_id = ${company}
     ON CONFLICT (svc_company_id, connection_id, data_model) DO UPDATE SET tried_at = excluded.tried_at
     WHERE m.svc_organisation_id = $1`,
  );
}

/**
 * Record types that were never read, because their first sync failed, they were switched off then or this version is
 * the first to read them, are due, too; a failed one is retried a day later.
 */
function isDue(
  { dataModel, enabled, frequency, interval }: SyncSetting,
  { marks }: DueCandidate,
  now: Date,
): boolean {
  const { pulledTo = null, triedAt = null } = marks.find((one) => one.dataModel === dataModel) ?? {};
  const isPast = (time: string | null, days: number) =>
    time === null || now.getTime() - Date.parse(time) >= days * DAY_MS;
  return enabled && isPast(pulledTo, DAYS[frequency] * interval) && isPast(triedAt, 1);
}
