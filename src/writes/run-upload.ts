import { setTimeout as wait } from 'node:timers/promises';

import { databaseTime } from '../db/clock.js';
import type { PlatformObject } from '../connectors/connector.js';
import { PlatformPause } from '../connectors/platform-errors.js';
import { expectedVersionOf, formOf, type PushResource } from '../connectors/push.js';
import { parsePlatformJson, stringifyPlatformJson } from '../connectors/platform-json.js';
import { objectOf } from '../connectors/platform-values.js';
import { isOutage } from '../db/database-error.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { AppError, toAppError, type WriteProblem } from '../errors.js';
import type { WriteJobPayload } from '../jobs/add-job.js';
import type { TaskContext } from '../jobs/worker.js';
import { organisationScope } from '../db/scope.js';
import { openConnection } from '../platforms/open-connection.js';
import { hold, LeaseLost, putOff } from '../runs/lease.js';
import type { ItemState } from '../runs/states.js';
import type { WriteEngine } from './engine.js';
import { failPoint } from './fail-points.js';
import { itemFileOf, removeItemFiles } from './item-files.js';
import {
  changeItems,
  dueItems,
  type ItemChange,
  type ItemRow,
  markSending,
  nextDue,
  noteResent,
  noteWritten,
} from './item-state.js';
import { type Preparing, prepareRequests } from './prepare-items.js';
import { compareVersion } from './compare-version.js';
import { lateInMs, MOST_ATTEMPTS, type Outcome, sendItem, type Sending, unknownError } from './send-item.js';
import { type ItemResult, storeResults, type Storing } from './store-results.js';
import { type ClaimedUpload, claimUpload, endIfDone, tellEnd } from './upload-state.js';

/** Items that are marked together; after a crash each of them costs a look-up. */
const MOST_TOGETHER = 20;
/** Results are stored after this long, however few they are: somebody may be waiting for them. */
const FLUSH_MS = 500;
/** From then on it is made sure, before the next item is sent, that the upload is still ours. */
const STALE_MS = 1000;
/**
 * What a worker was sending when another one took over may still be on its way, and one that lives may begin more until
 * its proof is stale: only after so long a look-up is sure to see it.
 */
const REST_MS = 2 * STALE_MS;
/** What is due this soon is waited for; for what is due later the upload is put off. */
const PATIENCE_MS = 3000;
/** Before the second attempt, the third and so on. */
const BACKOFF_SECONDS = [1, 2, 4, 8, 15, 30, 60];

/**
 * Sends the items of an upload, as far as it can go now: the job of task `write`. What goes wrong shows in the items;
 * only a database that is away is thrown, so that the job runs again.
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
    const run = await openRun(engine, sql, upload, signal);
    await run.execute();
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

/** Nothing more can be sent: what was never sent has failed, of the rest it is not known. */
async function failOpenItems(
  { files, log }: WriteEngine,
  sql: TenantSql,
  upload: ClaimedUpload,
  problem: WriteProblem,
): Promise<void> {
  const { failed, end } = await sql.transaction(async (transaction) => {
    await hold(transaction, upload);
    const query = transaction.query();
    const rows = await transaction.rows<Pick<ItemRow, 'file'>>(
      query,
      `UPDATE upload_items t SET state = CASE WHEN t.first_sent_at IS NULL THEN '${NOT_SENT}' ELSE '${UNKNOWN}' END,
         ended_at = now(), svc_updated_at = now(), error_code = ${query.bind(problem.code)},
         error_message = ${query.bind(problem.words)}, error_path = NULL
       WHERE ${query.within('t')} AND t.svc_company_id = ${query.bind(upload.svcCompanyId)}
         AND t.upload_svc_id = ${query.bind(upload.svcId)} AND t.ended_at IS NULL
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

async function openRun(
  engine: WriteEngine,
  sql: TenantSql,
  upload: ClaimedUpload,
  signal: AbortSignal,
): Promise<UploadRun> {
  const { svcCompanyId, connectionId, integrationType, dataModel, operation } = upload;
  const { connector, platform, baseCurrency } = await openConnection(engine, sql, upload, {
    use: 'write',
    patienceMs: PATIENCE_MS,
    workerId: upload.workerId,
  });
  const push = connector.push?.resources.find((one) => one.definition.dataModel === dataModel);
  const pull = connector.pulls.find((one) => one.definition.dataModel === dataModel);
  const form = formOf(push, operation);
  if (!connector.push || !push || !pull || !form) {
    throw new AppError('conflict', `${connector.title} cannot write ${dataModel}`);
  }
  const target = { svcCompanyId, connectionId, integrationType };
  const { log, files, patience } = engine;
  const common = { sql, target, baseCurrency };
  return new UploadRun(sql, upload, signal, {
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
    },
    storing: { ...common, upload, resource: pull, log, files },
    together: isSettled(connector.push.idempotencyKey !== null, push) ? MOST_TOGETHER : 1,
  });
}

/** Whether what a dead worker was about to send can be settled without a person. */
const isSettled = (hasKey: boolean, push: PushResource): boolean => hasKey || push.find !== undefined;

interface RunParts {
  readonly preparing: Preparing;
  readonly sending: Omit<Sending, 'makeSure' | 'noteWritten' | 'noteResent'>;
  readonly storing: Storing;
  /** Items that are marked together. */
  readonly together: number;
}

/** One upload, held by one worker. */
class UploadRun {
  private heldAt = Date.now();
  /** Items that the platform has, and that are not through. */
  private readonly written = new Set<number>();

  constructor(
    private readonly sql: TenantSql,
    private readonly upload: ClaimedUpload,
    private readonly signal: AbortSignal,
    private readonly parts: RunParts,
  ) {}

  async execute(): Promise<void> {
    for (let isRested = false; ;) {
      if (this.signal.aborted) return this.putOff(null);
      const due = await dueItems(this.sql, this.upload, this.parts.together);
      const items = this.upload.operation === 'UPDATE' ? together(due) : due;
      if (items.length === 0) {
        const next = await nextDue(this.sql, this.upload);
        if (next === null) return this.end();
        const pause = next.getTime() - Date.now();
        if (pause > PATIENCE_MS) return this.putOff(next);
        await wait(Math.max(10, pause), undefined, { signal: this.signal }).catch(() => undefined);
        continue;
      }
      if (!isRested && items.some(({ state }) => state === 'SENDING')) {
        await wait(REST_MS, undefined, { signal: this.signal }).catch(() => undefined);
        isRested = true;
        continue;
      }
      const resumeAt = await this.sendSome(items);
      if (resumeAt) return this.putOff(resumeAt);
    }
  }

  private async end(): Promise<void> {
    const end = await this.sql.transaction((transaction) => endIfDone(transaction, this.upload));
    tellEnd(this.parts.storing.log, this.sql, this.upload, end);
  }

  private async putOff(resumeAt: Date | null): Promise<void> {
    await this.sql.transaction((transaction) => putOff(transaction, this.upload, resumeAt));
  }

  /** Sends some items and stores what came of them; answers until when the platform wants no more. */
  private async sendSome(items: readonly ItemRow[]): Promise<Date | null> {
    const { preparing, sending, storing } = this.parts;
    let requests: Map<number, string>;
    try {
      const outcome = await this.compare(items);
      if (outcome) return await this.settle(items, outcome);
      requests = await prepareRequests(preparing, items);
    } catch (error) {
      return this.putOffUnprepared(items, error);
    }
    const marked = items.map((item) => ({
      svcId: item.svcId,
      request: requests.get(item.svcId) ?? item.request ?? '',
      lateInMs: lateInMs(sending, item),
    }));
    failPoint('before items are marked');
    const asked = Date.now();
    await this.sql.transaction(async (transaction) => {
      await hold(transaction, this.upload);
      await markSending(transaction, this.upload, marked);
    });
    failPoint('after items are marked');
    this.heldAt = asked;
    const began = Date.now();
    const results: SentItem[] = [];
    let resumeAt: Date | null = null;
    let failure: { readonly error: unknown } | null = null;
    for (const [index, item] of items.entries()) {
      const isLater = resumeAt !== null || this.signal.aborted || Date.now() - began > FLUSH_MS;
      if (failure || (isLater && index > 0)) {
        results.push({ change: unmarked(item), object: null });
        continue;
      }
      try {
        const outcome = await sendItem(
          {
            ...sending,
            makeSure: this.makeSure,
            noteWritten: this.noteWritten,
            noteResent: ({ svcId }, lateInMs) => noteResent(this.sql, this.upload, { svcId, lateInMs }),
          },
          item,
          marked[index]?.request ?? '',
        );
        if (outcome.kind === 'pause') resumeAt = outcome.resumeAt;
        results.push(resultOf(this.asKnown(item), outcome));
      } catch (error) {
        // What was written before it must be stored all the same.
        failure = { error };
        results.push({ change: unmarked(this.asKnown(item)), object: null });
      }
    }
    await storeResults(
      storing,
      results.map((result, index) => ({ ...result, file: itemFileOf(items[index]?.file ?? null) })),
    );
    if (failure) throw failure.error;
    if (resumeAt === null || resumeAt.getTime() - Date.now() > PATIENCE_MS) return resumeAt;
    await wait(Math.max(10, resumeAt.getTime() - Date.now()), undefined, { signal: this.signal }).catch(
      () => undefined,
    );
    return null;
  }

  /** Items that expect a version go alone, so that nothing comes between the comparison and the request. */
  private async compare([item, ...others]: readonly ItemRow[]): Promise<Outcome | null> {
    const given = item && others.length === 0 ? inputOf(item) : null;
    if (item?.written != null) return null;
    return item && given ? compareVersion(this.parts.preparing, item, given) : null;
  }

  private async settle(items: readonly ItemRow[], outcome: Outcome): Promise<null> {
    const results = items.map((item) => ({ ...resultOf(item, outcome), file: itemFileOf(item.file) }));
    await storeResults(
      this.parts.storing,
      // It was not sent for it.
      results.map((result, index) => ({
        ...result,
        change: { ...result.change, attempts: items[index]?.attempts ?? 0 },
      })),
    );
    return null;
  }

  /** A worker that stood still may have lost the upload meanwhile: then nothing more is sent. */
  private readonly makeSure = async (): Promise<void> => {
    while (Date.now() - this.heldAt >= STALE_MS) {
      // What is true was so when it was asked; the answer may have waited.
      const asked = Date.now();
      await hold(this.sql, this.upload);
      this.heldAt = asked;
    }
  };

  private readonly noteWritten = async (item: ItemRow, object: PlatformObject): Promise<void> => {
    await this.sql.transaction(async (transaction) => {
      await hold(transaction, this.upload);
      const written = stringifyPlatformJson(object);
      await noteWritten(transaction, this.upload, { svcId: item.svcId, written });
    });
    this.written.add(item.svcId);
  };

  /** The item as it was read, but for that the platform has it since. */
  private asKnown(item: ItemRow): ItemRow {
    if (!this.written.has(item.svcId)) return item;
    return { ...item, firstSentAt: item.firstSentAt ?? databaseTime().toISOString() };
  }

  /** The platform did not say what it knows of the records that are named: nothing was sent, it is asked again. */
  private async putOffUnprepared(items: readonly ItemRow[], error: unknown): Promise<Date | null> {
    if (!(error instanceof AppError) || !error.code.startsWith('platform-')) throw error;
    const outcome: Outcome =
      error instanceof PlatformPause
        ? { kind: 'pause', resumeAt: error.resumeAt, problem: unknownError(error.message) }
        : { kind: 'later', isSent: false, problem: unknownError(error.message) };
    const isLast = (item: ItemRow) => item.attempts + 1 >= MOST_ATTEMPTS && outcome.kind === 'later';
    const end = await this.sql.transaction(async (transaction) => {
      await hold(transaction, this.upload);
      const { table } = this.parts.storing.resource.definition;
      const changes = items.map((item) =>
        isLast(item) ? ended(item, 'FAILED', outcome.problem) : resultOf(item, outcome).change,
      );
      await changeItems(transaction, this.upload, table, changes);
      return endIfDone(transaction, this.upload);
    });
    tellEnd(this.parts.storing.log, this.sql, this.upload, end);
    const over = items.filter(isLast).map(({ file }) => itemFileOf(file));
    await removeItemFiles(this.parts.storing.files, over);
    return outcome.kind === 'pause' ? outcome.resumeAt : null;
  }
}

const inputOf = ({ input }: ItemRow) => objectOf(parsePlatformJson(input.text).value) ?? {};

/** Due items that are sent together: an item that expects a version by itself. */
function together(due: readonly ItemRow[]): readonly ItemRow[] {
  const place = due.findIndex((item) => expectedVersionOf(inputOf(item)) !== null);
  return place === -1 ? due : due.slice(0, Math.max(1, place));
}

type SentItem = Omit<ItemResult, 'file'>;

function resultOf(item: ItemRow, outcome: Outcome): SentItem {
  switch (outcome.kind) {
    case 'written': {
      const { object, isResent } = outcome;
      return { change: ended(item, 'SUCCESS', null), object, ...(isResent && { isResent }) };
    }
    case 'refused':
      return { change: ended(item, 'FAILED', outcome.problem), object: outcome.object ?? null };
    case 'unknowable':
      return { change: ended(item, 'UNCERTAIN', outcome.problem), object: outcome.object ?? null };
    case 'pause':
      return {
        change: { ...unmarked(item), dueAt: outcome.resumeAt, problem: outcome.problem },
        object: null,
      };
    case 'unsettled':
      return {
        change: { ...unmarked(item), dueAt: outcome.dueAt, problem: outcome.problem },
        object: null,
      };
    case 'later': {
      const isSent = outcome.isSent || item.firstSentAt !== null;
      const change: ItemChange = {
        ...unmarked(item),
        state: isSent ? 'UNCERTAIN' : 'PENDING',
        firstSentAt: isSent ? (item.firstSentAt ?? databaseTime().toISOString()) : null,
        lateUntil: outcome.lateUntil ?? null,
        attempts: item.attempts + 1,
        dueAt: new Date(Date.now() + backoffMs(item.attempts)),
        problem: outcome.problem,
      };
      return { change, object: null };
    }
    default:
      return outcome satisfies never;
  }
}

function ended(
  item: ItemRow,
  state: 'SUCCESS' | 'FAILED' | 'UNCERTAIN',
  problem: WriteProblem | null,
): ItemChange {
  const firstSentAt = item.firstSentAt ?? databaseTime().toISOString();
  return { ...unmarked(item), state, ended: true, attempts: item.attempts + 1, firstSentAt, problem };
}

/** As it was before it was marked. */
function unmarked({ svcId, state, attempts, firstSentAt, lateUntil }: ItemRow): ItemChange {
  return {
    svcId,
    state: firstSentAt === null ? 'PENDING' : state === 'PENDING' ? 'UNCERTAIN' : state,
    ended: false,
    dueAt: null,
    firstSentAt,
    lateUntil,
    attempts,
    platformId: null,
    warnings: [],
    problem: null,
  };
}

function backoffMs(attempts: number): number {
  const seconds = BACKOFF_SECONDS[Math.min(attempts, BACKOFF_SECONDS.length - 1)] ?? 60;
  return seconds * 1000 * (1 + Math.random() / 5);
}
