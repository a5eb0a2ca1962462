import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../errors.js';
import { shared } from '../../base/shared.js';
import type { Login } from './login.js';
import { DatabasePool } from './client.js';

/** The workers of a cluster. */
export interface Workers {
  readonly used: number | null;
  readonly all: number | null;
}

interface Node {
  readonly id: number;
  readonly name: string;
  readonly port: number;
}

/** By default, a statement waits half a minute for a worker that does not answer. */
export const NODE_SETTINGS = { 'citus.node_connection_timeout': '3000' } as const;

/** Longer than a cluster takes to give up a silent worker with the recommended settings. */
const ANSWER_MS = 5000;
const FRESH_MS = 5000;
/** A cluster ends what a node missed within a minute after the node is back. */
const SETTLED_MS = 90_000;
/** A node may have gone and come back between two checks that are further apart. */
const GAP_MS = 60_000;
/** Interval between checks of the workers when no caller asks. */
const PULSE_MS = 20_000;
/** Shorter than a load balancer's polling interval of a few seconds. */
const PATIENCE_MS = 1500;

const NODES = `SELECT groupid AS id, nodename AS name, nodeport AS port FROM pg_dist_node
  WHERE groupid <> 0 AND shouldhaveshards ORDER BY groupid`;
const CHECK = `WITH setting AS MATERIALIZED (
    SELECT set_config('citus.node_connection_timeout', '${NODE_SETTINGS['citus.node_connection_timeout']}', true))
  SELECT citus_check_connection_to_node($1, $2) AS "isThere" FROM setting`;

/**
 * Watches which workers of a cluster answer the coordinator, over a session of its own. A worker that is silent, and
 * refuses nothing, takes the time of each statement that needs it: so statements of several organisations leave it out.
 */
export class Nodes {
  readonly #pool: DatabasePool;
  readonly #away = new Set<number>();
  #all: number | null = null;
  #checkedAt = -Infinity;
  #unsettledAt = performance.now();
  #settledAt = -Infinity;
  #isClosed = false;
  readonly #pulse = setInterval(() => void this.#check(), PULSE_MS).unref();

  constructor(login: Login) {
    this.#pool = new DatabasePool(login, {
      max: 1,
      application_name: 'svc nodes',
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
    });
    this.#pool.on('error', () => undefined);
  }

  /** Ids (`groupid`) of the workers that did not answer the last check, a few seconds ago. */
  away(): number[] {
    if (performance.now() - this.#checkedAt > FRESH_MS) void this.#check();
    return [...this.#away];
  }

  /**
   * Milliseconds since none of them could lack what others had committed long ago, as all had answered for some time;
   * infinite if that was never seen.
   */
  settledAgo(): number {
    return performance.now() - this.#settledAt;
  }

  /** How many answer; null if the coordinator did not tell in time. */
  async count(): Promise<Workers> {
    const left = new AbortController();
    await Promise.race([
      this.#check(),
      sleep(PATIENCE_MS, null, { signal: left.signal }).catch(() => undefined),
    ]);
    left.abort();
    return { used: this.#all === null ? null : this.#all - this.#away.size, all: this.#all };
  }

  close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#pulse);
    return this.#pool.end();
  }

  readonly #check = shared(async () => {
    if (this.#isClosed) return;
    const nodes = await this.#pool.query<Node>(NODES).then(
      ({ rows }) => rows,
      () => null,
    );
    this.#all = nodes?.length ?? null;
    // Without its coordinator, nobody would ask them either.
    const wanted = new Set(nodes?.map(({ id }) => id));
    for (const id of this.#away) if (!wanted.has(id)) this.#away.delete(id);
    let isKnown = nodes !== null;
    for (const node of nodes ?? []) {
      if (this.#isClosed) return;
      const isThere = await this.#isThere(node);
      if (isThere) this.#away.delete(node.id);
      else if (isThere === false) this.#away.add(node.id);
      else isKnown = false;
    }
    const now = performance.now();
    if (!isKnown || this.#away.size > 0 || now - this.#checkedAt > GAP_MS) this.#unsettledAt = now;
    else if (now - this.#unsettledAt > SETTLED_MS) this.#settledAt = now;
    this.#checkedAt = now;
  });

  /** Null if the coordinator did not tell. */
  #isThere({ name, port }: Node): Promise<boolean | null> {
    return this.#pool.query<{ isThere: boolean }>(CHECK, [name, port]).then(
      ({ rows }) => rows[0]?.isThere === true,
      (error: unknown) => (error instanceof AppError && error.code === 'query-timeout' ? false : null),
    );
  }
}
