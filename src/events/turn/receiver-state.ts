import { DISABLE_AFTER_MS, probeWait, type Random } from './schedule.js';
import type { Sent } from './send-groups.js';
import type { LeasedWebhook, RoundResults } from './webhook-state.js';

/** How a receiver stands, as stored. */
type ReceiverState = Pick<RoundResults, 'failures' | 'failingSince' | 'dueAt' | 'disabledReason'>;

/** How a receiver stands after a round: when it is tried again, and whether it is switched off. */
export function receiverState(
  webhook: Pick<LeasedWebhook, 'failures' | 'failingSince'>,
  { failure, hasDelivered }: Pick<Sent, 'failure' | 'hasDelivered'>,
  { now, random }: { readonly now: Date; readonly random: Random },
): ReceiverState {
  const failingBefore = webhook.failingSince === null ? null : new Date(webhook.failingSince);
  if (failure === null) {
    return hasDelivered
      ? { failures: 0, failingSince: null, dueAt: null, disabledReason: null }
      : { failures: webhook.failures, failingSince: failingBefore, dueAt: null, disabledReason: null };
  }
  const failures = (hasDelivered ? 0 : webhook.failures) + 1;
  const failingSince = hasDelivered ? now : (failingBefore ?? now);
  const wait = probeWait(failures, failure.retryAfterSeconds, random);
  const isFailing = now.getTime() - failingSince.getTime() >= DISABLE_AFTER_MS;
  const disabledReason = failure.verdict === 'gone' ? 'GONE' : isFailing ? 'FAILING' : null;
  return { failures, failingSince, dueAt: new Date(now.getTime() + wait), disabledReason };
}
