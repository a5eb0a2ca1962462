import { isOrphan } from '../db/database-error.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { AppError, type WriteProblem, type WriteWarning } from '../errors.js';
import { randomId } from '../runs/random-id.js';
import type { IncomingRecord } from '../store/ready-batch.js';
import { storeBatch } from '../store/store-records.js';
import { readStoredIds } from '../store/stored-ids.js';
import { recordTypeOf } from '../records/index.js';
import { RawJson, stringifyJson } from '../base/raw-json.js';
import { storableJson } from '../connectors/values/platform-json.js';
import { queueRun, type RunKey } from '../runs/lease.js';
import type { ItemState, UploadState } from '../runs/states.js';
import type { Logger } from '../telemetry/log.js';
import type { WriteOperation } from '../connectors/push.js';
import { failPoint } from './fail-points.js';
import type { ItemFile } from './item-files.js';
import { endIfDone, tellEnd } from './upload-state.js';

export interface NewItem {
  /** Checked; as the caller sent it where it was refused. */
  readonly input: unknown;
  readonly warnings: readonly WriteWarning[];
  /** Refused before it is sent. */
  readonly problem: WriteProblem | null;
  /** File to send with it. */
  readonly file: ItemFile | null;
  /** Stored here only: nothing is sent. */
  readonly record: IncomingRecord | null;
}

interface NewUpload {
  readonly svcCompanyId: number;
  readonly connectionId: number;
  readonly integrationType: string;
  readonly category: string;
  readonly dataModel: string;
  readonly operation: WriteOperation;
  readonly items: readonly NewItem[];
  /** How long its caller waits for the end. */
  readonly waitMs: number;
  readonly idempotencyKey: string | null;
  readonly requestHash: string;
}

/**
 * Stores an upload, its items, its idempotency key and its job, all or nothing. Null if the key is already taken: then
 * nothing is stored.
 */
export async function addUpload(sql: TenantSql, log: Logger, upload: NewUpload): Promise<RunKey | null> {
  const { connectionId } = upload;
  failPoint('before upload is stored');
  try {
    const { key, uploadId, end } = await sql.transaction(async (transaction) => {
      const uploadId = randomId();
      // First, as all writers of records lock the change head before anything else.
      await storeOwn(transaction, upload, uploadId);
      const added = await insertUpload(transaction, upload, uploadId);
      if (upload.idempotencyKey !== null) await takeKey(transaction, upload, added);
      await insertItems(transaction, upload, added);
      const end = await endIfDone(transaction, added);
      if (end === null) await queueRun(transaction, 'upload', { ...added, connectionId });
      return { key: added, uploadId, end };
    });
    tellEnd(log, sql, { ...upload, uploadId }, end);
    failPoint('after upload is stored');
    return key;
  } catch (error) {
    if (error instanceof KeyTaken) return null;
    if (isOrphan(error)) throw noSuchCompany();
    throw error;
  }
}

const FIRST_STATE: UploadState = 'PENDING';
const FIRST_ITEM_STATE: ItemState = 'PENDING';
const REFUSED: ItemState = 'FAILED';
const STORED: ItemState = 'SUCCESS';

class KeyTaken extends Error {}

/** Its connections are removed with it only. */
const noSuchCompany = () => new AppError('not-found', 'there is no such company', 'companyId');

async function storeOwn(transaction: TenantSql, upload: NewUpload, uploadId: string): Promise<void> {
  const records = upload.items.map(({ record }) => record).filter((record) => record !== null);
  const definition = recordTypeOf(upload.dataModel);
  if (records.length === 0 || !definition) return;
  await storeBatch(transaction, { ...upload, definition, records, cause: { kind: 'write', id: uploadId } });
}

async function insertUpload(sql: TenantSql, upload: NewUpload, uploadId: string): Promise<RunKey> {
  const query = sql.query();
  const values = [
    upload.svcCompanyId,
    uploadId,
    upload.connectionId,
    upload.integrationType,
    upload.category,
    upload.dataModel,
    upload.operation,
  ].map((value) => query.bind(value));
  const [row] = await sql.rows<{ svcId: number }>(
    query,
    `INSERT INTO uploads AS t (svc_organisation_id, svc_company_id, upload_id, connection_id, integration_type, category,
       data_model, operation, state, answer_by)
     SELECT t.svc_organisation_id, ${values.join(', ')}, '${FIRST_STATE}',
       now() + ${query.bind(upload.waitMs)}::float8 * interval '1 millisecond' FROM companies t
     WHERE ${query.within('t', 'svc_id')} AND t.svc_id = ${values[0]}
     RETURNING svc_id AS "svcId"`,
  );
  if (!row) throw noSuchCompany();
  return { svcCompanyId: upload.svcCompanyId, svcId: row.svcId };
}

/** One of several concurrent callers gets the key; the others wait here until its transaction ends. */
async function takeKey(sql: TenantSql, upload: NewUpload, key: RunKey): Promise<void> {
  const query = sql.query();
  const values = [upload.idempotencyKey, upload.requestHash, key.svcCompanyId, key.svcId].map((value) =>
    query.bind(value),
  );
  const taken = await sql.rows(
    query,
    `INSERT INTO idempotency_keys AS t (svc_organisation_id, key, request_hash, svc_company_id, upload_svc_id)
     SELECT t.svc_organisation_id, ${values.join(', ')} FROM companies t
     WHERE ${query.within('t', 'svc_id')} AND t.svc_id = ${values[2]}
     ON CONFLICT (svc_company_id, key) DO NOTHING RETURNING 1`,
  );
  if (taken.length === 0) throw new KeyTaken();
}

async function insertItems(sql: TenantSql, upload: NewUpload, key: RunKey): Promise<void> {
  const table = recordTypeOf(upload.dataModel)?.table;
  const platformIds = upload.items.flatMap(({ record }) => record?.platformId ?? []);
  const stored = table ? await readStoredIds(sql, table, upload, platformIds) : new Map<string, number>();
  const query = sql.query();
  const company = query.bind(key.svcCompanyId);
  const rows = upload.items.map(({ input, warnings, problem, file, record }) => ({
    jobId: randomId(),
    state: problem ? REFUSED : record ? STORED : FIRST_ITEM_STATE,
    input: new RawJson(storableJson(input)),
    // They quote field names, which may contain anything.
    warnings: new RawJson(storableJson(warnings)),
    ...problem,
    ...(file ? { file } : {}),
    ...(record ? { platformId: record.platformId, recordSvcId: stored.get(record.platformId) } : {}),
  }));
  await sql.rows(
    query,
    `INSERT INTO upload_items (svc_organisation_id, svc_company_id, job_id, upload_svc_id, position, state, input, file,
       warnings, error_code, error_message, error_path, platform_error, platform_id, record_svc_id, ended_at)
     SELECT t.svc_organisation_id, ${company}, i.item->>'jobId', ${query.bind(key.svcId)}, i.position - 1,
       i.item->>'state', i.item->'input', i.item->'file', i.item->'warnings',
       i.item->>'code', i.item->>'words', i.item->'path', i.item->>'platformError', i.item->>'platformId',
       (i.item->>'recordSvcId')::bigint,
       CASE WHEN i.item->>'state' <> '${FIRST_ITEM_STATE}' THEN now() END
     FROM jsonb_array_elements(${query.bind(stringifyJson(rows))}::jsonb) WITH ORDINALITY AS i (item, position),
       companies t
     WHERE ${query.within('t', 'svc_id')} AND t.svc_id = ${company}
     -- Jobs get their svc_ids in the order of the items.
     ORDER BY i.position`,
  );
}
