import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { PlatformObject } from '../connectors/connector.js';
import { PlatformPause } from '../connectors/client/platform-errors.js';
import { stringifyPlatformJson } from '../connectors/values/platform-json.js';
import type { WriteBatch } from '../connectors/push.js';
import { databaseTime } from '../db/clock.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { AppError } from '../errors.js';
import { assertHeld, putOff } from '../runs/lease.js';
import { startStopwatch } from './results/stopwatch.js';
import { type VersionComparison, compareVersion } from './checks/compare-version.js';
import { failPoint } from './fail-points.js';
import { itemFileOf, removeItemFiles } from './item-files.js';
import { endItem, resultOf, type SentItem, unmark } from './results/item-results.js';
import {
  BEHIND_SECONDS,
  changeItems,
  dueItems,
  type ItemRow,
  itemsOfBatch,
  type MarkedItem,
  markSending,
  nextDue,
  noteResent,
  noteWritten,
  waitingItems,
} from './item-state.js';
import { pickBatch, pickItems, withoutHeld } from './checks/pick-items.js';
import { needsRequest, type PrepareContext, prepareRequests } from './checks/prepare-items.js';
import { batchIdOf, sendBatch, sizeOfBatch } from './sending/send-batch.js';
import { sendEach, type SentEach } from './sending/send-each.js';
import { lateInMs, type SendContext } from './sending/ask-platform.js';
import { type Outcome, unknownError } from './sending/outcome.js';
import {
  hasGoodKey,
  inputOf,
  MAX_ATTEMPTS,
  outcomeOfWithheld,
  sendItem,
  findEarlierWrite,
} from './sending/send-item.js';
import { storeResults, type StoreContext } from './results/store-results.js';
import { throughOutage } from './results/through-outage.js';
import { type ClaimedUpload, endIfDone, tellEnd } from './upload-state.js';

/** Items that are marked together; after a crash each of them costs a look-up. */
const MAX_TOGETHER = 20;
/** Results are stored after this long, however few they are: a caller may be waiting for them. */
const FLUSH_MS = 500;
/** After this time, ownership of the upload is verified before the next item is sent. */
const STALE_MS = 1000;
/**
 * A request of a worker that lost the upload may still be in flight, and a live worker may start more until its proof
 * expires: only after this time is a look-up sure to see them.
 */
const REST_MS = 2 * STALE_MS;
/** Items due this soon are waited for; for later ones the upload is postponed. */
export const PATIENCE_MS = 3000;
/** Rounds in a row that only met requests for a pause; after these the upload is postponed. */
const MAX_PAUSES = 3;
/** An upload is postponed for as long as its first item has been tried, within these. */
const MIN_REST_MS = 5000;
const MAX_REST_MS = 60_000;

/** Context for sending an upload. */
interface RunParts {
  readonly preparing: PrepareContext;
  readonly sending: Omit<SendContext, 'makeSure' | 'noteWritten' | 'noteResent'>;
  readonly storing: StoreContext;
  /** Queues the reading of records that the platform has changed along with some items. */
  readonly readAlong: (written: readonly ItemRow[]) => Promise<void>;
  /** How several items are sent in one request; null if each is sent alone. */
  readonly batch: WriteBatch | null;
  /** Whether several items may be marked together: a crash then leaves each in doubt, to be looked up. */
  readonly mayBeSeveral: boolean;
  /** Requests that run concurrently. */
  readonly places: number;
}

/** Items to send next. */
interface PickedItems {
  readonly items: readonly ItemRow[];
  /** If there are no items, as all due ones follow others about the same record: the time until which those wait. */
  readonly heldUntil: Date | null;
}

/** One upload, held by one worker. */
export class UploadRun {
  /** Since ownership of the upload was last verified. */
  private sinceHeld = startStopwatch();
  /** Items that the platform has, but that are not finished. */
  private readonly written = new Set<number>();
  /** Items that were sent by themselves after a batch. */
  private readonly resent = new Set<number>();
  /** Items of a batch that the platform refused as a whole. */
  private readonly alone = new Set<number>();
  /** Rounds in a row that met a request for a pause and ended no item. */
  private pauses = 0;
  /** Whether a retry has been logged: once per run, regardless of the number of items. */
  private isTold = false;

  constructor(
    private readonly sql: TenantSql,
    private readonly upload: ClaimedUpload,
    private readonly signal: AbortSignal,
    private readonly parts: RunParts,
  ) {}

  async execute(): Promise<void> {
    for (let isRested = false; ;) {
      if (this.signal.aborted) return this.putOff(null);
      const { items, heldUntil } = await this.pick();
      if (items.length === 0) {
        const next = heldUntil ?? (await nextDue(this.sql, this.upload));
        if (next === null) return this.end();
        const pause = next.getTime() - Date.now();
        if (pause > PATIENCE_MS) return this.putOff(next);
        await this.wait(Math.max(10, pause));
        continue;
      }
      if (!isRested && items.some(({ state }) => state === 'SENDING')) {
        await this.wait(REST_MS);
        isRested = true;
        continue;
      }
      if (await this.refuseWithheld(items)) continue;
      const resumeAt = await this.sendSome(items);
      if (resumeAt) return this.putOff(resumeAt);
    }
  }

  /**
   * Ends items that were never sent if the company withholds the write; of the others, it is asked once they are settled
   * and would be sent again. Returns whether any was.
   */
  private async refuseWithheld(items: readonly ItemRow[]): Promise<boolean> {
    const unsent = items.filter(({ firstSentAt }) => firstSentAt === null);
    const problem = unsent.length === 0 ? null : await this.parts.sending.withheld(unsent);
    if (!problem) return false;
    await this.storeOutcome(unsent, { kind: 'refused', problem });
    return true;
  }

  /** Items that are due and may be sent together: all open items of a batch, or none of a batch. */
  private async pick(): Promise<PickedItems> {
    const { preparing, batch, mayBeSeveral } = this.parts;
    const max = mayBeSeveral ? Math.max(MAX_TOGETHER, batch?.most ?? 1) : 1;
    const due = await dueItems(this.sql, this.upload, max);
    if (due.length === 0) return { items: [], heldUntil: null };
    const waiting = await waitingItems(this.sql, this.upload, due);
    const free = withoutHeld(preparing.form, due, waiting);
    const [first] = free;
    if (!first) {
      const heldMs = Math.min(...waiting.map(({ dueInMs }) => dueInMs ?? BEHIND_SECONDS * 1000));
      return { items: [], heldUntil: new Date(Date.now() + heldMs) };
    }
    if (first.batchId !== null) {
      const all = await itemsOfBatch(this.sql, this.upload, first.batchId);
      return { items: all.filter(({ isOpen }) => isOpen), heldUntil: null };
    }
    const others = free.findIndex(({ batchId }) => batchId !== null);
    const items = pickItems(preparing.form, others === -1 ? free : free.slice(0, others));
    return { items, heldUntil: null };
  }

  private async end(): Promise<void> {
    const end = await this.sql.transaction((transaction) => endIfDone(transaction, this.upload));
    tellEnd(this.parts.storing.log, this.sql, this.upload, end);
  }

  private async putOff(resumeAt: Date | null): Promise<void> {
    await this.sql.transaction((transaction) => putOff(transaction, this.upload, resumeAt));
  }

  /** Sends some items and stores their results. Returns the time until which the platform asked for no calls. */
  private async sendSome(picked: readonly ItemRow[]): Promise<Date | null> {
    const { preparing, sending, storing } = this.parts;
    let requests: Map<number, string>;
    let unprepared = picked;
    try {
      const { outcome, read } = await this.compare(picked);
      if (outcome) return await this.storeOutcome(picked, outcome);
      unprepared = picked.filter((item) => needsRequest(preparing, item));
      requests = await prepareRequests(preparing, unprepared, read);
    } catch (error) {
      return this.putOffUnprepared(unprepared, error);
    }
    const requestOf = (item: ItemRow) => requests.get(item.svcId) ?? item.request ?? '';
    const mayBeJoined = (item: ItemRow) => !this.alone.has(item.svcId);
    const joined = this.parts.batch && pickBatch(this.parts.batch, picked, { requestOf, mayBeJoined });
    const isBatch = picked[0]?.batchId != null;
    const items = joined ?? (isBatch ? picked : picked.slice(0, MAX_TOGETHER));
    const batchId = joined && batchIdOf(joined.length, randomUUID());
    const marked = items.map((item) => ({
      svcId: item.svcId,
      request: requestOf(item),
      lateInMs: lateInMs(sending, item),
      batchId: batchId ?? item.batchId,
    }));
    failPoint('before items are marked');
    const sinceAsked = startStopwatch();
    await this.sql.transaction(async (transaction) => {
      await assertHeld(transaction, this.upload);
      await markSending(transaction, this.upload, marked);
    });
    failPoint('after items are marked');
    this.sinceHeld = sinceAsked;
    const { outcomes, failure } = await this.sendMarked(items, marked);
    if (outcomes.some((outcome) => outcome?.kind === 'later')) this.tellLater();
    const results = items.map((item, index): SentItem => {
      const outcome = outcomes[index];
      if (!outcome) return { change: unmark(this.asKnown(item)), object: null };
      const sent = this.asKnown({ ...item, batchId: marked[index]?.batchId ?? null });
      return resultOf(sent, outcome, sending.resource.warned);
    });
    const written = items.filter((_item, index) => results[index]?.object !== null);
    // First, so that a crash in between repeats both; answers known to this process alone do not wait for it.
    const isQueued = await this.parts.readAlong(written).then(
      () => true,
      () => false,
    );
    // Records written before a failure must be stored nevertheless.
    await storeResults(
      storing,
      results.map((result, index) => ({ ...result, file: itemFileOf(items[index]?.file ?? null) })),
    );
    if (!isQueued) await this.readAlongAfter(written);
    if (failure) throw failure.error;
    const resumeAt = pauseIn(outcomes);
    this.pauses = resumeAt === null || results.some(({ change }) => change.ended) ? 0 : this.pauses + 1;
    if (resumeAt === null) return null;
    const pause = Math.max(resumeAt.getTime() - Date.now(), this.pauses > MAX_PAUSES ? restMs(items) : 10);
    if (pause > PATIENCE_MS) return new Date(Date.now() + pause);
    await this.wait(pause);
    return null;
  }

  /** Logs no reason: a platform's message may contain the written data. The write itself shows it. */
  private tellLater(): void {
    if (this.isTold) return;
    this.isTold = true;
    const { svcCompanyId: companyId, connectionId, integrationType, uploadId } = this.upload;
    const { organisationId } = this.sql.scope;
    this.parts.storing.log.warn(
      { organisationId, companyId, connectionId, integrationType, uploadId },
      'a platform could not take a write: it is tried again',
    );
  }

  /** Items that have ended are not settled again: this is the last time that their changes are known. */
  private async readAlongAfter(written: readonly ItemRow[]): Promise<void> {
    const { uploadId } = this.upload;
    await throughOutage(() => this.parts.readAlong(written)).catch((error: unknown) =>
      this.parts.storing.log.error(
        { err: error, uploadId },
        'records changed along with a write will not be read before the next sync',
      ),
    );
  }

  /** Ends early if the worker is to stop. */
  private async wait(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.signal }).catch(() => undefined);
  }

  /** Sends marked items: in one request if they are a batch that may be sent as such, else individually. */
  private async sendMarked(items: readonly ItemRow[], marked: readonly MarkedItem[]): Promise<SentEach> {
    const [first] = marked;
    if (first?.batchId != null && !items.some(({ svcId }) => this.alone.has(svcId))) {
      try {
        const outcomes = await this.sendTogether(items, marked, first.batchId);
        if (outcomes) return { outcomes, failure: null };
      } catch (error) {
        return { outcomes: [], failure: { error } };
      }
    }
    const sinceBegun = startStopwatch();
    return sendEach(items, {
      places: this.parts.places,
      isOver: (outcomes) => this.signal.aborted || sinceBegun() > FLUSH_MS || pauseIn(outcomes) !== null,
      send: (item, index) => sendItem(this.sending, item, marked[index]?.request ?? ''),
    });
  }

  /**
   * Sends a batch; null if its items have to be settled individually. A batch that may have been sent before is resent
   * only as a whole, under a key that is still valid, and if a search finds none of its items at the platform.
   */
  private async sendTogether(
    items: readonly ItemRow[],
    marked: readonly MarkedItem[],
    batchId: string,
  ): Promise<readonly (Outcome | null)[] | null> {
    const { batch: how, places } = this.parts;
    const { sending } = this;
    if (!how) return null;
    const requests = new Map(marked.map(({ svcId, request }) => [svcId, request]));
    let all: readonly { readonly svcId: number }[] = items;
    const isAgain = items.some(({ firstSentAt }) => firstSentAt !== null);
    if (isAgain) {
      const rows = await itemsOfBatch(this.sql, this.upload, batchId);
      const mayBeSent =
        rows.length === sizeOfBatch(batchId) &&
        items.every((item) => item.attempts < MAX_ATTEMPTS && hasGoodKey(sending.scheme, item));
      if (!mayBeSent) return null;
      if (sending.resource.find) {
        const { outcomes, failure } = await sendEach(items, {
          places,
          isOver: () => false,
          send: async (item) => (await findEarlierWrite(sending, item)) ?? ABSENT,
        });
        if (failure) throw failure.error;
        if (outcomes.some((outcome) => outcome !== ABSENT)) {
          // A search that got no answer says nothing: it is repeated, and the batch remains one.
          const isCarriedOut = outcomes.some((outcome) => outcome?.kind === 'written');
          if (isCarriedOut) for (const { svcId } of items) this.alone.add(svcId);
          return outcomes.map((outcome) => outcome && (outcome === ABSENT ? askAgain() : outcome));
        }
      }
      const problem = await sending.withheld(items);
      if (problem) return items.map((item) => outcomeOfWithheld(sending, item, problem));
      for (const { svcId, request } of rows) requests.set(svcId, request ?? '');
      all = rows;
    }
    const { outcomes, isRefused } = await sendBatch(sending, {
      id: batchId,
      how,
      items: all.map(() => ({ file: null, lateUntil: items[0]?.lateUntil ?? null })),
      requests: all.map(({ svcId }) => requests.get(svcId) ?? ''),
      isAgain,
    });
    if (isRefused) for (const { svcId } of items) this.alone.add(svcId);
    const bySvcId = new Map(all.map(({ svcId }, index) => [svcId, outcomes[index]]));
    return items.map(({ svcId }) => bySvcId.get(svcId) ?? null);
  }

  private get sending(): SendContext {
    return {
      ...this.parts.sending,
      makeSure: this.makeSure,
      noteWritten: this.noteWritten,
      noteResent: async ({ svcId }, lateInMs) => {
        await noteResent(this.sql, this.upload, { svcId, lateInMs });
        this.resent.add(svcId);
      },
    };
  }

  /** Items that expect a version go alone, so that nothing comes between the comparison and the request. */
  private async compare([item, ...others]: readonly ItemRow[]): Promise<VersionComparison> {
    if (!item || others.length > 0 || item.written !== null) return { outcome: null };
    return compareVersion(this.parts.preparing, item, inputOf(item));
  }

  private async storeOutcome(items: readonly ItemRow[], outcome: Outcome): Promise<null> {
    const results = items.map((item) => {
      const { change, ...result } = resultOf(item, outcome);
      // It was not sent for this reason.
      return { ...result, change: { ...change, attempts: item.attempts }, file: itemFileOf(item.file) };
    });
    await storeResults(this.parts.storing, results);
    return null;
  }

  /** A worker that hung may have lost the upload in the meantime: then nothing more is sent. */
  private readonly makeSure = async (): Promise<void> => {
    while (this.sinceHeld() >= STALE_MS) {
      // Started before the query: the result was true when asked, and may arrive late.
      const sinceAsked = startStopwatch();
      await assertHeld(this.sql, this.upload);
      this.sinceHeld = sinceAsked;
    }
  };

  private readonly noteWritten = async (item: ItemRow, object: PlatformObject): Promise<void> => {
    // First: if it cannot be stored, the item must still count as sent.
    this.written.add(item.svcId);
    await throughOutage(() =>
      this.sql.transaction(async (transaction) => {
        await assertHeld(transaction, this.upload);
        const written = stringifyPlatformJson(object);
        await noteWritten(transaction, this.upload, { svcId: item.svcId, written });
      }),
    );
  };

  /** The item as read, updated by what this run has sent since. */
  private asKnown(read: ItemRow): ItemRow {
    const item = this.resent.has(read.svcId) ? { ...read, batchId: null } : read;
    if (!this.written.has(item.svcId)) return item;
    return { ...item, firstSentAt: item.firstSentAt ?? databaseTime().toISOString() };
  }

  /** The platform did not answer for what is read before items are sent: it is requested again, unless it refused. */
  private async putOffUnprepared(items: readonly ItemRow[], error: unknown): Promise<Date | null> {
    if (!(error instanceof AppError) || !error.code.startsWith('platform-')) throw error;
    const { preparing, storing } = this.parts;
    const outcome: Outcome =
      error instanceof PlatformPause
        ? { kind: 'pause', resumeAt: error.resumeAt, problem: unknownError(error.message) }
        : { kind: 'later', isSent: false, problem: unknownError(error.message) };
    const isRefused = error.code === 'platform-refused';
    if (outcome.kind === 'later' && !isRefused) this.tellLater();
    const isLast = (item: ItemRow) =>
      outcome.kind === 'later' && (isRefused || item.attempts + 1 >= MAX_ATTEMPTS);
    const endOf = (item: ItemRow) => {
      if (item.firstSentAt === null) return endItem(item, 'FAILED', outcome.problem);
      const { title } = preparing;
      const words = `${title} did not answer when the record was sent, and it cannot be seen whether it has it: check it there; ${outcome.problem.words}`;
      return endItem(item, 'UNCERTAIN', { ...outcome.problem, words });
    };
    const end = await this.sql.transaction(async (transaction) => {
      await assertHeld(transaction, this.upload);
      const { table } = storing.resource.definition;
      const changes = items.map((item) => (isLast(item) ? endOf(item) : resultOf(item, outcome).change));
      await changeItems(transaction, this.upload, table, changes);
      return endIfDone(transaction, this.upload);
    });
    tellEnd(storing.log, this.sql, this.upload, end);
    const over = items.filter(isLast).map(({ file }) => itemFileOf(file));
    await removeItemFiles(storing.files, over);
    return outcome.kind === 'pause' ? outcome.resumeAt : null;
  }
}

/** Meaning of a look-up that did not find an item. */
const ABSENT: Outcome = { kind: 'unsettled', dueAt: new Date(0), problem: unknownError('it is not there') };

const askAgain = (): Outcome => ({ ...ABSENT, dueAt: new Date() });

/** A platform that keeps asking for pauses is asked less and less often. */
function restMs([first]: readonly ItemRow[]): number {
  const triedMs = databaseTime().getTime() - Date.parse(first?.startedAt ?? databaseTime().toISOString());
  return Math.min(MAX_REST_MS, Math.max(MIN_REST_MS, triedMs));
}

/** The time until which the platform asked for no calls, from some results; null if it did not. */
function pauseIn(outcomes: readonly (Outcome | null)[]): Date | null {
  const until = outcomes.flatMap((one) => (one?.kind === 'pause' ? [one.resumeAt.getTime()] : []));
  return until.length === 0 ? null : new Date(Math.max(...until));
}
