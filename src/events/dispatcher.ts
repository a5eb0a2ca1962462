import type { Login } from '../db/pool/login.js';
import { tellOf } from '../db/reports.js';
import { claimWebhooks } from './claim.js';
import type { EventEngine } from './engine.js';
import { runTurn } from './turn/run-turn.js';
import { openSession } from './worker-session.js';

/** Sends events in this process. */
export interface Dispatcher {
  /** Looks for due webhooks, and waits until nothing more can be sent now. */
  readonly settle: () => Promise<void>;
  /** Starts nothing more, and waits for requests in flight. */
  readonly stop: () => Promise<void>;
}

/** Maximum webhooks that a process serves at a time: most of them wait for their receivers. */
const SLOTS = 128;

/**
 * Serves webhooks on request; `startDispatcher` does so by itself. `workerId` names the session whose lock shows that
 * this process is alive; if empty, there is none.
 */
export function createDispatcher(
  engine: EventEngine,
  workerId: () => string = () => '',
): Dispatcher & { readonly look: () => void } {
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
        // Events that arrived meanwhile found their webhook leased.
        look();
      });
    turns.add(one);
  };
  const lookOnce = async (): Promise<void> => {
    while (isAsked && !stopping.signal.aborted && turns.size < SLOTS) {
      isAsked = false;
      const options = { workerId: workerId(), now: engine.now(), max: SLOTS - turns.size };
      for (const lease of await claimWebhooks(engine.database, options)) turn(lease);
    }
  };
  const onError = tellOf(engine.log, 'webhooks could not be looked for');
  const look = (): void => {
    isAsked = true;
    looking ??= lookOnce()
      .catch(onError)
      .finally(() => {
        looking = null;
        if (isAsked && !stopping.signal.aborted && turns.size < SLOTS) look();
      });
  };
  const waitUntilIdle = async (): Promise<void> => {
    while (looking !== null || turns.size > 0) await Promise.all([looking, ...turns]);
  };
  return {
    look,
    settle: async () => {
      look();
      await waitUntilIdle();
    },
    stop: async () => {
      stopping.abort();
      await waitUntilIdle();
    },
  };
}

/** Interval of looking for due events, and for lost notifications. */
const POLL_MS = 1000;

/** Serves webhooks from now on: when PostgreSQL notifies of new events, and when something is due. */
export function startDispatcher(engine: EventEngine, login: Login): Dispatcher {
  const dispatcher = createDispatcher(engine, () => session.id());
  const ask = () => {
    // Without the lock, the webhooks of a dead process would wait for their leases to expire.
    if (session.id() !== '') dispatcher.look();
  };
  const session = openSession(login.direct, {
    onWake: ask,
    onError: tellOf(engine.log, "a worker's database connection was lost"),
  });
  const timer = setInterval(ask, POLL_MS);
  return {
    settle: () => dispatcher.settle(),
    stop: async () => {
      clearInterval(timer);
      await dispatcher.stop();
      await session.close();
    },
  };
}
