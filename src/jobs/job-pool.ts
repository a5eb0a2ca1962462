import pg from 'pg';

import type { Login } from '../db/login.js';
import { reportLosses } from '../db/pool.js';

interface JobPoolOptions {
  readonly login: Login;
  readonly size: number;
  /** A connection was lost. */
  readonly onError: (error: Error) => void;
  /** A statement of graphile-worker was not answered: which jobs it has, and which it has ended, is not known. */
  readonly onUncertain: (error: Error) => void;
}

/** The statements are quick: one that takes longer is not answered any more. */
const QUERY_MS = 10_000;
/** graphile-worker repeats these itself. */
const REPEATED = new Set(['40001', '40P01']);

/**
 * The connections of graphile-worker. It leaves the promises of statements that end a job to nobody, so that one that
 * fails would end the process, and it never tries some others again: here a statement that fails answers no rows, and
 * `onUncertain` says that the worker has to be replaced.
 */
export class JobPool extends pg.Pool {
  constructor({ login, size, onError, onUncertain }: JobPoolOptions) {
    super({
      Client: class extends pg.Client {
        constructor(config?: pg.ClientConfig) {
          super({ ...config, connectionString: login.url });
        }
      },
      max: size,
      application_name: 'svc worker',
      connectionTimeoutMillis: 5000,
      query_timeout: QUERY_MS,
      keepAlive: true,
    });
    reportLosses(this, onError);
    const plain = this.connect.bind(this) as (...args: unknown[]) => unknown;
    const calm = async (): Promise<unknown> => {
      const tried = login.url;
      try {
        return calmed((await plain()) as pg.PoolClient, onUncertain);
      } catch (error) {
        login.isWorthRetrying(error, tried);
        onUncertain(error as Error);
        return NOBODY;
      }
    };
    // With a callback it is asked for a connection to listen on, whose loss graphile-worker deals with; one that is lost
    // while the worker ends is let go of twice, which would end the process.
    const listening = (callback: Listening): unknown =>
      plain(((error, client, release) => {
        let isReleased = false;
        callback(error, client, (reason) => {
          if (!isReleased) release?.(reason);
          isReleased = true;
        });
      }) satisfies Listening);
    this.connect = ((callback?: Listening) =>
      callback ? listening(callback) : calm()) as pg.Pool['connect'];
  }
}

type Listening = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  /** Absent where the pool has ended: there is nothing to let go of. */
  release?: (reason?: Error) => void,
) => void;

const NO_ROWS = { rows: [], rowCount: 0 };
const NOBODY = { query: async () => NO_ROWS, release: () => undefined };

function calmed(client: pg.PoolClient, onUncertain: (error: Error) => void): pg.PoolClient {
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  let lost: Error | undefined;
  const calm = async (...args: unknown[]): Promise<unknown> => {
    try {
      return await query(...args);
    } catch (error) {
      if (REPEATED.has((error as { code?: string }).code ?? '')) throw error;
      lost = error as Error;
      onUncertain(lost);
      return NO_ROWS;
    }
  };
  return Object.create(client, {
    query: { value: calm },
    release: { value: () => client.release(lost) },
  }) as pg.PoolClient;
}
