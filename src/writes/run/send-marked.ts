import type { WriteBatch } from '../../connectors/push.js';
import type { ItemRow } from '../item-state.js';
import { startStopwatch } from '../results/stopwatch.js';
import { type Outcome, pauseIn } from '../sending/outcome.js';
import { sendBatch } from '../sending/send-batch.js';
import { sendEach, type SentEach } from '../sending/send-each.js';
import { sendItem } from '../sending/send-item.js';
import { checkRepeat, type RepeatContext } from './check-repeat.js';

/** Results are stored after this long, however few they are: a caller may be waiting for them. */
const FLUSH_MS = 500;

/** An item with the request that is stored for it. */
export interface SendableItem extends ItemRow {
  readonly request: string;
}

/** What sending the marked items of an upload needs. */
interface MarkedContext extends RepeatContext {
  /** How several items are sent in one request; null if each is sent alone. */
  readonly batch: WriteBatch | null;
  readonly signal: AbortSignal;
}

/** Sends marked items: in one request if they are a batch that may be sent as such, else individually. */
export async function sendMarked(context: MarkedContext, items: readonly SendableItem[]): Promise<SentEach> {
  const { notes, batch, sending, places, signal } = context;
  const batchId = items[0]?.batchId ?? null;
  if (batch && batchId !== null && items.every(notes.mayBeJoined)) {
    try {
      const outcomes = await sendTogether({ ...context, batch }, items, batchId);
      if (outcomes) return { outcomes, failure: null };
    } catch (error) {
      return { outcomes: [], failure: { error } };
    }
  }
  const sinceBegun = startStopwatch();
  return sendEach(items, {
    places,
    isOver: (outcomes) => signal.aborted || sinceBegun() > FLUSH_MS || pauseIn(outcomes) !== null,
    send: (item) => sendItem(sending, item, item.request),
  });
}

/** Sends a batch; null if its items have to be settled individually. */
async function sendTogether(
  context: MarkedContext & { readonly batch: WriteBatch },
  items: readonly SendableItem[],
  batchId: string,
): Promise<readonly (Outcome | null)[] | null> {
  const isAgain = items.some(({ firstSentAt }) => firstSentAt !== null);
  const checked = isAgain ? await checkRepeat(context, items, batchId) : { all: items };
  if (!('all' in checked)) return checked.outcomes;
  const { outcomes, isRefused } = await sendBatch(context.sending, {
    id: batchId,
    how: context.batch,
    items: checked.all.map(() => ({ file: null, lateUntil: items[0]?.lateUntil ?? null })),
    requests: checked.all.map(({ request }) => request ?? ''),
    isAgain,
  });
  if (isRefused) context.notes.separateAll(items);
  const bySvcId = new Map(checked.all.map(({ svcId }, index) => [svcId, outcomes[index]]));
  return items.map(({ svcId }) => bySvcId.get(svcId) ?? null);
}
