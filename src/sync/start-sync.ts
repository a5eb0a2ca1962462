import type { ChangedObjects } from '../connectors/hooks.js';
import { connectorFor } from '../connectors/index.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { AppError, invalid } from '../errors.js';
import { untilEventSync } from '../platforms/budget.js';
import type { Category } from '../records/define.js';
import { queueRun, type RunKey } from '../runs/lease.js';
import { randomId } from '../runs/random-id.js';
import { isOpenSql, type JobState, type SyncState } from '../runs/states.js';

export interface NewSync {
  readonly svcCompanyId: number;
  readonly connectionId: number;
  readonly syncType: 'MANUAL' | 'AUTO_SYNC';
  /** Reads everything instead of changes only; also finds deleted records. */
  readonly fullSync: boolean;
  /** Reads only changes since then, regardless of earlier syncs. */
  readonly syncFrom: Date | null;
  /** Null: all that the connector reads. */
  readonly dataModels: readonly string[] | null;
  /** The platform reported a change, or made it along with a write. */
  readonly toldByPlatform?: boolean;
}

/** The started run, or a queued one for the same reads. */
interface StartedSync {
  readonly syncSvcId: number;
  readonly syncId: string;
}

/**
 * Stores a run and its job in the given transaction. Runs of one connection queue up behind each other. With `runInMs`
 * no worker claims it before. Throws `connection-expired` where the connection is not healthy, `invalid-params` on a
 * record type that its platform does not have.
 */
export async function startSync(
  transaction: TenantSql,
  request: NewSync,
  runInMs: number | null = null,
): Promise<StartedSync> {
  const connection = await connectionOf(transaction, request);
  const connector = connectorFor(connection.integrationType, connection.category);
  const available = connector.pulls.map(({ definition }) => definition.dataModel);
  const unknown = request.dataModels?.find((dataModel) => !available.includes(dataModel));
  if (unknown !== undefined) {
    const words = `must be record types of ${connector.title}, which are ${available.join(', ')}, got ${unknown.slice(0, 60)}`;
    throw invalid('dataModelsToSync', words);
  }
  // In the connector's order: record types needed for later lookups come first.
  const wanted = available.filter((dataModel) => request.dataModels?.includes(dataModel) ?? true);
  const { syncSvcId, syncId } = await insertRun(transaction, request, connection);
  await insertJobs(transaction, { svcCompanyId: request.svcCompanyId, syncSvcId }, wanted);
  await queueRun(transaction, 'sync', { ...request, svcId: syncSvcId }, runInMs);
  return { syncSvcId, syncId };
}

interface WantedSync extends Pick<NewSync, 'svcCompanyId' | 'connectionId'> {
  readonly changes: ChangedObjects;
}

/**
 * Queues a sync that reads changes, in the given transaction: adds them to the waiting one, or starts another, which
 * waits as long as the platform's budget requires. A running sync may already have passed them; one that is being
 * started or ended right now is skipped, since that worker waits for the connection. The caller holds the connection's
 * row, so that only one starts.
 */
export async function wantSync(transaction: TenantSql, wanted: WantedSync): Promise<void> {
  const { svcCompanyId, connectionId, changes } = wanted;
  const query = transaction.query();
  const [waiting] = await transaction.rows<{ svcId: number }>(
    query,
    `SELECT t.svc_id AS "svcId" FROM syncs t WHERE ${query.rowsOf(svcCompanyId, 'connection_id', connectionId)}
     AND ${IS_WAITING_EVENT_SYNC}
     ORDER BY t.svc_id LIMIT 1 FOR UPDATE SKIP LOCKED`,
  );
  if (waiting) return addJobs(transaction, wanted, waiting.svcId);
  const request = { svcCompanyId, connectionId, fullSync: false, syncFrom: null };
  const waitMs = await untilEventSync(transaction, wanted);
  const { syncSvcId } = await startSync(
    transaction,
    { ...request, syncType: 'AUTO_SYNC', dataModels: [...changes.keys()], toldByPlatform: true },
    waitMs > 0 ? waitMs : null,
  );
  await nameObjects(transaction, wanted, syncSvcId);
}

/**
 * Postpones an event-driven sync that has not begun if the budget was used in the meantime: it also reads the changes
 * reported until then. Returns whether it did.
 */
export async function isHeldBack(sql: TenantSql, key: RunKey): Promise<boolean> {
  const query = sql.query();
  const [waiting] = await sql.rows<{ connectionId: number }>(
    query,
    `SELECT t.connection_id AS "connectionId" FROM syncs t
     WHERE ${query.rowsOf(key.svcCompanyId, 'svc_id', key.svcId)} AND ${IS_WAITING_EVENT_SYNC}`,
  );
  if (!waiting) return false;
  const run = { ...key, ...waiting };
  const waitMs = await untilEventSync(sql, run);
  if (waitMs > 0) await queueRun(sql, 'sync', run, waitMs);
  return waitMs > 0;
}

/** Appends the record types that a sync does not have yet: codes in them are resolved at its end. */
async function addJobs(sql: TenantSql, wanted: WantedSync, syncSvcId: number): Promise<void> {
  const { svcCompanyId, changes } = wanted;
  const query = sql.query();
  const known = await sql.rows<{ dataModel: string; position: number; platformIds: string[] | null }>(
    query,
    `SELECT t.data_model AS "dataModel", t.position, t.platform_ids AS "platformIds" FROM sync_jobs t
     WHERE ${query.rowsOf(svcCompanyId, 'sync_svc_id', syncSvcId)}`,
  );
  const added = [...changes.keys()].filter((one) => !known.some(({ dataModel }) => dataModel === one));
  const last = Math.max(0, ...known.map(({ position }) => position));
  if (added.length > 0) await insertJobs(sql, { svcCompanyId, syncSvcId }, added, last);
  const both = new Map(changes);
  for (const { dataModel, platformIds } of known) {
    const more = changes.get(dataModel);
    if (more !== undefined) both.set(dataModel, platformIds && more && [...platformIds, ...more]);
  }
  await nameObjects(sql, { ...wanted, changes: both }, syncSvcId);
}

/** Stores which objects the jobs of a sync read, if they are few enough to be read by id. */
async function nameObjects(
  sql: TenantSql,
  { svcCompanyId, connectionId, changes }: WantedSync,
  syncSvcId: number,
): Promise<void> {
  const { integrationType, category } = await connectionOf(sql, { svcCompanyId, connectionId });
  const { pulls } = connectorFor(integrationType, category);
  for (const [dataModel, reported] of changes) {
    const ids = reported && [...new Set(reported)];
    const max = pulls.find(({ definition }) => definition.dataModel === dataModel)?.byIds?.most ?? 0;
    const query = sql.query();
    await sql.rows(
      query,
      `UPDATE sync_jobs t SET platform_ids = ${query.bind(ids && ids.length <= max ? ids : null)}::text[]
       WHERE ${query.rowsOf(svcCompanyId, 'sync_svc_id', syncSvcId)} AND t.data_model = ${query.bind(dataModel)}`,
    );
  }
}

const FIRST_STATE: SyncState = 'PENDING';
const FIRST_JOB_STATE: JobState = 'CREATED';
const IS_WAITING_EVENT_SYNC = `t.told_by_platform AND t.state = '${FIRST_STATE}' AND t.started_at IS NULL`;

interface ConnectionRow {
  readonly integrationType: string;
  readonly category: Category;
  readonly status: string;
}

async function connectionOf(
  sql: TenantSql,
  request: Pick<NewSync, 'svcCompanyId' | 'connectionId'>,
): Promise<ConnectionRow> {
  const query = sql.query();
  const [row] = await sql.rows<ConnectionRow>(
    query,
    `SELECT t.integration_type AS "integrationType", t.category, t.status FROM connections t
     WHERE ${query.rowsOf(request.svcCompanyId, 'svc_id', request.connectionId)} FOR KEY SHARE`,
  );
  if (!row) throw new AppError('not-found', 'there is no such connection', 'connectionId');
  if (row.status === 'HEALTHY') return row;
  const message = `the connection is ${row.status}: the company has to connect ${row.integrationType} again before it can be synced`;
  throw new AppError('connection-expired', message, 'connectionId');
}

async function insertRun(
  sql: TenantSql,
  request: NewSync,
  { integrationType, category }: ConnectionRow,
): Promise<StartedSync> {
  const query = sql.query();
  const values = [
    request.svcCompanyId,
    randomId(),
    request.connectionId,
    integrationType,
    category,
    request.syncType,
    request.fullSync,
    request.syncFrom,
    request.toldByPlatform ?? false,
  ].map((value) => query.bind(value));
  const [row] = await sql.rows<StartedSync>(
    query,
    `INSERT INTO syncs AS t (svc_organisation_id, svc_company_id, sync_id, connection_id, integration_type, category,
       sync_type, full_sync, sync_from, told_by_platform, state)
     SELECT t.svc_organisation_id, ${values.join(', ')}, '${FIRST_STATE}' FROM companies t
     WHERE ${query.within('t', 'svc_id')} AND t.svc_id = ${values[0]}
     RETURNING svc_id AS "syncSvcId", sync_id AS "syncId"`,
  );
  if (!row) throw new AppError('not-found', 'there is no such company', 'companyId');
  return row;
}

async function insertJobs(
  sql: TenantSql,
  { svcCompanyId, syncSvcId }: { readonly svcCompanyId: number; readonly syncSvcId: number },
  dataModels: readonly string[],
  after = 0,
): Promise<void> {
  const query = sql.query();
  const company = query.bind(svcCompanyId);
  const run = query.bind(syncSvcId);
  const ids = query.bind(dataModels.map(() => randomId()));
  await sql.rows(
    query,
    `INSERT INTO sync_jobs (svc_organisation_id, svc_company_id, job_id, sync_svc_id, data_model, position, state)
     SELECT t.svc_organisation_id, ${company}, j.job_id, ${run}, j.data_model, j.position + ${query.bind(after)}::integer, '${FIRST_JOB_STATE}'
     FROM unnest(${ids}::text[], ${query.bind(dataModels)}::text[]) WITH ORDINALITY AS j (job_id, data_model, position),
       companies t
     WHERE ${query.within('t', 'svc_id')} AND t.svc_id = ${company}`,
  );
}

/** Whether the connection has an unfinished run; an event-driven one reads other record types. */
export async function hasOpenSync(sql: TenantSql, connectionId: number): Promise<boolean> {
  const query = sql.query();
  const rows = await sql.rows(
    query,
    `SELECT 1 FROM syncs t WHERE ${query.within('t')} AND t.connection_id = ${query.bind(connectionId)}
     AND NOT t.told_by_platform AND ${isOpenSql('sync', 't.state')} LIMIT 1`,
  );
  return rows.length > 0;
}
