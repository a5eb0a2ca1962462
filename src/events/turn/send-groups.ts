import type { WebhookEvent } from '../event.js';
import type { Attempt } from '../send.js';

/** Events of one key in order: the first that fails blocks the others. */
interface Group {
  readonly key: number;
  readonly events: readonly WebhookEvent[];
  /** It failed before, while others were accepted: another failure says nothing about the receiver. */
  readonly isHeld: boolean;
  /** May be why the receiver fails; it is if others are accepted. */
  readonly isSuspect?: boolean;
}

/** Result of sending groups of events. */
export interface Sent {
  /** Attempts by event id. */
  readonly attempts: ReadonlyMap<string, Attempt>;
  /** Events that the receiver refuses although it accepts others. */
  readonly refused: ReadonlySet<string>;
  readonly hasDelivered: boolean;
  /** The attempt showing that the receiver fails for all events; null if none does. */
  readonly failure: Attempt | null;
}

interface Sending {
  readonly send: (event: WebhookEvent) => Promise<Attempt>;
  /** Whether there is time to send more events. */
  readonly maySend: () => boolean;
  /** The receiver failed last time: one request at a time until one is delivered. */
  readonly isProbe: boolean;
}

/** Requests to one receiver at a time. */
const CONCURRENCY = 8;
/** This many refusals in a row, for different keys, are blamed on the receiver, not on the events. */
const MAX_REFUSALS = 3;

/** Sends the events of groups, each group's in order and several groups at a time, until the receiver fails. */
export async function sendGroups(groups: readonly Group[], sending: Sending): Promise<Sent> {
  const attempts = new Map<string, Attempt>();
  const refused = new Set<string>();
  /** Refusals since the last success: it is not yet known whether the receiver is to blame. */
  let open: { readonly id: string; readonly attempt: Attempt }[] = [];
  let hasDelivered = false;
  let failure: Attempt | null = null;

  const goesOn = () => failure === null && open.length < MAX_REFUSALS && sending.maySend();
  const sendGroup = async ({ events, isHeld, isSuspect = false }: Group): Promise<void> => {
    for (const event of events) {
      if (!goesOn()) return;
      const attempt = await sending.send(event);
      attempts.set(event.id, attempt);
      const isItsOwn = isHeld || (isSuspect && hasDelivered);
      switch (attempt.verdict) {
        case 'delivered':
          hasDelivered = true;
          open.forEach(({ id }) => refused.add(id));
          open = [];
          break;
        case 'refused':
          if (isItsOwn) refused.add(event.id);
          else open.push({ id: event.id, attempt });
          return;
        case 'away':
          // A receiver that crashes on one event, or is too slow for it, may accept the others.
          if (isItsOwn && attempt.retryAfterSeconds === null) refused.add(event.id);
          else failure ??= attempt;
          return;
        case 'gone':
          failure ??= attempt;
          return;
      }
    }
  };

  const waiting = [...groups];
  const running = new Set<Promise<void>>();
  for (;;) {
    const width = sending.isProbe && !hasDelivered ? 1 : CONCURRENCY;
    while (running.size < width && goesOn()) {
      const group = waiting.shift();
      if (!group) break;
      const one: Promise<void> = sendGroup(group).finally(() => running.delete(one));
      running.add(one);
    }
    if (running.size === 0) break;
    await Promise.race(running);
  }
  if (hasDelivered && open.length < MAX_REFUSALS) {
    open.forEach(({ id }) => refused.add(id));
    open = [];
  }
  return { attempts, refused, hasDelivered, failure: failure ?? open[0]?.attempt ?? null };
}

/** Events by their keys, in the order of the first of each. */
export function groupsOf(events: readonly WebhookEvent[], isHeld = false): Group[] {
  const groups = new Map<number, WebhookEvent[]>();
  for (const event of events) {
    const group = groups.get(event.key);
    if (group) group.push(event);
    else groups.set(event.key, [event]);
  }
  return [...groups].map(([key, own]) => ({ key, events: own, isHeld }));
}

/** After this many failures in a row, the first event may be the cause rather than the receiver. */
const MIN_SUSPECT = 3;

/**
 * Order of the groups for the next attempt, given the failures in a row. From the threshold on, every other attempt
 * puts a later group first, each in turn; if that one is delivered, only the first group keeps waiting.
 */
export function probeOrder(groups: readonly Group[], failures: number): readonly Group[] {
  const [first, ...others] = groups;
  const turn = failures - MIN_SUSPECT;
  if (!first || others.length === 0 || turn < 0 || turn % 2 === 1) return groups;
  const at = (turn / 2) % others.length;
  const probe = others.splice(at, 1);
  return [...probe, { ...first, isSuspect: true }, ...others];
}
