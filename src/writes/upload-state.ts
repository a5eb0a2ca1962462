import type { TenantSql } from '../db/tenant-sql.js';
import { addJob } from '../jobs/add-job.js';
import type { Category } from '../records/define.js';
import type { UploadKey, WriteOperation } from './engine.js';

/** An upload that this worker holds. */
export interface ClaimedUpload extends UploadKey {
  readonly connectionId: number;
  readonly integrationType: string;
  readonly category: Category;
  readonly dataModel: string;
  readonly operation: WriteOperation;
  readonly uploadId: string;
  /** What this worker writes must carry it: a later claim has a higher one. */
  readonly fence: number;
}

/** Another worker has taken the upload over, or it is gone: nothing more may be sent or stored. */
export class UploadTaken extends Error {
  override readonly name = 'UploadTaken';
}

/** One queue a connection: its items are sent in the order of their uploads. */
const writeQueue = (connectionId: number): string => `write:${connectionId}`;

/** Adds the upload's job in the transaction given; `runAt` for later. */
export async function addUploadJob(
  transaction: TenantSql,
  { svcCompanyId, uploadSvcId, connectionId }: UploadKey & { readonly connectionId: number },
  runAt?: Date,
): Promise<void> {
  await addJob(transaction, {
    task: 'write',
    payload: { organisationId: transaction.scope.organisationId, svcCompanyId, uploadSvcId },
    queue: writeQueue(connectionId),
    key: `write:${uploadSvcId}`,
    ...(runAt === undefined ? {} : { runAt }),
  });
}

/** Takes an upload over; null when it has ended or is gone. Whoever held it before is fenced off from now on. */
export async function claimUpload(
  sql: TenantSql,
  key: UploadKey,
  workerId: string,
): Promise<ClaimedUpload | null> {
  const query = sql.query();
  const [upload] = await sql.rows<Omit<ClaimedUpload, keyof UploadKey>>(
    query,
    `UPDATE uploads t SET fence = t.fence + 1, worker_id = ${query.bind(workerId)}, state = 'RUNNING', resume_at = NULL,
       started_at = COALESCE(t.started_at, now()), svc_updated_at = now()
     WHERE ${query.within('t')} AND t.svc_company_id = ${query.bind(key.svcCompanyId)}
       AND t.svc_id = ${query.bind(key.uploadSvcId)} AND t.ended_at IS NULL
     RETURNING t.connection_id AS "connectionId", t.integration_type AS "integrationType", t.category,
       t.data_model AS "dataModel", t.operation, t.upload_id AS "uploadId", t.fence`,
  );
  return upload ? { ...key, ...upload } : null;
}

/** Throws UploadTaken unless the upload is still this worker's; in a transaction it stays so until that ends. */
export async function holdUpload(sql: TenantSql, upload: ClaimedUpload): Promise<void> {
  const query = sql.query();
  const rows = await sql.rows(
    query,
    `SELECT 1 FROM uploads t WHERE ${query.within('t')} AND t.svc_company_id = ${query.bind(upload.svcCompanyId)}
     AND t.svc_id = ${query.bind(upload.uploadSvcId)} AND t.fence = ${query.bind(upload.fence)}
     AND t.ended_at IS NULL FOR NO KEY UPDATE`,
  );
  if (rows.length === 0)
    throw new UploadTaken('another worker has taken this upload over, or it was removed');
}

/** Ends the upload when all its items have ended; whether it did. */
export async function endIfDone(transaction: TenantSql, upload: UploadKey): Promise<boolean> {
  const query = transaction.query();
  const company = query.bind(upload.svcCompanyId);
  const key = query.bind(upload.uploadSvcId);
  const rows = await transaction.rows(
    query,
    `WITH counted AS (
       SELECT count(*) FILTER (WHERE i.ended_at IS NULL) AS open, count(*) FILTER (WHERE i.state = 'SUCCESS') AS good,
         count(*) AS items
       FROM upload_items i WHERE ${query.within('i')} AND i.svc_company_id = ${company} AND i.upload_svc_id = ${key}
     )
     UPDATE uploads t SET ended_at = now(), svc_updated_at = now(), resume_at = NULL,
       state = CASE WHEN c.good = c.items THEN 'SUCCESS' WHEN c.good > 0 THEN 'PARTIAL_SUCCESS' ELSE 'FAILED' END
     FROM counted c
     WHERE ${query.within('t')} AND t.svc_company_id = ${company} AND t.svc_id = ${key} AND t.ended_at IS NULL
       AND c.open = 0
     RETURNING 1`,
  );
  return rows.length === 1;
}

/** Hands the upload back, to go on at `resumeAt` or, without one, as soon as a worker takes it. */
export async function putOffUpload(
  sql: TenantSql,
  upload: ClaimedUpload,
  resumeAt: Date | null,
): Promise<void> {
  await sql.transaction(async (transaction) => {
    await holdUpload(transaction, upload);
    const query = transaction.query();
    await transaction.rows(
      query,
      `UPDATE uploads t SET state = ${query.bind(resumeAt === null ? 'PENDING' : 'SLEEPING')},
         resume_at = ${query.bind(resumeAt)}, svc_updated_at = now()
       WHERE ${query.within('t')} AND t.svc_company_id = ${query.bind(upload.svcCompanyId)}
         AND t.svc_id = ${query.bind(upload.uploadSvcId)}`,
    );
    await addUploadJob(transaction, upload, resumeAt ?? undefined);
  });
}
