import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { WriteBatch } from '../../connectors/push.js';
import { databaseTime } from '../../db/clock.js';
import { compareVersion } from '../checks/compare-version.js';
import { pickBatch } from '../checks/pick-items.js';
import { needsRequest, type PrepareContext, prepareRequests } from '../checks/prepare-items.js';
import { failPoint } from '../fail-points.js';
import { itemFileOf } from '../item-files.js';
import { type ItemRow, markSending } from '../item-state.js';
import { resultOf, type SentItem, unmark } from '../results/item-results.js';
import { storeResults, type StoreContext } from '../results/store-results.js';
import { throughOutage } from '../results/through-outage.js';
import { lateInMs, type SendContext } from '../sending/ask-platform.js';
import { type Outcome, pauseIn } from '../sending/outcome.js';
import { batchIdOf } from '../sending/send-batch.js';
import { inputOf } from '../sending/send-item.js';
import { type HeldUpload, REST_MS } from './held-upload.js';
import { pickNext } from './pick-next.js';
import { putOffUnprepared } from './put-off-unprepared.js';
import { RunNotes } from './run-notes.js';
import { type SendableItem, sendMarked } from './send-marked.js';

/** Items that are marked together; after a crash each of them costs a look-up. */
const MAX_TOGETHER = 20;
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

/** The requests of some items by `svcId`; or none, as the items have been put off or ended. */
type Prepared =
  | { readonly requests: ReadonlyMap<number, string> }
  /** The time until which the platform asked for no calls; null if it did not. */
  | { readonly requests: null; readonly resumeAt: Date | null };

/** One upload, held by one worker. */
export class UploadRun {
  private readonly notes: RunNotes;
  /** Rounds in a row that met a request for a pause and ended no item. */
  private pauses = 0;
  /** Whether a retry has been logged: once per run, regardless of the number of items. */
  private isTold = false;

  constructor(
    private readonly held: HeldUpload,
    private readonly signal: AbortSignal,
    private readonly parts: RunParts,
  ) {
    this.notes = new RunNotes(held);
  }

  /** Sends the items as far as possible now, then ends the upload or puts it off. */
  async execute(): Promise<void> {
    const { preparing, batch, mayBeSeveral, storing } = this.parts;
    const most = mayBeSeveral ? Math.max(MAX_TOGETHER, batch?.most ?? 1) : 1;
    for (let isRested = false; ;) {
      if (this.signal.aborted) return this.held.putOff(null);
      const { items, dueAt } = await pickNext(this.held, { form: preparing.form, most });
      if (items.length === 0) {
        if (dueAt === null) return this.held.end(storing.log);
        const pause = dueAt.getTime() - Date.now();
        if (pause > PATIENCE_MS) return this.held.putOff(dueAt);
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
      if (resumeAt) return this.held.putOff(resumeAt);
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
    await this.endUnsent(unsent, { kind: 'refused', problem });
    return true;
  }

  /** Sends some items and stores their results. Returns the time until which the platform asked for no calls. */
  private async sendSome(picked: readonly ItemRow[]): Promise<Date | null> {
    const prepared = await this.prepare(picked);
    if (!prepared.requests) return prepared.resumeAt;
    const items = this.join(picked, prepared.requests);
    await this.mark(items);
    const { batch, places } = this.parts;
    const { held, notes, signal, sending } = this;
    const { outcomes, failure } = await sendMarked({ held, notes, signal, sending, batch, places }, items);
    if (outcomes.some((outcome) => outcome?.kind === 'later')) this.tellLater();
    // Records written before a failure must be stored nevertheless.
    const hasEnded = await this.keep(items, outcomes);
    if (failure) throw failure.error;
    return this.pause(items, { until: pauseIn(outcomes), hasEnded });
  }

  /** Makes the requests of items that have none, with what must be read for them. */
  private async prepare(picked: readonly ItemRow[]): Promise<Prepared> {
    const { preparing, storing } = this.parts;
    let unprepared = picked;
    try {
      const { outcome, read } = await this.compare(picked);
      if (outcome) {
        await this.endUnsent(picked, outcome);
        return { requests: null, resumeAt: null };
      }
      unprepared = picked.filter((item) => needsRequest(preparing, item));
      return { requests: await prepareRequests(preparing, unprepared, read) };
    } catch (error) {
      const { title } = preparing;
      const outcome = await putOffUnprepared(this.held, unprepared, { error, storing, title });
      if (outcome.kind === 'later') this.tellLater();
      return { requests: null, resumeAt: outcome.kind === 'pause' ? outcome.resumeAt : null };
    }
  }

  /** Items that expect a version go alone, so that nothing comes between the comparison and the request. */
  private async compare([item, ...others]: readonly ItemRow[]) {
    if (!item || others.length > 0 || item.written !== null) return { outcome: null };
    return compareVersion(this.parts.preparing, item, inputOf(item));
  }

  /** The items that are sent now, with their requests: as a batch if there is one. */
  private join(picked: readonly ItemRow[], requests: ReadonlyMap<number, string>): readonly SendableItem[] {
    const ready = picked.map((item) => ({
      ...item,
      request: requests.get(item.svcId) ?? item.request ?? '',
    }));
    const { batch } = this.parts;
    const joined = batch && pickBatch(batch, ready, this.notes.mayBeJoined);
    if (joined) {
      const batchId = batchIdOf(joined.length, randomUUID());
      return joined.map((item) => ({ ...item, batchId }));
    }
    return ready[0]?.batchId == null ? ready.slice(0, MAX_TOGETHER) : ready;
  }

  private async mark(items: readonly SendableItem[]): Promise<void> {
    const { sending } = this.parts;
    const marked = items.map((item) => {
      const { svcId, request, batchId } = item;
      return { svcId, request, batchId, lateInMs: lateInMs(sending, item) };
    });
    failPoint('before items are marked');
    await this.held.transaction((transaction) => markSending(transaction, this.held.upload, marked));
    failPoint('after items are marked');
  }

  /** Stores the results of items; of those that were not started, that they were not. Returns whether any has ended. */
  private async keep(
    items: readonly SendableItem[],
    outcomes: readonly (Outcome | null)[],
  ): Promise<boolean> {
    const { sending, storing, readAlong } = this.parts;
    const results = items.map((item, index): SentItem => {
      const known = this.notes.asKnown(item);
      const outcome = outcomes[index];
      return outcome
        ? resultOf(known, outcome, sending.resource.warned)
        : { change: unmark(known), object: null };
    });
    const written = items.filter((_item, index) => results[index]?.object !== null);
    // First, so that a crash in between repeats both; answers known to this process alone do not wait for it.
    const isQueued = await readAlong(written).then(
      () => true,
      () => false,
    );
    await storeResults(
      storing,
      results.map((result, index) => ({ ...result, file: itemFileOf(items[index]?.file ?? null) })),
    );
    if (!isQueued) await this.readAlongAfter(written);
    return results.some(({ change }) => change.ended);
  }

  /** Items that have ended are not settled again: this is the last time that their changes are known. */
  private async readAlongAfter(written: readonly ItemRow[]): Promise<void> {
    const { uploadId } = this.held.upload;
    await throughOutage(() => this.parts.readAlong(written)).catch((error: unknown) =>
      this.parts.storing.log.error(
        { err: error, uploadId },
        'records changed along with a write will not be read before the next sync',
      ),
    );
  }

  /** Waits for as long as the platform asked for, if that is soon over; else returns the time. */
  private async pause(
    items: readonly ItemRow[],
    { until, hasEnded }: { readonly until: Date | null; readonly hasEnded: boolean },
  ): Promise<Date | null> {
    this.pauses = until === null || hasEnded ? 0 : this.pauses + 1;
    if (until === null) return null;
    const pause = Math.max(until.getTime() - Date.now(), this.pauses > MAX_PAUSES ? restMs(items) : 10);
    if (pause > PATIENCE_MS) return new Date(Date.now() + pause);
    await this.wait(pause);
    return null;
  }

  /** Logs no reason: a platform's message may contain the written data. The write itself shows it. */
  private tellLater(): void {
    if (this.isTold) return;
    this.isTold = true;
    const { svcCompanyId: companyId, connectionId, integrationType, uploadId } = this.held.upload;
    const { organisationId } = this.held.sql.scope;
    this.parts.storing.log.warn(
      { organisationId, companyId, connectionId, integrationType, uploadId },
      'a platform could not take a write: it is tried again',
    );
  }

  /** Ends early if the worker is to stop. */
  private async wait(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.signal }).catch(() => undefined);
  }

  private get sending(): SendContext {
    const { noteWritten, noteResent } = this.notes;
    return { ...this.parts.sending, makeSure: this.held.makeSure, noteWritten, noteResent };
  }

  /** Stores an outcome of items that were not sent for it. */
  private async endUnsent(items: readonly ItemRow[], outcome: Outcome): Promise<void> {
    const results = items.map((item) => {
      const { change, ...result } = resultOf(item, outcome);
      return { ...result, change: { ...change, attempts: item.attempts }, file: itemFileOf(item.file) };
    });
    await storeResults(this.parts.storing, results);
  }
}

/** A platform that keeps asking for pauses is asked less and less often. */
function restMs([first]: readonly ItemRow[]): number {
  const triedMs = databaseTime().getTime() - Date.parse(first?.startedAt ?? databaseTime().toISOString());
  return Math.min(MAX_REST_MS, Math.max(MIN_REST_MS, triedMs));
}
