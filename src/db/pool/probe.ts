import { DatabasePool } from './client.js';
import { followClock } from '../clock.js';
import { isDistributed } from '../spread-tables.js';
import type { Login } from './login.js';

/** Shorter than a load balancer's polling interval of a few seconds. */
const PATIENCE_MS = 1500;

interface Probe {
  readonly answers: () => Promise<boolean>;
  /** Whether it is a cluster's coordinator. Throws if the server does not answer: all statements depend on this. */
  readonly isCluster: () => Promise<boolean>;
  /** How many of a cluster's workers the coordinator reaches now; null if that was not answered in time. */
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

/** Checks the server and its clock over a dedicated connection. */
export async function openProbe(login: Login): Promise<Probe> {
  const pool = new DatabasePool(login, {
    max: 1,
    application_name: 'svc health',
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
    keepAlive: true,
  });
  pool.on('error', () => undefined);
  /** Concurrent callers share one check. */
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
