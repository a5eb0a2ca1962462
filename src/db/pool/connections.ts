import type pg from 'pg';
import { AppError } from '../../errors.js';
import { FairQueue } from '../../base/fair-queue.js';
import { cancelStatement } from './cancel.js';
import { commitError, isBroken } from '../database-error.js';
import { runScoped, type ScopedConfig } from '../scoped-query.js';
import type { Scope } from '../scope.js';
import type { Nodes } from './nodes.js';
import type { Statements, WaitingStatement } from './statements.js';

/** Limits of sharing a pool's connections. */
export interface SharingOptions {
  readonly size: number;
  /** Maximum connections for one organisation's statements. */
  readonly perOrganisation: number;
  readonly maxWaiting: number;
}

type Taken = (taken: pg.PoolClient | Error) => void;

/** How long to wait for a connection, or for a turn. */
export const PATIENCE_MS = 5000;

/**
 * A pool's connections for scoped statements: each organisation has its share, and each of its keys. One connection is
 * reserved for unscoped statements, so that callers can be authenticated while others use all the rest.
 */
export class Connections implements Statements {
  readonly #queue: FairQueue | null;

  /** Without `sharing`: first come, first served. */
  constructor(
    readonly pool: pg.Pool,
    sharing: SharingOptions | null,
    /** Whether a connection keeps the same PostgreSQL session from one statement to the next. */
    private readonly isCancellable = true,
    readonly nodes: Nodes | null = null,
  ) {
    const places = sharing ? Math.max(1, sharing.size - 1) : 0;
    this.#queue = sharing
      ? new FairQueue({
          places,
          perOrganisation: Math.min(places, sharing.perOrganisation),
          maxWaiting: sharing.maxWaiting,
          what: 'statements',
        })
      : null;
  }

  get waiting(): number {
    return (this.#queue?.waiting ?? 0) + this.pool.waitingCount;
  }

  /** Leases a connection until it is released. */
  connect(scope: Scope): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      this.#take(scope, undefined, (taken) => (taken instanceof Error ? reject(taken) : resolve(taken)));
    });
  }

  /**
   * Runs a statement on its own connection. Aborting `ending` cancels it in PostgreSQL; until the cancel request is
   * answered nothing else runs on the connection, as it would be cancelled instead.
   */
  query(config: ScopedConfig, scope: Scope, ending?: AbortSignal): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      this.#take(scope, ending, (client) => {
        if (client instanceof Error) return reject(client);
        // Aborted while connecting.
        if (ending?.aborted) {
          client.release();
          return reject(nobodyWaits());
        }
        const release = this.#releaser(client, ending);
        runScoped(client, config, scope).then(
          (result) => {
            release();
            resolve(result);
          },
          (error: Error) => {
            release(isBroken(error) ? error : undefined);
            reject(commitError(error, config.text));
          },
        );
      });
    });
  }

  /** Sends short statements together: each blocks the ones after it. */
  async together(batch: readonly WaitingStatement[], scope: Scope): Promise<void> {
    let client: pg.PoolClient;
    try {
      client = await this.connect(scope);
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    }
    const { stream } = client.connection;
    stream.cork();
    let broken: Error | undefined;
    const answers = batch.map(({ config, resolve, reject }) =>
      runScoped(client, config, scope).then(resolve, (error: Error) => {
        if (isBroken(error)) broken = error;
        reject(error);
      }),
    );
    stream.uncork();
    await Promise.all(answers);
    client.release(broken);
  }

  /** Returns a connection when its statement has ended and any cancel request is answered. */
  #releaser(client: pg.PoolClient, ending: AbortSignal | undefined): (error?: Error) => void {
    if (!ending || !this.isCancellable) return (error) => client.release(error);
    let over: AbortController | null = null;
    let cancelled: Promise<Error | undefined> | null = null;
    // Does not return the promise: a listener's return value is awaited, and its error thrown.
    const cancel = (): void => {
      over = new AbortController();
      cancelled = cancelStatement(client, over.signal).then(
        () => undefined,
        (lost: Error) => lost,
      );
    };
    ending.addEventListener('abort', cancel);
    return (error) => {
      ending.removeEventListener('abort', cancel);
      over?.abort();
      if (cancelled) void cancelled.then((lost) => client.release(error ?? lost));
      else client.release(error);
    };
  }

  #take(scope: Scope, ending: AbortSignal | undefined, taken: Taken): void {
    if (ending?.aborted) return taken(nobodyWaits());
    if (!this.#queue) return this.pool.connect((error, client) => taken(client ?? error ?? noConnection()));
    let waits: Wait | null = null;
    const begin = (): boolean => {
      waits?.end();
      this.#lend(scope, taken);
      return true;
    };
    let giveUp: (() => void) | null;
    try {
      giveUp = this.#queue.enter(scope, begin);
    } catch (error) {
      return taken(error as Error);
    }
    if (giveUp) {
      waits = new Wait(ending, (error) => {
        giveUp();
        taken(error);
      });
    }
  }

  /**
   * A connection retains its last `release`, and pg the callback that it was created for: neither may retain the
   * borrowing request and its rows. So one-time callbacks are dropped after their call, and `release` is created
   * elsewhere: a closure retains all that its sibling closures use.
   */
  #lend(scope: Scope, taken: Taken): void {
    const borrower: { taken?: Taken } = { taken };
    this.pool.connect((error, client, release) => {
      const { taken: lendTo } = borrower;
      delete borrower.taken;
      if (client) client.release = this.#returning(scope, release);
      else this.#queue?.leave(scope);
      lendTo?.(client ?? error ?? noConnection());
    });
  }

  #returning(scope: Scope, release: pg.PoolClient['release']): pg.PoolClient['release'] {
    return (reason) => {
      release(reason);
      this.#queue?.leave(scope);
    };
  }
}

/** A wait that ends when a connection is free, after the timeout, or when the caller no longer needs the answer. */
class Wait {
  readonly #timer: NodeJS.Timeout;
  readonly #leave = (): void => this.#fail(nobodyWaits());

  constructor(
    private readonly ending: AbortSignal | undefined,
    private readonly fail: (error: Error) => void,
  ) {
    this.#timer = setTimeout(() => this.#fail(tooBusy()), PATIENCE_MS);
    ending?.addEventListener('abort', this.#leave);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.ending?.removeEventListener('abort', this.#leave);
  }

  #fail(error: Error): void {
    this.end();
    this.fail(error);
  }
}

const noConnection = (): Error => new Error('no connection');
const nobodyWaits = (): AppError => new AppError('query-timeout', 'the caller no longer waits for this');
const tooBusy = (): AppError =>
  new AppError(
    'service-unavailable',
    'every database connection of your share is in use by other requests; try again soon',
  );
