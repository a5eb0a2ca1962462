import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { clientOf } from '../db/client.js';
import type { Login } from '../db/login.js';
import { WAKE_CHANNEL } from '../outbox/wake.js';
import { claimWebhooks } from './claim.js';
import type { EventEngine } from './engine.js';
import { runTurn } from './run-turn.js';

/** Sends events in this process. */
export interface Dispatcher {
  /** Looks for what is due, and waits until nothing is left that can be sent now. */
  settle(): Promise<void>;
  /** Begins no more, and waits for what is under way. */
  stop(): Promise<void>;
}

/** Webhooks that a process works for at a time: most of them wait for their receivers. */
const SLOTS = 128;

/** Works for webhooks when it is asked to look; `startDispatcher` asks by itself. */
export function createDispatcher(engine: EventEngine): Dispatcher & { look(): void } {
  const workerId = randomUUID();
  const stopping = new AbortController();
  const turns = new Set<Promise<void>>();
  let looking: Promise<void> | null = null;
  let isAsked = false;

  const turn = (lease: Parameters<typeof runTurn>[1]): void => {
    const one: Promise<void> = runTurn(engine, lease, stopping.signal)
      .catch((error: unknown) =>
        engine.log.warn({ err: error, webhookId: lease.id }, 'events could not be sent'),
      )
      .finally(() => {
        turns.delete(one);
        // What came meanwhile found its webhook leased.
        look();
      });
    turns.add(one);
  };
  const lookOnce = async (): Promise<void> => {
    while (isAsked && !stopping.signal.aborted && turns.size < SLOTS) {
      isAsked = false;
      const options = { workerId, now: engine.now(), most: SLOTS - turns.size };
      for (const lease of await claimWebhooks(engine.database, options)) turn(lease);
    }
  };
  const look = (): void => {
    isAsked = true;
    looking ??= lookOnce()
      .catch((error: unknown) => engine.log.warn({ err: error }, 'webhooks could not be looked for'))
      .finally(() => {
        looking = null;
        if (isAsked && !stopping.signal.aborted && turns.size < SLOTS) look();
      });
  };
  const settle = async (): Promise<void> => {
    while (looking !== null || turns.size > 0) await Promise.all([looking, ...turns]);
  };
  return {
    look,
    settle: async () => {
      look();
      await settle();
    },
    stop: async () => {
      stopping.abort();
      await settle();
    },
  };
}

/** What becomes due, and what PostgreSQL told nobody of, is looked for this often. */
const POLL_MS = 1000;

/** Works for webhooks from now on: when PostgreSQL tells of something new, and when something is due. */
export function startDispatcher(engine: EventEngine, login: Login): Dispatcher {
  const { look, ...dispatcher } = createDispatcher(engine);
  const listening = listen(login.direct, look, (error) =>
    engine.log.warn({ err: error }, "a worker's database connection was lost"),
  );
  const timer = setInterval(look, POLL_MS);
  look();
  return {
    ...dispatcher,
    stop: async () => {
      clearInterval(timer);
      await listening.stop();
      await dispatcher.stop();
    },
  };
}

/** Calls `onWake` for what PostgreSQL tells, over connections that are made anew when they are lost. */
function listen(
  login: Login,
  onWake: () => void,
  onError: (error: Error) => void,
): { stop(): Promise<void> } {
  let client: pg.Client | null = null;
  let isStopped = false;
  let retry: NodeJS.Timeout | undefined;
  const again = () => {
    client = null;
    if (!isStopped) retry = setTimeout(connect, POLL_MS);
  };
  const connect = (): void => {
    const own = new (clientOf(login))({ application_name: 'svc events', keepAlive: true });
    client = own;
    own.on('notification', onWake);
    own.once('end', () => {
      if (client === own) again();
    });
    own
      .connect()
      .then(() => own.query(`LISTEN ${WAKE_CHANNEL}`))
      .catch((error: unknown) => {
        onError(error as Error);
        login.isWorthRetrying(error, login.url);
        void own.end().catch(() => undefined);
        if (client === own) again();
      });
  };
  connect();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(retry);
      await client?.end().catch(() => undefined);
    },
  };
}
