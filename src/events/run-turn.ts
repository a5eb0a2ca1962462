import { performance } from 'node:perf_hooks';
import { organisationScope } from '../db/scope.js';
import type { TenantSql } from '../db/tenant-sql.js';
import type { EventEngine } from './engine.js';
import type { EventSource, EventFilter, WebhookEvent } from './event.js';
import { receiverOf, sourceOf } from './parts.js';
import { meters } from '../telemetry/meters.js';
import { DISABLE_AFTER_MS, PATIENCE_MS, probeWait, stepWait } from './schedule.js';
import { type Attempt, type Receiver, sendEvent } from './send.js';
import { groupsOf, probeOrder, sendGroups, type Sent } from './send-groups.js';
import {
  type Delivery,
  type DeliveryState,
  type WebhookHold,
  type WebhookLease,
  type LeasedWebhook,
  readHolds,
  readTried,
  readWebhook,
  releaseWebhook,
  type RoundResults,
  storeRound,
  WebhookLost,
} from './webhook-state.js';

/** Events that are read together. */
const BATCH = 200;
/** Records that were held and are tried again together. */
const MAX_HELD = 50;
/** After this time a turn sends nothing more: others get theirs, and requests in flight end within the lease. */
const TURN_MS = 1000;
/** A longer turn waited for answers that did not come within a second. */
const SLOW_TURN_MS = 2 * TURN_MS;
/** A turn, the longest answer, and time to store the result. */
export const LEASE_SECONDS = 25;

/** Sends a webhook's pending events, as many as fit in one turn. */
export async function runTurn(engine: EventEngine, lease: WebhookLease, signal: AbortSignal): Promise<void> {
  const sql = engine.database.sql(organisationScope(lease.organisationId));
  const began = performance.now();
  const beganAt = engine.now();
  const maySend = () => !signal.aborted && performance.now() - began < TURN_MS;
  try {
    for (;;) {
      const round = new Round(engine, sql, { lease, webhook: await readWebhook(sql, lease), maySend });
      if (!(await round.run()) || !maySend()) break;
    }
  } catch (error) {
    // After any other error the lease expires by itself, so that it does not recur immediately.
    if (!(error instanceof WebhookLost)) throw error;
  }
  await releaseWebhook(sql, lease, engine.now().getTime() - beganAt.getTime() > SLOW_TURN_MS);
}

/** A part of a log that is to be sent. */
interface Stretch {
  readonly events: readonly WebhookEvent[];
  /** How far it was read. */
  readonly end: number;
}

/** A record that waits, and the event that it waits for; null where the log has lost it. */
interface Due {
  readonly hold: WebhookHold;
  readonly event: WebhookEvent | null;
}

interface Turn {
  readonly lease: WebhookLease;
  readonly webhook: LeasedWebhook;
  readonly maySend: () => boolean;
}

/** One read of pending events, the attempts, and their results. */
class Round {
  private readonly lease: WebhookLease;
  private readonly webhook: LeasedWebhook;
  private readonly maySend: () => boolean;
  private readonly source: EventSource;
  private readonly now: Date;

  constructor(
    private readonly engine: EventEngine,
    private readonly sql: TenantSql,
    { lease, webhook, maySend }: Turn,
  ) {
    this.lease = lease;
    this.webhook = webhook;
    this.maySend = maySend;
    this.source = sourceOf(engine, sql, webhook);
    this.now = engine.now();
  }

  /** Whether there may be more to do immediately. */
  async run(): Promise<boolean> {
    const { engine, sql, lease, webhook } = this;
    const live = await this.source.after(webhook.position, BATCH);
    // It may want more since it was read: that would be passed over.
    const isRead = live.end > webhook.position;
    if (isRead && !wantsSame(webhook, await readWebhook(sql, lease))) return true;
    const replay = live.events.length === 0 ? await this.readReplay() : null;
    const events = [...live.events, ...(replay?.events ?? [])];
    const { held, due } = await readHolds(sql, lease, {
      keys: events.map(({ key }) => key),
      dueBy: this.now,
      max: MAX_HELD,
    });
    const isProbe = webhook.failures > 0;
    // Requested redeliveries of a record are sent before the event that it waits for.
    const isFree = ({ key, position }: WebhookEvent) => position < (held.get(key) ?? Infinity);
    const isAgain = new Set((replay?.events ?? []).filter(isFree).map(({ key }) => key));
    // A failing receiver is retried with the oldest event.
    const dues =
      isProbe && events.some(isFree) ? [] : await this.readDue(due.filter(({ key }) => !isAgain.has(key)));
    const mayBeOver = [...live.events, ...dues.flatMap(({ event }) => event ?? [])];
    const tried = await readTried(
      sql,
      lease.id,
      mayBeOver.map(({ id }) => id),
    );
    // Delivered before a crash, while one before it was not, or because it was requested by hand.
    const isOver = (event: WebhookEvent) => (tried.get(event.id)?.state ?? 'FAILED') !== 'FAILED';
    const free = events.filter((event) => isFree(event) && (replay !== null || !isOver(event)));
    const receiver = receiverOf(engine, lease, webhook);
    const sent = await sendGroups(
      [
        ...dues.flatMap(({ event }) => (event && !isOver(event) ? groupsOf([event], true) : [])),
        ...probeOrder(groupsOf(free), webhook.failures),
      ],
      {
        send: (event) => this.send(receiver, event),
        maySend: this.maySend,
        isProbe,
      },
    );
    const firstTried = (event: WebhookEvent) => tried.get(event.id)?.firstAttemptAt;
    const outcome = await this.outcome({ live, replay, held, dues, sent, isOver, firstTried });
    const isMoved = live.end > webhook.position || replay !== null || dues.length > 0;
    if (!isMoved) return false;
    await storeRound(sql, lease, outcome);
    // The next check finds events that arrived meanwhile.
    const isMore = live.events.length === BATCH || replay !== null || dues.length > 0;
    return isMore && sent.failure === null;
  }

  private async send(receiver: Receiver, event: WebhookEvent): Promise<Attempt> {
    const { engine, lease } = this;
    const attempt = await sendEvent(engine.outbound, receiver, event, engine.now());
    const { id: webhookId, organisationId } = lease;
    meters.deliveries.inc({ outcome: attempt.verdict });
    const { verdict, status, durationMs: ms } = attempt;
    engine.log.info({ organisationId, webhookId, eventId: event.id, verdict, status, ms }, 'event sent');
    return attempt;
  }

  private async readReplay(): Promise<Stretch | null> {
    const { replayAfter, replayUntil } = this.webhook;
    if (replayAfter === null || replayUntil === null) return null;
    const { events, end } = await this.source.after(replayAfter, BATCH);
    return {
      events: events.filter(({ position }) => position <= replayUntil),
      end: Math.min(end, replayUntil),
    };
  }

  private readDue(holds: readonly WebhookHold[]): Promise<Due[]> {
    return Promise.all(holds.map(async (hold) => ({ hold, event: await this.source.at(hold.position) })));
  }

  private async outcome(parts: {
    readonly live: Stretch;
    readonly replay: Stretch | null;
    readonly held: ReadonlyMap<number, number>;
    readonly dues: readonly Due[];
    readonly sent: Sent;
    readonly isOver: (event: WebhookEvent) => boolean;
    readonly firstTried: (event: WebhookEvent) => string | undefined;
  }): Promise<RoundResults> {
    const { live, replay, held, dues, sent, isOver, firstTried } = parts;
    const { webhook, now } = this;
    const deliveries: Delivery[] = [];
    const holds = new Map<number, WebhookHold>();
    /** The state of an event after an attempt; a refusal of this event alone makes its record wait. */
    const judge = (event: WebhookEvent, attemptsBefore: number, mayHold: boolean): DeliveryState | null => {
      const attempt = sent.attempts.get(event.id);
      if (!attempt) return null;
      const isRefused = sent.refused.has(event.id);
      const wait = isRefused && mayHold ? stepWait(attemptsBefore + 1, this.engine.random) : null;
      const since = firstTried(event);
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
    const asDue = new Set(dues.flatMap(({ event }) => event?.id ?? []));
    /** The same for an event that was read, unless it was sent because it is due. */
    const judgeRead = (event: WebhookEvent, mayHold: boolean): DeliveryState | null =>
      asDue.has(event.id) ? null : judge(event, 0, mayHold);

    const isDone = new Map<string, boolean>();
    for (const event of replay ? [] : live.events) {
      const state = judgeRead(event, true);
      isDone.set(event.id, isOver(event) || (state !== null && state !== 'FAILED'));
    }
    const position = endOf(
      live,
      webhook.position,
      ({ id, key }) => isDone.get(id) === true || held.has(key) || holds.has(key),
    );
    const released: number[] = [];
    for (const { hold, event } of dues) {
      const state = event && !isOver(event) ? judge(event, hold.attempts, true) : 'GIVEN_UP';
      if (state === null || state === 'FAILED') continue;
      const next = await this.source.next(hold, hold.position, position);
      if (next === null) released.push(hold.key);
      else holds.set(hold.key, { ...hold, position: next, attempts: 0, dueAt: now.toISOString() });
    }
    return {
      position,
      replay: replay && this.nextReplay(replay, held, sent, judgeRead),
      ...this.failureState(sent),
      deliveries,
      holds: [...holds.values()],
      released,
    };
  }

  private nextReplay(
    replay: Stretch,
    held: ReadonlyMap<number, number>,
    sent: Sent,
    judgeRead: (event: WebhookEvent, mayHold: boolean) => DeliveryState | null,
  ): RoundResults['replay'] {
    for (const event of replay.events) judgeRead(event, false);
    const { replayAfter, replayUntil } = this.webhook;
    const [from, until] = [replayAfter ?? 0, replayUntil ?? 0];
    const isDone = ({ id, key, position }: WebhookEvent) =>
      position >= (held.get(key) ?? Infinity) ||
      sent.refused.has(id) ||
      sent.attempts.get(id)?.verdict === 'delivered';
    const end = endOf(replay, from, isDone);
    return { from, until, to: end >= until ? null : end };
  }

  /** How the receiver stands now. */
  private failureState({ failure, hasDelivered }: Sent) {
    const { webhook, now } = this;
    if (failure === null && !hasDelivered) {
      const failingSince = webhook.failingSince === null ? null : new Date(webhook.failingSince);
      return { failures: webhook.failures, failingSince, dueAt: null, disabledReason: null };
    }
    if (failure === null) return { failures: 0, failingSince: null, dueAt: null, disabledReason: null };
    const failures = (hasDelivered ? 0 : webhook.failures) + 1;
    const failingSince = hasDelivered || webhook.failingSince === null ? now : new Date(webhook.failingSince);
    const wait = probeWait(failures, failure.retryAfterSeconds, this.engine.random);
    const isFailing = now.getTime() - failingSince.getTime() >= DISABLE_AFTER_MS;
    const disabledReason: RoundResults['disabledReason'] =
      failure.verdict === 'gone' ? 'GONE' : isFailing ? 'FAILING' : null;
    return { failures, failingSince, dueAt: new Date(now.getTime() + wait), disabledReason };
  }
}

const wantsSame = (one: EventFilter, other: EventFilter): boolean =>
  one.companyIds.join() === other.companyIds.join() &&
  one.dataModels.join() === other.dataModels.join() &&
  one.operations.join() === other.operations.join();

/** Up to where all of a stretch is done. */
function endOf({ events, end }: Stretch, after: number, isDone: (event: WebhookEvent) => boolean): number {
  const first = events.find((event) => !isDone(event));
  return Math.max(after, first ? first.position - 1 : end);
}
