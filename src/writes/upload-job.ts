import { expectedVersionOf, formOf, type PushResource, recordsNamed } from '../connectors/push.js';
import { isOutage } from '../db/database-error.js';
import { organisationScope } from '../db/scope.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { AppError, toAppError, type WriteProblem } from '../errors.js';
import type { WriteJobPayload } from '../jobs/add-job.js';
import type { TaskContext } from '../jobs/tasks.js';
import { accessFor, readAccess, WithheldAccess, withheldOf } from '../platforms/scope-access.js';
import { type OpenConnection, openConnection } from '../platforms/open-connection.js';
import { assertHeld, LeaseLost } from '../runs/lease.js';
import type { ItemState } from '../runs/states.js';
import type { WriteEngine } from './engine.js';
import { failPoint } from './fail-points.js';
import { itemFileOf, removeItemFiles } from './item-files.js';
import type { ItemRow } from './item-state.js';
import { unknownError } from './sending/outcome.js';
import { inputOf } from './sending/send-item.js';
import { HeldUpload } from './run/held-upload.js';
import { PATIENCE_MS, UploadRun } from './run/upload-run.js';
import { type ClaimedUpload, claimUpload, endIfDone, tellEnd } from './upload-state.js';

/** Requests of one upload that run concurrently. Others call the platform too: one place is left to them. */
const MAX_CONCURRENCY = 4;

/**
 * Sends the items of an upload, as far as possible now: the job of task `write`. Failures are stored in the items; only
 * loss of the database is thrown, so that the job runs again.
 */
export async function runUpload(
  engine: WriteEngine,
  payload: WriteJobPayload,
  { workerId, signal }: TaskContext,
): Promise<void> {
  const sql = engine.database.sql(organisationScope(payload.organisationId));
  failPoint('before claim');
  const upload = await claimUpload(sql, payload, workerId);
  if (!upload) return;
  failPoint('after claim');
  try {
    const budget = { use: 'write', patienceMs: PATIENCE_MS, workerId } as const;
    const opened = await openConnection(engine, sql, upload, budget);
    try {
      await createRun(engine, sql, { ...opened, upload, signal }).execute();
    } finally {
      await opened.release();
    }
  } catch (error) {
    // The job is another worker's too: ending well here would end it there.
    if (error instanceof LeaseLost) throw error;
    if (isOutage(error)) throw error;
    const { code, message } = toAppError(error);
    if (code === 'internal-error')
      engine.log.error({ err: error, uploadId: upload.uploadId }, 'a write failed');
    const denied = code === 'connection-expired' || code === 'conflict';
    await failOpenItems(engine, sql, upload, {
      ...unknownError(denied ? `Operation Denied: ${message}` : message),
      code: denied ? 'operation-denied' : 'unknown-error',
    });
  }
}

const NOT_SENT: ItemState = 'FAILED';
const UNKNOWN: ItemState = 'UNCERTAIN';

/** Nothing more can be sent: items never sent have failed, the rest are uncertain. */
async function failOpenItems(
  { files, log }: WriteEngine,
  sql: TenantSql,
  upload: ClaimedUpload,
  problem: WriteProblem,
): Promise<void> {
  const { failed, end } = await sql.transaction(async (transaction) => {
    await assertHeld(transaction, upload);
    const query = transaction.query();
    const rows = await transaction.rows<Pick<ItemRow, 'file'>>(
      query,
      `UPDATE upload_items t SET state = CASE WHEN t.first_sent_at IS NULL THEN '${NOT_SENT}' ELSE '${UNKNOWN}' END,
         ended_at = now(), svc_updated_at = now(), error_code = ${query.bind(problem.code)},
         error_message = ${query.bind(problem.words)}, error_path = NULL
       WHERE ${query.rowsOf(upload.svcCompanyId, 'upload_svc_id', upload.svcId)} AND t.ended_at IS NULL
       RETURNING t.file`,
    );
    return { failed: rows, end: await endIfDone(transaction, upload) };
  });
  tellEnd(log, sql, upload, end);
  await removeItemFiles(
    files,
    failed.map(({ file }) => itemFileOf(file)),
  );
}

interface OpenedUpload extends Omit<OpenConnection, 'release'> {
  readonly upload: ClaimedUpload;
  readonly signal: AbortSignal;
}

function createRun(
  engine: WriteEngine,
  sql: TenantSql,
  { connector, platform, baseCurrency, upload, signal }: OpenedUpload,
): UploadRun {
  const { svcCompanyId, connectionId, integrationType, dataModel, operation } = upload;
  const push = connector.push?.resources.find((one) => one.definition.dataModel === dataModel);
  const pull = connector.pulls.find((one) => one.definition.dataModel === dataModel);
  const form = formOf(push, operation);
  if (!connector.push || !push || !pull || !form) {
    throw new AppError('conflict', `${connector.title} cannot write ${dataModel}`);
  }
  const target = { svcCompanyId, connectionId, integrationType };
  const { log, files, patience } = engine;
  const common = { sql, target, baseCurrency };
  const { category } = connector;
  const permitted = () => readAccess(engine.database.client(sql.scope), { svcCompanyId, category });
  return new UploadRun(new HeldUpload(sql, upload), signal, {
    preparing: {
      ...common,
      platform,
      push,
      form,
      resource: pull,
      pulls: connector.pulls,
      uploadId: upload.uploadId,
      title: connector.title,
      absent: new Set(),
      permitted,
    },
    sending: {
      platform,
      scheme: connector.push,
      resource: push,
      form,
      operation,
      files,
      patience,
      title: connector.title,
      withheld: async (items) => {
        const isCompared = items.some((item) => expectedVersionOf(inputOf(item)) !== null);
        const withheld = withheldOf((await permitted()).get(dataModel), accessFor(operation, { isCompared }));
        if (!withheld) return null;
        const { message } = new WithheldAccess(withheld, dataModel);
        return { ...unknownError(message), code: 'operation-denied' };
      },
    },
    storing: { ...common, upload, resource: pull, log, files },
    readAlong: async (written) => {
      const named = written.flatMap((item) => recordsNamed(form, inputOf(item)));
      const changes = written.length > 0 && push.changesAlong?.(named);
      const connection = { svcCompanyId, connectionId, category };
      if (changes) await engine.readChanged(engine.database, sql.scope, connection, changes);
    },
    batch: (operation === 'CREATE' && push.batch) || null,
    mayBeSeveral: isRecoverable(connector.push.idempotencyKey !== null, push),
    places: Math.max(1, Math.min(MAX_CONCURRENCY, connector.limits.concurrent - 1)),
  });
}

/** Whether the outcome of an item that a dead worker was sending can be determined, by its key or by a look-up. */
const isRecoverable = (hasKey: boolean, push: PushResource): boolean => hasKey || push.find !== undefined;
