import type { WriteForm } from '../../connectors/push.js';
import { pickItems, withoutHeld } from '../checks/pick-items.js';
import {
  BEHIND_SECONDS,
  dueItems,
  type ItemRow,
  itemsOfBatch,
  nextDue,
  waitingItems,
} from '../item-state.js';
import type { HeldUpload } from './held-upload.js';

/** Items to send next. */
interface NextItems {
  readonly items: readonly ItemRow[];
  /** If there are no items, the time from which there are some; null if all have ended. */
  readonly dueAt: Date | null;
}

/** Items that are due and may be sent together, at most `most`: all open items of a batch, or none of a batch. */
export async function pickNext(
  { sql, upload }: HeldUpload,
  { form, most }: { readonly form: Pick<WriteForm, 'input' | 'names'>; readonly most: number },
): Promise<NextItems> {
  const due = await dueItems(sql, upload, most);
  if (due.length === 0) return { items: [], dueAt: await nextDue(sql, upload) };
  const waiting = await waitingItems(sql, upload, due);
  const free = withoutHeld(form, due, waiting);
  const [first] = free;
  if (!first) {
    // All due ones follow others about the same record.
    const heldMs = Math.min(...waiting.map(({ dueInMs }) => dueInMs ?? BEHIND_SECONDS * 1000));
    return { items: [], dueAt: new Date(Date.now() + heldMs) };
  }
  if (first.batchId !== null) {
    const all = await itemsOfBatch(sql, upload, first.batchId);
    return { items: all.filter(({ isOpen }) => isOpen), dueAt: null };
  }
  const others = free.findIndex(({ batchId }) => batchId !== null);
  return { items: pickItems(form, others === -1 ? free : free.slice(0, others)), dueAt: null };
}
