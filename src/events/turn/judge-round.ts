import type { EventSource, WebhookEvent } from '../event.js';
import { receiverState } from './receiver-state.js';
import { PATIENCE_MS, type Random, stepWait } from './schedule.js';
import type { Sent } from './send-groups.js';
import type { Delivery, DeliveryState, LeasedWebhook, RoundResults, WebhookHold } from './webhook-state.js';

/** A part of a log that is to be sent. */
export interface Stretch {
  readonly events: readonly WebhookEvent[];
  /** How far it was read. */
  readonly end: number;
}

/** A record that waits, and the event that it waits for; null where the log has lost it. */
export interface Due {
  readonly hold: WebhookHold;
  readonly event: WebhookEvent | null;
}

/** What a round read. */
export interface PendingEvents {
  readonly live: Stretch;
  /** What a caller requested to be sent again; null if there are live events, or nothing was requested. */
  readonly replay: Stretch | null;
  /** Records that wait, by their keys: the first position of each. */
  readonly held: ReadonlyMap<number, number>;
  readonly dues: readonly Due[];
  /** Of `live` and `replay`, those that wait for nothing. */
  readonly free: readonly WebhookEvent[];
  /** First attempts of earlier rounds, by event id. */
  readonly tried: ReadonlyMap<string, { readonly firstAttemptAt: string }>;
  /** Whether an earlier round has delivered it, or given it up. */
  readonly isOver: (event: WebhookEvent) => boolean;
}

/** What the judgement of a round rests on. */
interface RoundBasis {
  readonly webhook: LeasedWebhook;
  readonly now: Date;
  readonly random: Random;
  readonly next: EventSource['next'];
}

/** What a round's attempts mean: the states of its events, how far the log is done, and which records wait. */
export async function judgeRound(
  pending: PendingEvents,
  sent: Sent,
  basis: RoundBasis,
): Promise<RoundResults> {
  const { live, replay, held, dues, isOver } = pending;
  const { webhook, now, random } = basis;
  const { judge, deliveries, holds } = judgement(pending, sent, basis);
  const asDue = new Set(dues.flatMap(({ event }) => event?.id ?? []));
  /** The same for an event that was read, unless it was sent because it is due. */
  const judgeRead = (event: WebhookEvent, mayHold: boolean): DeliveryState | null =>
    asDue.has(event.id) ? null : judge(event, { attemptsBefore: 0, mayHold });

  const done = new Set<string>();
  for (const event of replay ? [] : live.events) {
    const state = judgeRead(event, true);
    if (isOver(event) || (state !== null && state !== 'FAILED')) done.add(event.id);
  }
  const position = endOf(
    live,
    webhook.position,
    ({ id, key }) => done.has(id) || held.has(key) || holds.has(key),
  );
  const released: number[] = [];
  for (const { hold, event } of dues) {
    const { attempts } = hold;
    const state =
      event && !isOver(event) ? judge(event, { attemptsBefore: attempts, mayHold: true }) : 'GIVEN_UP';
    if (state === null || state === 'FAILED') continue;
    const next = await basis.next(hold, hold.position, position);
    if (next === null) released.push(hold.key);
    else holds.set(hold.key, { ...hold, position: next, attempts: 0, dueAt: now.toISOString() });
  }
  for (const event of replay?.events ?? []) judgeRead(event, false);
  return {
    position,
    replay: replay && nextReplay(webhook, replay, { held, sent }),
    ...receiverState(webhook, sent, { now, random }),
    deliveries,
    holds: [...holds.values()],
    released,
  };
}

/** Judges single events, and collects the deliveries and the records that wait from now on. */
function judgement({ tried }: PendingEvents, sent: Sent, { now, random }: RoundBasis) {
  const deliveries: Delivery[] = [];
  const holds = new Map<number, WebhookHold>();
  /** The state of an event after an attempt; a refusal of this event alone makes its record wait. */
  const judge = (
    event: WebhookEvent,
    { attemptsBefore, mayHold }: { readonly attemptsBefore: number; readonly mayHold: boolean },
  ): DeliveryState | null => {
    const attempt = sent.attempts.get(event.id);
    if (!attempt) return null;
    const isRefused = sent.refused.has(event.id);
    const wait = isRefused && mayHold ? stepWait(attemptsBefore + 1, random) : null;
    const since = tried.get(event.id)?.firstAttemptAt;
    const isTooOld = since !== undefined && now.getTime() - Date.parse(since) >= PATIENCE_MS;
    const isGivenUp = mayHold && (isRefused ? wait === null : isTooOld);
    const state = attempt.verdict === 'delivered' ? 'DELIVERED' : isGivenUp ? 'GIVEN_UP' : 'FAILED';
    deliveries.push({ event, attempt, state });
    if (wait !== null) {
      const { key, companyId, position } = event;
      const dueAt = new Date(now.getTime() + wait).toISOString();
      holds.set(key, { key, companyId, position, attempts: attemptsBefore + 1, dueAt });
    }
    return state;
  };
  return { judge, deliveries, holds };
}

function nextReplay(
  { replayAfter, replayUntil }: LeasedWebhook,
  replay: Stretch,
  { held, sent }: { readonly held: PendingEvents['held']; readonly sent: Sent },
): RoundResults['replay'] {
  const [from, until] = [replayAfter ?? 0, replayUntil ?? 0];
  const isDone = ({ id, key, position }: WebhookEvent) =>
    position >= (held.get(key) ?? Infinity) ||
    sent.refused.has(id) ||
    sent.attempts.get(id)?.verdict === 'delivered';
  const end = endOf(replay, from, isDone);
  return { from, until, to: end >= until ? null : end };
}

/** Up to where all of a stretch is done. */
function endOf({ events, end }: Stretch, after: number, isDone: (event: WebhookEvent) => boolean): number {
  const first = events.find((event) => !isDone(event));
  return Math.max(after, first ? first.position - 1 : end);
}
