import pg from 'pg';

import type { Login } from '../db/pool/login.js';
import { reportLosses } from '../db/pool/pool.js';
import { codeOf } from '../errors.js';

interface JobPoolOptions {
  readonly login: Login;
  readonly size: number;
  /** Called when a connection was lost. */
  readonly onError: (error: Error) => void;
  /** Called when a statement of graphile-worker failed: which jobs it has or has completed is unknown. */
  readonly onUncertain: (error: Error) => void;
}

/** The statements are quick: one that takes longer is hung. */
const QUERY_MS = 10_000;
/** graphile-worker retries these itself. */
const REPEATED = new Set(['40001', '40P01']);

/**
 * The connections of graphile-worker, which does not handle rejections of statements that complete a job, so that a
 * failing one would end the process, and never retries some others: here a failing statement returns no rows, and
 * `onUncertain` reports that the worker must be replaced.
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
        return handleErrors((await plain()) as pg.PoolClient, onUncertain);
      } catch (error) {
        login.isWorthRetrying(error, tried);
        onUncertain(error as Error);
        return NOBODY;
      }
    };
    // A callback requests the LISTEN connection, whose loss graphile-worker handles; one lost while the worker stops is
    // released twice, which would end the process.
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
  /** Absent if the pool has ended: there is nothing to release. */
  release?: (reason?: Error) => void,
) => void;

const NO_ROWS = { rows: [], rowCount: 0 };
const NOBODY = { query: async () => NO_ROWS, release: () => undefined };

function handleErrors(client: pg.PoolClient, onUncertain: (error: Error) => void): pg.PoolClient {
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  let lost: Error | undefined;
  const calm = async (...args: unknown[]): Promise<unknown> => {
    try {
      return await query(...args);
    } catch (error) {
      if (REPEATED.has(codeOf(error))) throw error;
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
