import { shared } from '../../shared.js';
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
  const connect = () => {
    const pool = new DatabasePool(login, {
      max: 1,
      application_name: 'svc health',
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
      keepAlive: true,
    });
    return pool.on('error', () => undefined);
  };
  const pool = connect();
  // A worker that answers nothing takes all of a check's time: the check of the server must not wait for it.
  const workersPool = connect();
  const answers = shared(() =>
    pool.query('SELECT 1').then(
      () => true,
      () => false,
    ),
  );
  const workers = shared(() =>
    workersPool.query<Workers>(WORKERS).then(
      ({ rows: [found] }) => found ?? UNKNOWN,
      () => UNKNOWN,
    ),
  );
  const leaveClock = await followClock(pool);
  return {
    answers,
    isCluster: () => isDistributed(pool),
    workers,
    close: async () => {
      leaveClock();
      await Promise.all([pool.end(), workersPool.end()]);
    },
  };
}
