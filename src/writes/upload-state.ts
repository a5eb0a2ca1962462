import type { TenantSql } from '../db/tenant-sql.js';
import type { Logger } from '../telemetry/log.js';
import { meters } from '../telemetry/meters.js';
import { claim, end, type RunLease, type RunKey } from '../runs/lease.js';
import { noteEnds } from '../runs/note-ends.js';
import { isOpenSql, type ItemState, type UploadState } from '../runs/states.js';
import type { WriteOperation } from '../connectors/push.js';

/** An upload that this worker holds. */
export interface ClaimedUpload extends RunLease<'upload'> {
  readonly dataModel: string;
  readonly operation: WriteOperation;
  readonly uploadId: string;
}

type Columns = Pick<ClaimedUpload, 'dataModel' | 'operation' | 'uploadId'>;
const COLUMNS = 't.data_model AS "dataModel", t.operation, t.upload_id AS "uploadId"';

/** Takes an upload over; null when it has ended or is gone. */
export function claimUpload(
  sql: TenantSql,
  key: { readonly svcCompanyId: number; readonly uploadSvcId: number },
  workerId: string,
): Promise<ClaimedUpload | null> {
  const which = { kind: 'upload', svcCompanyId: key.svcCompanyId, svcId: key.uploadSvcId } as const;
  return claim<'upload', Columns>(sql, which, { workerId, columns: COLUMNS });
}

const GOOD: ItemState = 'SUCCESS';

/** How an upload ended. */
interface UploadEnd {
  readonly state: UploadState;
  readonly items: number;
  readonly good: number;
}

/**
 * Ends the upload when all its items have ended; null if it did not. One that has already ended is left as it is, and so
 * is one without items: they were removed with its company, which it is about to follow.
 */
export async function endIfDone(
  transaction: TenantSql,
  { svcCompanyId, svcId }: RunKey,
): Promise<UploadEnd | null> {
  const query = transaction.query();
  const company = query.bind(svcCompanyId);
  const key = query.bind(svcId);
  const [counted] = await transaction.rows<{ open: number; good: number; items: number; isOpen: boolean }>(
    query,
    `SELECT count(*) FILTER (WHERE t.ended_at IS NULL) AS open, count(*) FILTER (WHERE t.state = '${GOOD}') AS good,
       count(*) AS items,
       EXISTS (SELECT 1 FROM uploads u WHERE ${query.within('u')} AND u.svc_company_id = ${company}
         AND u.svc_id = ${key} AND ${isOpenSql('upload', 'u.state')}) AS "isOpen"
     FROM upload_items t WHERE ${query.within('t')} AND t.svc_company_id = ${company} AND t.upload_svc_id = ${key}`,
  );
  if (!counted?.isOpen || counted.open > 0 || counted.items === 0) return null;
  const { good, items } = counted;
  const state: UploadState = good === items ? 'SUCCESS' : good > 0 ? 'PARTIAL_SUCCESS' : 'FAILED';
  await end(transaction, { kind: 'upload', svcCompanyId, svcId }, state);
  await noteEnds(transaction, 'upload', [{ svcCompanyId, svcId }]);
  return { state, items, good };
}

type LoggedField =
  'svcCompanyId' | 'connectionId' | 'integrationType' | 'uploadId' | 'dataModel' | 'operation';

/** Meters an upload that has ended, and tells the log, once that is committed. */
export function tellEnd(
  log: Logger,
  { scope }: TenantSql,
  upload: Pick<ClaimedUpload, LoggedField>,
  end: UploadEnd | null,
): void {
  if (end === null) return;
  const { svcCompanyId: companyId, connectionId, integrationType, uploadId, dataModel, operation } = upload;
  const { organisationId } = scope;
  meters.writes.inc({ platform: integrationType, state: end.state });
  const written = {
    organisationId,
    companyId,
    connectionId,
    integrationType,
    uploadId,
    dataModel,
    operation,
  };
  log.info({ ...written, ...end }, 'a write ended');
}
