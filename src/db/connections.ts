import type pg from 'pg';
import { AppError } from '../errors.js';
import { FairQueue } from '../fair-queue.js';
import { cancelStatement } from './cancel.js';
import { commitError, isOutage, isTooSlow } from './database-error.js';
import { runScoped, type ScopedConfig } from './scoped-query.js';
import type { Scope } from './scope.js';
import type { Statements, WaitingStatement } from './statements.js';

/** How the connections of a pool are shared. */
export interface SharingOptions {
  readonly size: number;
  /** For statements of one organisation. */
  readonly perOrganisation: number;
  readonly mostWaiting: number;
}

type Taken = (taken: pg.PoolClient | Error) => void;

const PATIENCE_MS = 5000;

/**
 * The connections of a pool, for statements of scopes: each organisation has its share, and each of its keys. One is
 * kept for what belongs to no scope, so that a caller is found while neighbours use all the others.
 */
export class Connections implements Statements {
  readonly #queue: FairQueue | null;

  /** Without `sharing` it is first come, first served. */
  constructor(
    readonly pool: pg.Pool,
    sharing: SharingOptions | null,
    /** Whether a connection and what PostgreSQL does for it are the same thing from one statement to the next. */
    private readonly isCancellable = true,
    readonly isCluster = false,
  ) {
    const places = sharing ? Math.max(1, sharing.size - 1) : 0;
    this.#queue = sharing
      ? new FairQueue({
          places,
          perOrganisation: Math.min(places, sharing.perOrganisation),
          mostWaiting: sharing.mostWaiting,
          what: 'statements',
        })
      : null;
  }

  get waiting(): number {
    return (this.#queue?.waiting ?? 0) + this.pool.waitingCount;
  }

  /** A connection until it is released. */
  connect(scope: Scope): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      this.#take(scope, undefined, (taken) => (taken instanceof Error ? reject(taken) : resolve(taken)));
    });
  }

  /**
   * Runs a statement on a connection of its own. When `ending` is aborted, it ends in PostgreSQL; nothing else runs on
   * its connection before that was answered, as it would be ended instead.
   */
  query(config: ScopedConfig, scope: Scope, ending?: AbortSignal): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      this.#take(scope, ending, (client) => {
        if (client instanceof Error) return reject(client);
        // While it was being connected.
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
            release(isOutage(error) && !isTooSlow(error) ? error : undefined);
            reject(commitError(error, config.text));
          },
        );
      });
    });
  }

  /** Sends what may not take long: each holds up the ones after it. */
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
        if (isOutage(error)) broken = error;
        reject(error);
      }),
    );
    stream.uncork();
    await Promise.all(answers);
    client.release(broken);
  }

  /** Gives a connection back when its statement is over, and what was asked to end it is answered. */
  #releaser(client: pg.PoolClient, ending: AbortSignal | undefined): (error?: Error) => void {
    if (!ending || !this.isCancellable) return (error) => client.release(error);
    let over: AbortController | null = null;
    let cancelled: Promise<Error | undefined> | null = null;
    // Not the promise itself: what a listener returns is waited for, and thrown.
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
   * A connection keeps its last `release`, and pg the callback that it was made for: neither may hold the request that it
   * was lent to, whose rows would stay with it. So what is called once is forgotten, and `release` is made elsewhere: a
   * function holds all that the functions beside it use.
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

/** A wait that ends when the connection is there, when it takes too long, or when nobody waits for the answer any more. */
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
const nobodyWaits = (): AppError => new AppError('query-timeout', 'nobody waits for this any more');
const tooBusy = (): AppError =>
  new AppError(
    'service-unavailable',
    'every database connection of your share is in use by other requests; try again soon',
  );
