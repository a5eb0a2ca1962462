import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from './client.js';
import type { Login } from './login.js';

/** What PostgreSQL tells when a transaction commits: `<organisation> <table>`, by triggers. */
export const WAKE_CHANNEL = 'svc_wake';

/** The tables whose news wakes those who follow them. */
export type Followed = 'change_heads' | 'syncs' | 'sync_jobs' | 'uploads' | 'upload_items' | 'connections';

/** What a follower waits by. News between two waits is not missed: the next wait ends at once. */
interface Watch {
  /** Waits for news since the last wait; ends, too, when it is aborted. */
  news(signal: AbortSignal): Promise<void>;
  readonly end: () => void;
}

const RETRY_MS = 1000;
const CHECK_MS = 20_000;
const PATIENCE_MS = 5000;

/**
 * News of tables from every process, by one LISTEN over a session of its own, which is made for the first follower. When
 * the session had been lost everybody is woken: who reads after that has missed nothing.
 */
export class Wakes {
  readonly #watches = new Map<string, Set<() => void>>();
  readonly #closing = new AbortController();
  #listening: Promise<void> | null = null;

  constructor(private readonly login: Login) {}

  watch(organisationId: number, tables: readonly Followed[]): Watch {
    this.#listening ??= this.#listen();
    let isNew = false;
    let waiting: (() => void) | null = null;
    const wake = () => {
      isNew = true;
      waiting?.();
    };
    const keys = tables.map((table) => `${organisationId} ${table}`);
    for (const key of keys) {
      const watches = this.#watches.get(key) ?? new Set();
      this.#watches.set(key, watches.add(wake));
    }
    return {
      news: async (signal) => {
        if (!isNew && !signal.aborted) {
          await new Promise<void>((resolve) => {
            waiting = () => {
              signal.removeEventListener('abort', waiting as () => void);
              waiting = null;
              resolve();
            };
            signal.addEventListener('abort', waiting);
          });
        }
        isNew = false;
      },
      end: () => {
        for (const key of keys) {
          const watches = this.#watches.get(key);
          watches?.delete(wake);
          if (watches?.size === 0) this.#watches.delete(key);
        }
      },
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#listening;
  }

  async #listen(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#session(signal).catch(() => undefined);
      await sleep(RETRY_MS, null, { signal }).catch(() => undefined);
    }
  }

  /** Listens until the session is lost. */
  async #session(signal: AbortSignal): Promise<void> {
    const tried = this.login.url;
    const Client = clientOf(this.login);
    const client = new Client({
      application_name: 'svc wakes',
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
      keepAlive: true,
    });
    const lost = new AbortController();
    client.on('end', () => lost.abort());
    client.on('notification', ({ payload }) => this.#watches.get(payload ?? '')?.forEach((wake) => wake()));
    try {
      await client.connect();
      await client.query(`LISTEN ${WAKE_CHANNEL}`);
      for (const watches of this.#watches.values()) watches.forEach((wake) => wake());
      const over = AbortSignal.any([signal, lost.signal]);
      while (!over.aborted) {
        await sleep(CHECK_MS, null, { signal: over }).catch(() => undefined);
        // A network that swallows everything says nothing.
        if (!over.aborted) await client.query('SELECT 1');
      }
    } catch (error) {
      this.login.isWorthRetrying(error, tried);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
