import type { TenantSql } from '../../db/tenant-sql.js';
import { meters } from '../../telemetry/meters.js';
import type { EventEngine } from '../engine.js';
import type { EventFilter, EventSource, WebhookEvent } from '../event.js';
import { type Due, judgeRound, type PendingEvents, type Stretch } from './judge-round.js';
import { receiverOf, sourceOf } from '../parts.js';
import { type Attempt, type Receiver, sendEvent } from '../send.js';
import { groupsOf, probeOrder, sendGroups, type Sent } from './send-groups.js';
import {
  type LeasedWebhook,
  readHolds,
  readTried,
  readWebhook,
  storeRound,
  type WebhookHold,
  type WebhookLease,
} from './webhook-state.js';

/** Events that are read together. */
const BATCH = 200;
/** Records that were held and are tried again together. */
const MAX_HELD = 50;

/** What a round needs besides the engine. */
interface RoundParts {
  readonly lease: WebhookLease;
  readonly webhook: LeasedWebhook;
  /** Whether there is time to send more events. */
  readonly maySend: () => boolean;
}

/** One read of pending events, the attempts, and their results. */
export class Round {
  private readonly source: EventSource;
  private readonly now: Date;

  constructor(
    private readonly engine: EventEngine,
    private readonly sql: TenantSql,
    private readonly parts: RoundParts,
  ) {
    this.source = sourceOf(engine, sql, parts.webhook);
    this.now = engine.now();
  }

  /** Whether there may be more to do immediately. */
  async run(): Promise<boolean> {
    const { sql, source, now } = this;
    const { lease, webhook } = this.parts;
    const live = await source.after(webhook.position, BATCH);
    // It may want more since it was read: that would be passed over.
    const isRead = live.end > webhook.position;
    if (isRead && !wantsSame(webhook, await readWebhook(sql, lease))) return true;
    const pending = await this.readPending(live);
    const { replay, dues } = pending;
    const sent = await this.send(pending);
    const { random } = this.engine;
    const results = await judgeRound(pending, sent, {
      webhook,
      now,
      random,
      next: (...key) => source.next(...key),
    });
    if (!isRead && replay === null && dues.length === 0) return false;
    await storeRound(sql, lease, results);
    // The next check finds events that arrived meanwhile.
    const isMore = live.events.length === BATCH || replay !== null || dues.length > 0;
    return isMore && sent.failure === null;
  }

  /** What is to be sent besides the events just read, and what was tried of it before. */
  private async readPending(live: Stretch): Promise<PendingEvents> {
    const { sql } = this;
    const { lease, webhook } = this.parts;
    const replay = live.events.length === 0 ? await this.readReplay() : null;
    const events = [...live.events, ...(replay?.events ?? [])];
    const { held, due } = await readHolds(sql, lease, {
      keys: events.map(({ key }) => key),
      dueBy: this.now,
      max: MAX_HELD,
    });
    // Requested redeliveries of a record are sent before the event that it waits for.
    const isFree = ({ key, position }: WebhookEvent) => position < (held.get(key) ?? Infinity);
    const isAgain = new Set((replay?.events ?? []).filter(isFree).map(({ key }) => key));
    // A failing receiver is retried with the oldest event.
    const isOldest = webhook.failures > 0 && events.some(isFree);
    const dues = isOldest ? [] : await this.readDue(due.filter(({ key }) => !isAgain.has(key)));
    const mayBeOver = [...live.events, ...dues.flatMap(({ event }) => event ?? [])];
    const tried = await readTried(
      sql,
      lease.id,
      mayBeOver.map(({ id }) => id),
    );
    // Delivered before a crash, while one before it was not, or because it was requested by hand.
    const isOver = ({ id }: WebhookEvent) => (tried.get(id)?.state ?? 'FAILED') !== 'FAILED';
    const free = events.filter((event) => isFree(event) && (replay !== null || !isOver(event)));
    return { live, replay, held, dues, free, tried, isOver };
  }

  private async readReplay(): Promise<Stretch | null> {
    const { replayAfter, replayUntil } = this.parts.webhook;
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

  private send({ dues, free, isOver }: PendingEvents): Promise<Sent> {
    const { lease, webhook, maySend } = this.parts;
    const receiver = receiverOf(this.engine, lease, webhook);
    const held = dues.flatMap(({ event }) => (event && !isOver(event) ? groupsOf([event], true) : []));
    return sendGroups([...held, ...probeOrder(groupsOf(free), webhook.failures)], {
      send: (event) => this.sendOne(receiver, event),
      maySend,
      isProbe: webhook.failures > 0,
    });
  }

  private async sendOne(receiver: Receiver, event: WebhookEvent): Promise<Attempt> {
    const { engine } = this;
    const attempt = await sendEvent(engine.outbound, receiver, event, engine.now());
    const { id: webhookId, organisationId } = this.parts.lease;
    meters.deliveries.inc({ outcome: attempt.verdict });
    const { verdict, status, durationMs: ms } = attempt;
    engine.log.info({ organisationId, webhookId, eventId: event.id, verdict, status, ms }, 'event sent');
    return attempt;
  }
}

const wantsSame = (one: EventFilter, other: EventFilter): boolean =>
  one.companyIds.join() === other.companyIds.join() &&
  one.dataModels.join() === other.dataModels.join() &&
  one.operations.join() === other.operations.join();
