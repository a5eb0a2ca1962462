import { type ItemRow, itemsOfBatch } from '../item-state.js';
import type { SendContext } from '../sending/ask-platform.js';
import { type Outcome, unknownError } from '../sending/outcome.js';
import { sizeOfBatch } from '../sending/send-batch.js';
import { sendEach } from '../sending/send-each.js';
import { findEarlierWrite, hasGoodKey, MAX_ATTEMPTS, outcomeOfWithheld } from '../sending/send-item.js';
import type { HeldUpload } from './held-upload.js';
import type { RunNotes } from './run-notes.js';

/** What a look at the items of a batch needs. */
export interface RepeatContext {
  readonly held: HeldUpload;
  readonly notes: RunNotes;
  readonly sending: SendContext;
  /** Requests that run concurrently. */
  readonly places: number;
}

/** All items of a batch that may be resent; or the outcomes of its open items, null if each is to be settled alone. */
type CheckedRepeat =
  { readonly all: readonly ItemRow[] } | { readonly outcomes: readonly (Outcome | null)[] | null };

/** Meaning of a look-up that did not find an item. */
const ABSENT: Outcome = { kind: 'unsettled', dueAt: new Date(0), problem: unknownError('it is not there') };

const askAgain = (): Outcome => ({ ...ABSENT, dueAt: new Date() });

/**
 * Whether a batch that may have been sent before may be resent: only as a whole, under a key that is still valid, and if
 * a search finds none of its items at the platform.
 */
export async function checkRepeat(
  { held, notes, sending, places }: RepeatContext,
  items: readonly ItemRow[],
  batchId: string,
): Promise<CheckedRepeat> {
  const all = await itemsOfBatch(held.sql, held.upload, batchId);
  const mayBeSent =
    all.length === sizeOfBatch(batchId) &&
    items.every((item) => item.attempts < MAX_ATTEMPTS && hasGoodKey(sending.scheme, item));
  if (!mayBeSent) return { outcomes: null };
  if (sending.resource.find) {
    const { outcomes, failure } = await sendEach(items, {
      places,
      isOver: () => false,
      send: async (item) => (await findEarlierWrite(sending, item)) ?? ABSENT,
    });
    if (failure) throw failure.error;
    if (outcomes.some((outcome) => outcome !== ABSENT)) {
      // A search that got no answer says nothing: it is repeated, and the batch remains one.
      if (outcomes.some((outcome) => outcome?.kind === 'written')) notes.separateAll(items);
      return { outcomes: outcomes.map((outcome) => (outcome === ABSENT ? askAgain() : outcome)) };
    }
  }
  const problem = await sending.withheld(items);
  if (problem) return { outcomes: items.map((item) => outcomeOfWithheld(sending, item, problem)) };
  return { all };
}
