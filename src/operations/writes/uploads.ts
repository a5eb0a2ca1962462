import type { WriteOperation, WriteRequest } from '../../connectors/push.js';
import type { Context } from '../../context.js';
import type { TenantQuery, TenantSql } from '../../db/tenant-sql.js';
import type { Path, StaleRecord, WriteErrorCode, WriteProblem, WriteWarning } from '../../errors.js';
import type { RawJson } from '../../base/raw-json.js';
import type { CountedConnection } from '../../query/pages/connection.js';
import { ofOwnedIds, type OwnedId } from '../../query/owned-ids.js';
import { listBySvcId, runList, type SvcIdListArguments } from '../../query/pages/svc-id-list.js';
import type { RunKey } from '../../runs/lease.js';
import type { ItemState, UploadState } from '../../runs/states.js';
import { parseText } from '../../base/values.js';

/** A request to write records. Reference 2.4. */
export interface ListedUpload {
  readonly svcId: number;
  /** 15 letters and digits. */
  readonly uploadId: string;
  readonly svcCompanyId: number;
  readonly connectionId: number;
  readonly integrationType: string;
  readonly category: string;
  readonly dataModel: string;
  readonly operation: WriteOperation;
  readonly state: UploadState;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly resumeAt: string | null;
  /** Until when its caller waits for the result. */
  readonly answerBy: string;
  /** Whether the caller still waits, by the database's clock. */
  readonly isWaitedFor: boolean;
  readonly svcCreatedAt: string;
  readonly svcUpdatedAt: string;
}

/** A request as a dry run shows it. */
export type PlannedRequest = Omit<WriteRequest, 'body'> & { readonly body: RawJson | null };

/** One record to write: a job of its upload, or a dry run's item without ids. */
export interface ShownItem {
  readonly svcId: number | null;
  /** 15 letters and digits. */
  readonly jobId: string | null;
  readonly uploadId: string | null;
  readonly svcCompanyId: number;
  readonly connectionId: number;
  readonly integrationType: string;
  readonly dataModel: string;
  readonly operation: WriteOperation;
  readonly position: number;
  readonly status: ItemState | 'PLANNED';
  readonly error: WriteProblem | null;
  readonly warnings: readonly WriteWarning[];
  readonly input: unknown;
  readonly request: PlannedRequest | null;
  readonly attempts: number;
  readonly dueAt: string | null;
  readonly platformId: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly svcCreatedAt: string | null;
  readonly svcUpdatedAt: string | null;
}

/** An item of an upload. */
export type ListedItem = ShownItem & { readonly uploadSvcId: number };
export type ItemConnection = CountedConnection<ListedItem>;
type StoredItem = ListedItem & { readonly svcId: number };

const UPLOAD_COLUMNS = `t.svc_id AS "svcId", t.upload_id AS "uploadId", t.svc_company_id AS "svcCompanyId",
  t.connection_id AS "connectionId", t.integration_type AS "integrationType", t.category, t.data_model AS "dataModel",
  t.operation, t.state, t.started_at AS "startedAt", t.ended_at AS "endedAt", t.resume_at AS "resumeAt",
  t.answer_by AS "answerBy", t.answer_by > now() AS "isWaitedFor", t.svc_created_at AS "svcCreatedAt", t.svc_updated_at AS "svcUpdatedAt"`;

const ITEM_COLUMNS = `t.svc_id AS "svcId", t.job_id AS "jobId", t.upload_svc_id AS "uploadSvcId",
  u.upload_id AS "uploadId", t.svc_company_id AS "svcCompanyId", u.connection_id AS "connectionId",
  u.integration_type AS "integrationType", u.data_model AS "dataModel", u.operation, t.position, t.state AS status,
  t.input, t.warnings, t.attempts, t.due_at AS "dueAt", t.platform_id AS "platformId", t.error_code AS code,
  t.error_message AS words, t.error_path AS path, t.platform_error AS "platformError", t.error_stale AS stale,
  t.started_at AS "startedAt", t.ended_at AS "endedAt", t.svc_created_at AS "svcCreatedAt",
  t.svc_updated_at AS "svcUpdatedAt"`;

type ItemRow = Omit<ListedItem, 'warnings' | 'error' | 'request'> & {
  readonly warnings: RawJson;
  readonly code: WriteErrorCode | null;
  readonly words: string | null;
  readonly path: RawJson | null;
  readonly platformError: string | null;
  readonly stale: RawJson | null;
};

export type UploadConnection = CountedConnection<ListedUpload>;

/** The uploads of the scope, or of one company, latest first. */
export function listUploads({ sql, limits }: Context, args: SvcIdListArguments): Promise<UploadConnection> {
  return listBySvcId(sql, { ...runList('uploads'), read: readUploads }, args, { limits });
}

/** One upload; null when the scope has none of that id. */
export async function getUpload(sql: TenantSql, uploadId: string): Promise<ListedUpload | null> {
  const query = sql.query();
  const id = query.bind(parseText(uploadId, 'writeId'));
  const [found] = await readUploads(sql, query, `${query.within('t')} AND t.upload_id = ${id}`);
  return found ?? null;
}

/** One upload by its key. */
export async function uploadOf(sql: TenantSql, key: RunKey): Promise<ListedUpload | null> {
  const query = sql.query();
  const [found] = await readUploads(sql, query, query.rowsOf(key.svcCompanyId, 'svc_id', key.svcId));
  return found ?? null;
}

/** Notes that an upload's caller has its id only, so that its end is told as a sync, too; false if it has ended. */
export async function stopWaiting(
  sql: TenantSql,
  key: RunKey,
  { isWaitedFor }: Pick<ListedUpload, 'isWaitedFor'>,
): Promise<boolean> {
  const query = sql.query();
  // Waits for a transaction that is about to end it: that one may have looked before.
  const noted = await sql.rows(
    query,
    `UPDATE uploads t SET answer_by = ${isWaitedFor ? 'now()' : 't.answer_by'} WHERE ${query.rowsOf(key.svcCompanyId, 'svc_id', key.svcId)}
       AND t.ended_at IS NULL RETURNING 1`,
  );
  return noted.length > 0;
}

/** Uploads by their svc_ids. */
export function listUploadsById(sql: TenantSql, uploads: readonly OwnedId[]): Promise<ListedUpload[]> {
  const query = sql.query();
  return readUploads(sql, query, `${query.within('t')} AND ${ofOwnedIds(query, 'svc_id', uploads)}`);
}

function readUploads(sql: TenantSql, query: TenantQuery, where: string): Promise<ListedUpload[]> {
  return sql.rows<ListedUpload>(query, `SELECT ${UPLOAD_COLUMNS} FROM uploads t WHERE ${where}`);
}

/** The items of some uploads, in order per upload; one statement. */
export function listItems(sql: TenantSql, uploads: readonly OwnedId[]): Promise<ListedItem[]> {
  const query = sql.query();
  const ofUploads = ofOwnedIds(query, 'upload_svc_id', uploads);
  return readItems(sql, query, `${ofUploads} ORDER BY t.upload_svc_id, t.position`);
}

/** Items of an upload in one state. */
export interface CountedItems {
  readonly uploadSvcId: number;
  readonly state: ItemState;
  readonly isEnded: boolean;
  readonly count: number;
}

/** How many items of some uploads are in each state, without reading them; one statement. */
export function countItems(sql: TenantSql, uploads: readonly OwnedId[]): Promise<CountedItems[]> {
  const query = sql.query();
  return sql.rows<CountedItems>(
    query,
    `SELECT t.upload_svc_id AS "uploadSvcId", t.state, t.ended_at IS NOT NULL AS "isEnded", count(*) AS count
     FROM upload_items t WHERE ${query.within('t')} AND ${ofOwnedIds(query, 'upload_svc_id', uploads)}
     GROUP BY t.svc_company_id, t.upload_svc_id, t.state, t.ended_at IS NOT NULL
     ORDER BY t.upload_svc_id, t.state, "isEnded"`,
  );
}

/** One item by its job id; null when the scope has none. */
export async function getItem({ sql }: Context, jobId: string): Promise<ListedItem | null> {
  const query = sql.query();
  const [item] = await readItems(sql, query, `t.job_id = ${query.bind(parseText(jobId, 'jobId'))}`);
  return item ?? null;
}

/** Items by their svc_ids. */
export function listItemsById(sql: TenantSql, items: readonly OwnedId[]): Promise<StoredItem[]> {
  const query = sql.query();
  return readItems(sql, query, ofOwnedIds(query, 'svc_id', items)) as Promise<StoredItem[]>;
}

async function readItems(sql: TenantSql, query: TenantQuery, rest: string): Promise<ListedItem[]> {
  const rows = await sql.rows<ItemRow>(
    query,
    `SELECT ${ITEM_COLUMNS} FROM upload_items t
     JOIN uploads u ON u.svc_company_id = t.svc_company_id AND u.svc_id = t.upload_svc_id
     WHERE ${query.within('t')} AND ${rest}`,
  );
  return rows.map(present);
}

function present({ code, words, path, platformError, stale, warnings, ...row }: ItemRow): ListedItem {
  return {
    ...row,
    warnings: JSON.parse(warnings.text) as WriteWarning[],
    error: code && {
      code,
      words: words ?? '',
      path: path ? (JSON.parse(path.text) as Path) : [],
      platformError,
      stale: stale ? (JSON.parse(stale.text) as StaleRecord) : null,
    },
    request: null,
  };
}
