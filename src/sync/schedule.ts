import type pg from 'pg';
import type { Category } from '../records/define.js';
import { organisationScope } from '../db/scope.js';
import type { SyncEngine } from './engine.js';
import { hasOpenSync, startSync } from './start-sync.js';
import { type Frequency, readSyncSettings, type SyncSetting } from './sync-config.js';

const DAYS: Readonly<Record<Frequency, number>> = { DAILY: 1, WEEKLY: 7, MONTHLY: 30, YEARLY: 365 };
const DAY_MS = 86_400_000;
const BATCH = 200;

/** Starts the automatic syncs that are due, over all organisations. Returns how many. */
export async function startDueSyncs({ database, log }: SyncEngine, now: Date): Promise<number> {
  let started = 0;
  for (let after = 0; ;) {
    const connections = await connectionsToSync(database.pool, after);
    const last = connections[connections.length - 1];
    if (!last) return started;
    after = last.svcId;
    for (const connection of connections) {
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
  readonly category: Category;
  readonly marks: readonly { readonly dataModel: string; readonly pulledTo: string | null }[];
}

async function connectionsToSync(pool: pg.Pool, after: number): Promise<DueCandidate[]> {
  const { rows } = await pool.query<DueCandidate>(
    `SELECT svc_id::float8 AS "svcId", svc_organisation_id::float8 AS "organisationId",
       svc_company_id::float8 AS "svcCompanyId", category, marks FROM svc_connections_to_sync($1, $2)`,
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
  const { svcCompanyId, svcId: connectionId, category } = connection;
  const settings = await readSyncSettings(database.client(scope), svcCompanyId, category);
  const due = settings.filter((setting) => isDue(setting, connection, now)).map(({ dataModel }) => dataModel);
  if (due.length === 0 || (await hasOpenSync(sql, connectionId))) return false;
  await sql.transaction((transaction) =>
    startSync(transaction, {
      svcCompanyId,
      connectionId,
      syncType: 'AUTO_SYNC',
      fullSync: false,
      syncFrom: null,
      dataModels: due,
    }),
  );
  return true;
}

/** A record type that was never synced is the matter of the sync that connecting starts. */
function isDue(
  { dataModel, enabled, frequency, interval }: SyncSetting,
  connection: DueCandidate,
  now: Date,
): boolean {
  const mark = connection.marks.find((one) => one.dataModel === dataModel);
  if (!enabled || !mark?.pulledTo) return false;
  return now.getTime() - Date.parse(mark.pulledTo) >= DAYS[frequency] * interval * DAY_MS;
}
