import { shared } from '../../base/shared.js';
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
  readonly close: () => Promise<void>;
}

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
  const answers = shared(() =>
    pool.query('SELECT 1').then(
      () => true,
      () => false,
    ),
  );
  const leaveClock = await followClock(pool);
  return {
    answers,
    isCluster: () => isDistributed(pool),
    close: async () => {
      leaveClock();
      await pool.end();
    },
  };
}
