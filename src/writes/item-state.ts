import { millisecondsUntil } from '../db/from-now.js';
import { storableJson } from '../connectors/values/platform-json.js';
import type { TenantQuery, TenantSql } from '../db/tenant-sql.js';
import type { WriteProblem, WriteWarning } from '../errors.js';
import type { RawJson } from '../base/raw-json.js';
import { LeaseLost } from '../runs/lease.js';
import { isMoveSql, isOpenSql, type ItemState, mayBecomeSql } from '../runs/states.js';
import { readStoredIds } from '../store/stored-ids.js';
import type { ClaimedUpload } from './upload-state.js';

/** An item as stored in the database. */
export interface ItemRow {
  readonly svcId: number;
  readonly jobId: string;
  readonly state: ItemState;
  readonly input: RawJson;
  /** JSON text of a WriteRequest; null before the first attempt. */
  readonly request: string | null;
  /** JSON text of the object that the platform has created, if more must follow; null before. */
  readonly written: string | null;
  readonly attempts: number;
  /** Null before the first attempt. */
  readonly startedAt: string | null;
  /** Null: it was certainly never sent. */
  readonly firstSentAt: string | null;
  /** Until then a request without an answer may still be carried out; null if there is none. */
  readonly lateUntil: string | null;
  /** Id of the batch request that it was sent in; null if it was sent alone. */
  readonly batchId: string | null;
  /** An ItemFile; null where it has none. */
  readonly file: RawJson | null;
}

const ITEM = `t.svc_id AS "svcId", t.job_id AS "jobId", t.state, t.input, t.request, t.written, t.attempts,
       t.started_at AS "startedAt", t.first_sent_at AS "firstSentAt", t.late_until AS "lateUntil", t.batch_id AS "batchId", t.file`;

/** Longer than an upload is held while it waits for its items: another one has to continue. */
export const BEHIND_SECONDS = 5;

/**
 * Whether an earlier change of the same record is still open, in this upload or a previous one: a postponed change must
 * not overtake, or be overtaken by, a later one.
 */
function isBehindSql(
  query: TenantQuery,
  { operation, svcCompanyId, connectionId, dataModel }: ClaimedUpload,
): string {
  if (operation !== 'UPDATE') return 'false';
  return `EXISTS (SELECT FROM uploads u JOIN upload_items b ON b.svc_company_id = u.svc_company_id AND b.upload_svc_id = u.svc_id
    WHERE ${query.within('u')} AND ${query.within('b')} AND u.svc_company_id = ${query.bind(svcCompanyId)}
      AND u.connection_id = ${query.bind(connectionId)} AND u.data_model = ${query.bind(dataModel)}
      AND u.ended_at IS NULL AND ${isOpenSql('upload', 'u.state')} AND b.ended_at IS NULL
      AND (b.upload_svc_id, b.position) < (t.upload_svc_id, t.position)
      AND b.input ->> 'platform_id' = t.input ->> 'platform_id')`;
}

/** The next items that are due, in their order. */
export async function dueItems(sql: TenantSql, upload: ClaimedUpload, max: number): Promise<ItemRow[]> {
  const query = sql.query();
  return sql.rows<ItemRow>(
    query,
    `SELECT ${ITEM} FROM upload_items t WHERE ${ofUpload(query, upload)} AND t.ended_at IS NULL
       AND (t.due_at IS NULL OR t.due_at <= now()) AND NOT ${isBehindSql(query, upload)}
     ORDER BY t.position LIMIT ${query.bind(max)}`,
  );
}

/** An item that is open, and not due. */
interface WaitingItem extends ItemRow {
  /** Null: the item waits behind another write. */
  readonly dueInMs: number | null;
}

/** The open items that precede the last of the due ones and are not due themselves. */
export async function waitingItems(
  sql: TenantSql,
  upload: ClaimedUpload,
  due: readonly ItemRow[],
): Promise<WaitingItem[]> {
  const query = sql.query();
  const rows = await sql.rows<WaitingItem & { readonly isBehind: boolean }>(
    query,
    `SELECT ${ITEM}, ${isBehindSql(query, upload)} AS "isBehind",
       (EXTRACT(EPOCH FROM t.due_at - now()) * 1000)::float8 AS "dueInMs" FROM upload_items t
     WHERE ${ofUpload(query, upload)} AND t.ended_at IS NULL AND t.svc_id < ${query.bind(due.at(-1)?.svcId)}
       AND t.svc_id <> ALL(${query.bind(due.map(({ svcId }) => svcId))}::bigint[])`,
  );
  return rows.map(({ isBehind, dueInMs, ...item }) => ({
    ...item,
    dueInMs: isBehind ? null : (dueInMs ?? 0),
  }));
}

/** All items that were sent in one request, in order, including those that have ended since. */
export async function itemsOfBatch(
  sql: TenantSql,
  upload: ClaimedUpload,
  batchId: string,
): Promise<(ItemRow & { readonly isOpen: boolean })[]> {
  const query = sql.query();
  return sql.rows(
    query,
    `SELECT ${ITEM}, t.ended_at IS NULL AS "isOpen" FROM upload_items t
     WHERE ${ofUpload(query, upload)} AND t.batch_id = ${query.bind(batchId)} ORDER BY t.position`,
  );
}

/** When the next open item is due, by this process's clock; null when none is open. */
export async function nextDue(sql: TenantSql, upload: ClaimedUpload): Promise<Date | null> {
  const query = sql.query();
  const [row] = await sql.rows<{ milliseconds: string | null }>(
    query,
    `SELECT EXTRACT(EPOCH FROM min(CASE WHEN ${isBehindSql(query, upload)} THEN now() + interval '${BEHIND_SECONDS} seconds'
       ELSE COALESCE(t.due_at, now()) END) - now()) * 1000 AS milliseconds FROM upload_items t
     WHERE ${ofUpload(query, upload)} AND t.ended_at IS NULL`,
  );
  return row?.milliseconds == null ? null : new Date(Date.now() + Number(row.milliseconds));
}

const SENDING: ItemState = 'SENDING';

/** An item that is about to be sent. */
interface MarkedItem {
  readonly svcId: number;
  readonly request: string;
  readonly lateInMs: number;
  readonly batchId: string | null;
}

/**
 * Stores that items are about to be sent, with their requests: a later worker must not resend them blindly. Throws
 * LeaseLost if one is gone with its company: nothing would tell that it was sent.
 */
export async function markSending(
  transaction: TenantSql,
  upload: ClaimedUpload,
  items: readonly MarkedItem[],
): Promise<void> {
  const query = transaction.query();
  const marked = await transaction.rows(
    query,
    `UPDATE upload_items t SET state = '${SENDING}', attempts = t.attempts + 1, request = m.request, batch_id = m."batchId",
       first_sent_at = COALESCE(t.first_sent_at, now()), started_at = COALESCE(t.started_at, now()),
       late_until = COALESCE(t.late_until, now() + m."lateInMs" * interval '1 millisecond'),
       due_at = NULL, svc_updated_at = now()
     FROM jsonb_to_recordset(${query.bind(JSON.stringify(items))}::jsonb) AS m ("svcId" bigint, request text, "lateInMs" float8, "batchId" text)
     WHERE ${ofUpload(query, upload)} AND t.svc_id = m."svcId" AND ${mayBecomeSql('item', 't.state', SENDING)}
     RETURNING 1`,
  );
  if (marked.length !== items.length) throw new LeaseLost('an item was removed before it was sent');
}

/** Stores that an item is being resent alone, as its own request may now be in flight instead of the batch's. */
export async function noteResent(
  sql: TenantSql,
  upload: ClaimedUpload,
  { svcId, lateInMs }: { readonly svcId: number; readonly lateInMs: number },
): Promise<void> {
  const query = sql.query();
  const noted = await sql.rows(
    query,
    `UPDATE upload_items t SET late_until = now() + ${query.bind(lateInMs)}::float8 * interval '1 millisecond', batch_id = NULL
     WHERE ${ofUpload(query, upload)} AND t.svc_id = ${query.bind(svcId)} AND t.state = '${SENDING}' RETURNING 1`,
  );
  if (noted.length !== 1) throw new Error('an item that is not being sent was sent again');
}

/**
 * Stores the object that an item's request has created: a later worker continues with the requests that must follow.
 */
export async function noteWritten(
  transaction: TenantSql,
  upload: ClaimedUpload,
  { svcId, written }: { readonly svcId: number; readonly written: string },
): Promise<void> {
  const query = transaction.query();
  const noted = await transaction.rows(
    query,
    `UPDATE upload_items t SET written = ${query.bind(written)}, svc_updated_at = now()
     WHERE ${ofUpload(query, upload)} AND t.svc_id = ${query.bind(svcId)} AND t.state = '${SENDING}' RETURNING 1`,
  );
  if (noted.length !== 1) throw new Error('an item that is not being sent was written');
}

/** New state of an item. */
export interface ItemChange {
  readonly svcId: number;
  readonly state: ItemState;
  readonly ended: boolean;
  readonly dueAt: Date | null;
  /** Null: it was certainly not sent. */
  readonly firstSentAt: string | null;
  /** Until then a request without an answer may still be carried out. */
  readonly lateUntil: string | null;
  /** Id of the batch request that it was last sent in. */
  readonly batchId: string | null;
  readonly attempts: number;
  readonly platformId: string | null;
  readonly warnings: readonly WriteWarning[];
  readonly problem: WriteProblem | null;
}

/** Stores the results of some items; written ones are linked to their stored records. */
export async function changeItems(
  transaction: TenantSql,
  upload: ClaimedUpload,
  table: string,
  changes: readonly ItemChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const platformIds = changes.flatMap(({ platformId }) => platformId ?? []);
  const stored = await readStoredIds(transaction, table, upload, platformIds);
  const query = transaction.query();
  // A platform's message about an item may contain anything, and may be cut anywhere.
  const rows = changes.map(({ problem, warnings, dueAt, firstSentAt, ...change }) => ({
    ...change,
    ...problem,
    recordSvcId: stored.get(change.platformId ?? '') ?? null,
    warnings,
    dueInMs: millisecondsUntil(dueAt),
    wasSent: firstSentAt !== null,
  }));
  const moved = await transaction.rows(
    query,
    `UPDATE upload_items t SET state = c.state, ended_at = CASE WHEN c.ended THEN now() END, due_at = now() + c."dueInMs" * interval '1 millisecond',
       first_sent_at = CASE WHEN c."wasSent" THEN t.first_sent_at END,
       late_until = CASE WHEN NOT c.ended THEN c."lateUntil" END, batch_id = c."batchId", attempts = c.attempts, platform_id = c."platformId",
       record_svc_id = c."recordSvcId",
       error_code = c.code, error_message = c.words, error_path = c.path, platform_error = c."platformError",
       error_stale = c.stale, written = CASE WHEN NOT c.ended THEN t.written END,
       warnings = t.warnings || c.warnings, svc_updated_at = now()
     FROM jsonb_to_recordset(${query.bind(storableJson(rows))}::jsonb) AS c ("svcId" bigint, state text,
       ended boolean, "dueInMs" float8, "wasSent" boolean, "lateUntil" timestamptz, "batchId" text, attempts int, "platformId" text, "recordSvcId" bigint, code text,
       words text, path jsonb, "platformError" text, stale jsonb, warnings jsonb)
     WHERE ${ofUpload(query, upload)} AND t.svc_id = c."svcId" AND ${isMoveSql('item', 't.state', 'c.state')}
     RETURNING 1`,
  );
  if (moved.length !== changes.length) throw new Error('an item cannot become what came of it');
}

/** Whether one of some items that end has ended: then all these changes are stored. */
export async function hasEnded(
  transaction: TenantSql,
  upload: ClaimedUpload,
  changes: readonly ItemChange[],
): Promise<boolean> {
  const one = changes.find(({ ended }) => ended);
  if (!one) return false;
  const query = transaction.query();
  const rows = await transaction.rows(
    query,
    `SELECT 1 FROM upload_items t WHERE ${ofUpload(query, upload)} AND t.svc_id = ${query.bind(one.svcId)}
       AND t.ended_at IS NOT NULL`,
  );
  return rows.length > 0;
}

const ofUpload = (query: TenantQuery, upload: ClaimedUpload): string =>
  query.rowsOf(upload.svcCompanyId, 'upload_svc_id', upload.svcId);
