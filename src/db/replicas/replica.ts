import type pg from 'pg';
import { watchPool } from '../../telemetry/meters.js';
import { DatabasePool } from '../pool/client.js';
import { Connections, type SharingOptions } from '../pool/connections.js';
import type { Login } from '../pool/login.js';
import { createPool, type PoolReports } from '../pool/pool.js';
import { readServerState, replicaLogin, replicaName, type ServerState } from './address.js';

/**
 * Whether a replica serves lists: `used`; or skipped because it is `lagging`, `away`, `promoted` to a primary, a copy
 * of `another` database, or of a timeline that has diverged from the primary's (`forked`).
 */
export type ReplicaCondition = 'used' | 'lagging' | 'away' | 'promoted' | 'another' | 'forked';

interface ReplicaOptions extends PoolReports {
  readonly address: string;
  /** Login of requests at the primary. */
  readonly login: Login;
  readonly sharing: SharingOptions;
  readonly statementMilliseconds: number;
}

/** Reads in flight at a lagging replica are still as current as they required. */
const isUnfit = (condition: ReplicaCondition | null): boolean =>
  condition !== null && condition !== 'used' && condition !== 'lagging';

/** Checked every second: a hung one is skipped before callers notice. */
export const REPLICA_PATIENCE_MS = 1500;

/** A standby, with its own connections for statements and for checks. */
export class Replica {
  readonly name: string;
  /** Null until it was compared with the primary. */
  condition: ReplicaCondition | null = null;
  /** Whether the primary may have changed since the comparison. */
  isDoubted = false;
  /** Null while it does not answer, or the primary's position is unknown. */
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

  /** Aborted when it may no longer be read: reads in flight go elsewhere. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  ask(): Promise<ServerState> {
    return readServerState(this.#watch);
  }

  /** Returns whether its condition has changed. */
  turn(condition: ReplicaCondition | null, lagSeconds: number | null): boolean {
    const isNew = condition !== this.condition;
    const isLost = isUnfit(condition) && !isUnfit(this.condition);
    this.condition = condition;
    this.lagSeconds = lagSeconds;
    if (isLost) this.#lose();
    return isNew;
  }

  async close(): Promise<void> {
    await Promise.all([this.#line.close(), this.#watch.end()]);
  }

  /** Hung connections would keep their places in the pool after its return: they are replaced. */
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
