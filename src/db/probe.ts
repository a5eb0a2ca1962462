import { DatabasePool } from './client.js';
import { followClock } from './clock.js';
import { isDistributed } from './spread-tables.js';
import type { Login } from './login.js';

/** A balancer asks every few seconds: it is told before it asks again. */
const PATIENCE_MS = 1500;

interface Probe {
  readonly answers: () => Promise<boolean>;
  /** Whether it is the coordinator of a cluster. Fails where the server does not answer: all statements depend on it. */
  readonly isCluster: () => Promise<boolean>;
  /** Of a cluster: how many of its workers the coordinator reaches now; null where that was not answered in time. */
  readonly workers: () => Promise<Workers>;
  readonly close: () => Promise<void>;
}

/** The workers of a cluster. */
export interface Workers {
  readonly used: number | null;
  readonly all: number | null;
}

const WORKERS = `SELECT count(*) FILTER (WHERE citus_check_connection_to_node(nodename, nodeport))::int AS used,
  count(*)::int AS all FROM pg_dist_node WHERE groupid <> 0 AND shouldhaveshards`;

const UNKNOWN: Workers = { used: null, all: null };

/** Asks the server whether it is there, and for its time, over a connection of its own. */
export async function openProbe(login: Login): Promise<Probe> {
  const pool = new DatabasePool(login, {
    max: 1,
    application_name: 'svc health',
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
    keepAlive: true,
  });
  pool.on('error', () => undefined);
  /** Those who ask together are answered together. */
  let asking: Promise<boolean> | null = null;
  const ask = () =>
    pool.query('SELECT 1').then(
      () => true,
      () => false,
    );
  const leaveClock = await followClock(pool);
  return {
    answers: () => (asking ??= ask().finally(() => (asking = null))),
    isCluster: () => isDistributed(pool),
    workers: () =>
      pool.query<Workers>(WORKERS).then(
        ({ rows: [workers] }) => workers ?? UNKNOWN,
        () => UNKNOWN,
      ),
    close: () => {
      leaveClock();
      return pool.end();
    },
  };
}
