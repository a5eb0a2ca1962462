import type { WriteProblem } from '../connectors/push.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { AppError } from '../errors.js';
import { randomId } from '../operations/random-id.js';
import { RawJson, stringifyJson } from '../raw-json.js';
import { stringifyPlatformJson } from '../connectors/platform-json.js';
import type { UploadKey, WriteOperation } from './engine.js';
import { addUploadJob, endIfDone } from './upload-state.js';

export interface NewItem {
  /** Checked; as the caller sent it where it was refused. */
  readonly input: unknown;
  readonly warnings: readonly string[];
  /** Refused before it is sent. */
  readonly problem: WriteProblem | null;
}

export interface NewUpload {
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
 * Notes an upload, its items, its idempotency key and its job, all or nothing. Null where the key is taken already:
 * then nothing is noted.
 */
export async function addUpload(sql: TenantSql, upload: NewUpload): Promise<UploadKey | null> {
  return sql
    .transaction(async (transaction) => {
      const key = await insertUpload(transaction, upload);
      if (upload.idempotencyKey !== null) await takeKey(transaction, upload, key);
      await insertItems(transaction, upload, key);
      const isOver = await endIfDone(transaction, key);
      if (!isOver) await addUploadJob(transaction, { ...key, connectionId: upload.connectionId });
      return key;
    })
    .catch((error: unknown) => {
      if (error instanceof KeyTaken) return null;
      throw error;
    });
}

class KeyTaken extends Error {}

async function insertUpload(sql: TenantSql, upload: NewUpload): Promise<UploadKey> {
  const query = sql.query();
  const values = [
    upload.svcCompanyId,
    randomId(),
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
     SELECT t.svc_organisation_id, ${values.join(', ')}, 'PENDING',
       now() + ${query.bind(upload.waitMs)}::float8 * interval '1 millisecond' FROM companies t
     WHERE ${query.within('t', 'svc_id')} AND t.svc_id = ${values[0]}
     RETURNING svc_id AS "svcId"`,
  );
  if (!row) throw new AppError('not-found', 'there is no such company', 'company_id');
  return { svcCompanyId: upload.svcCompanyId, uploadSvcId: row.svcId };
}

/** Of several who ask at once one gets the key; the others wait here until its transaction ends. */
async function takeKey(sql: TenantSql, upload: NewUpload, key: UploadKey): Promise<void> {
  const query = sql.query();
  const values = [upload.idempotencyKey, upload.requestHash, key.svcCompanyId, key.uploadSvcId].map((value) =>
    query.bind(value),
  );
  const taken = await sql.rows(
    query,
    `INSERT INTO idempotency_keys AS t (svc_organisation_id, key, request_hash, svc_company_id, upload_svc_id)
     SELECT t.svc_organisation_id, ${values.join(', ')} FROM companies t
     WHERE ${query.within('t', 'svc_id')} AND t.svc_id = ${values[2]}
     ON CONFLICT (svc_organisation_id, key) DO NOTHING RETURNING 1`,
  );
  if (taken.length === 0) throw new KeyTaken();
}

async function insertItems(sql: TenantSql, upload: NewUpload, key: UploadKey): Promise<void> {
  const query = sql.query();
  const company = query.bind(key.svcCompanyId);
  const rows = upload.items.map(({ input, warnings, problem }) => ({
    jobId: randomId(),
    input: new RawJson(stringifyPlatformJson(input)),
    warnings,
    ...problem,
  }));
  await sql.rows(
    query,
    `INSERT INTO upload_items (svc_organisation_id, svc_company_id, job_id, upload_svc_id, position, state, input, warnings,
       error_code, error_message, error_field, platform_error, ended_at)
     SELECT t.svc_organisation_id, ${company}, i.item->>'jobId', ${query.bind(key.uploadSvcId)}, i.position - 1,
       CASE WHEN i.item ? 'code' THEN 'FAILED' ELSE 'PENDING' END, i.item->'input', i.item->'warnings',
       i.item->>'code', i.item->>'message', i.item->>'field', i.item->>'platformError',
       CASE WHEN i.item ? 'code' THEN now() END
     FROM jsonb_array_elements(${query.bind(stringifyJson(rows))}::jsonb) WITH ORDINALITY AS i (item, position),
       companies t
     WHERE ${query.within('t', 'svc_id')} AND t.svc_id = ${company}
     -- Jobs get their svc_ids in the order of the items.
     ORDER BY i.position`,
  );
}
