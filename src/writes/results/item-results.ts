import type { PushResource } from '../../connectors/push.js';
import { databaseTime } from '../../db/clock.js';
import type { WriteProblem } from '../../errors.js';
import type { ItemChange, ItemRow } from '../item-state.js';
import type { Outcome } from '../sending/outcome.js';
import type { ItemResult } from './store-results.js';

/** Before the second attempt, the third and so on. */
const BACKOFF_SECONDS = [1, 2, 4, 8, 15, 30, 60];

export type SentItem = Omit<ItemResult, 'file'>;

/** The result of an attempt for an item. `warned` finds the platform's warnings about what it wrote. */
export function resultOf(item: ItemRow, outcome: Outcome, warned?: PushResource['warned']): SentItem {
  switch (outcome.kind) {
    case 'written': {
      const { object, isResent } = outcome;
      const change = { ...endItem(item, 'SUCCESS', null), warnings: warned?.(object) ?? [] };
      return { change, object, ...(isResent && { isResent }) };
    }
    case 'refused':
      return { change: endItem(item, 'FAILED', outcome.problem), object: outcome.object ?? null };
    case 'unknowable':
      return { change: endItem(item, 'UNCERTAIN', outcome.problem), object: outcome.object ?? null };
    case 'pause':
      return {
        change: { ...unmark(item), dueAt: outcome.resumeAt, problem: outcome.problem },
        object: null,
      };
    case 'unsettled':
      return {
        change: { ...unmark(item), dueAt: outcome.dueAt, problem: outcome.problem },
        object: null,
      };
    case 'later': {
      const isSent = outcome.isSent || item.firstSentAt !== null;
      const change: ItemChange = {
        ...unmark(item),
        state: isSent ? 'UNCERTAIN' : 'PENDING',
        firstSentAt: isSent ? (item.firstSentAt ?? databaseTime().toISOString()) : null,
        lateUntil: outcome.lateUntil ?? null,
        batchId: isSent ? item.batchId : null,
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

/** The change that ends an item. */
export function endItem(
  item: ItemRow,
  state: 'SUCCESS' | 'FAILED' | 'UNCERTAIN',
  problem: WriteProblem | null,
): ItemChange {
  const firstSentAt = item.firstSentAt ?? databaseTime().toISOString();
  const { batchId } = item;
  return {
    ...unmark(item),
    state,
    ended: true,
    attempts: item.attempts + 1,
    firstSentAt,
    batchId,
    problem,
  };
}

/** Resets an item to its state before it was marked. */
export function unmark({ svcId, state, attempts, firstSentAt, lateUntil, batchId }: ItemRow): ItemChange {
  return {
    svcId,
    state: firstSentAt === null ? 'PENDING' : state === 'PENDING' ? 'UNCERTAIN' : state,
    ended: false,
    dueAt: null,
    firstSentAt,
    lateUntil,
    batchId: firstSentAt === null ? null : batchId,
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
