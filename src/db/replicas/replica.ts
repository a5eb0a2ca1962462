import type pg from 'pg';
import { watchPool } from '../../meters.js';
import { DatabasePool } from '../client.js';
import { Connections, type SharingOptions } from '../connections.js';
import type { Login } from '../login.js';
import { createPool, type PoolReports } from '../pool.js';
import { readServerState, replicaLogin, replicaName, type ServerState } from './address.js';

/**
 * Whether lists are read at a replica: `used`; or it is left out since it is `lagging`, `away`, a server of its own after it
 * was `promoted`, a copy of `another` database, or of one that a promotion has parted from the primary's (`forked`).
 */
export type ReplicaCondition = 'used' | 'lagging' | 'away' | 'promoted' | 'another' | 'forked';

interface ReplicaOptions extends PoolReports {
  readonly address: string;
  /** Of requests at the primary. */
  readonly login: Login;
  readonly sharing: SharingOptions;
  readonly statementMilliseconds: number;
}

/** Asked every second: one that stands still is left out before callers notice. */
export const REPLICA_PATIENCE_MS = 1500;

/** A standby, with connections of its own for statements and for the question how it is. */
export class Replica {
  readonly name: string;
  /** Null until it was compared with the primary, and again where that may be another server. */
  condition: ReplicaCondition | null = null;
  /** Null while it does not answer, or there is nothing to compare with. */
  lagSeconds: number | null = null;
  readonly #login: Login;
  readonly #watch: pg.Pool;
  #line: Line;
  #lost = new AbortController();

  constructor(private readonly options: ReplicaOptions) {
    const { address, login } = options;
    this.name = replicaName(address);
    this.#login = replicaLogin(address, login);
    this.#line = this.#connect();
    this.#watch = new DatabasePool(this.#login, {
      max: 1,
      application_name: 'svc health',
      connectionTimeoutMillis: REPLICA_PATIENCE_MS,
      query_timeout: REPLICA_PATIENCE_MS,
      keepAlive: true,
    });
    this.#watch.on('error', () => undefined);
  }

  get connections(): Connections {
    return this.#line.connections;
  }

  /** Aborted when it may not be read any more: what it was asked for meanwhile is read elsewhere. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  ask(): Promise<ServerState> {
    return readServerState(this.#watch);
  }

  /** Returns whether its condition is another one than before. */
  turn(condition: ReplicaCondition | null, lagSeconds: number | null): boolean {
    const isNew = condition !== this.condition;
    // What one that lags answers to who has begun is still as new as it was asked to be.
    const isLost = this.condition === 'used' && condition !== 'used' && condition !== 'lagging';
    this.condition = condition;
    this.lagSeconds = lagSeconds;
    if (isLost) this.#lose();
    return isNew;
  }

  async close(): Promise<void> {
    await Promise.all([this.#line.close(), this.#watch.end()]);
  }

  /** Connections that stand still would keep their places when it is back: others take theirs. */
  #lose(): void {
    this.#lost.abort();
    this.#lost = new AbortController();
    void this.#line.drop();
    this.#line = this.#connect();
  }

  #connect(): Line {
    const { sharing, ...options } = this.options;
    const pool = createPool({ ...options, login: this.#login, size: sharing.size, isReplica: true });
    return new Line(this.name, pool, sharing);
  }
}

/** The connections to a replica until it is lost. */
class Line {
  readonly connections: Connections;
  readonly #clients = new Set<pg.PoolClient>();
  readonly #unwatch: () => void;

  constructor(
    name: string,
    private readonly pool: pg.Pool,
    sharing: SharingOptions,
  ) {
    const connections = new Connections(pool, sharing);
    this.connections = connections;
    pool.on('connect', (client) => void this.#clients.add(client));
    pool.on('remove', (client) => void this.#clients.delete(client));
    this.#unwatch = watchPool({ name: `replica ${name}`, pool, waiting: () => connections.waiting });
  }

  close(): Promise<void> {
    this.#unwatch();
    return this.pool.end();
  }

  /** Closes without waiting for answers. */
  drop(): Promise<void> {
    const closed = this.close();
    for (const client of this.#clients) client.connection.stream.destroy();
    return closed;
  }
}
