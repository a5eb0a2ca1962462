import { DatabasePool } from './client.js';
import { followClock } from './clock.js';
import type { Login } from './login.js';

/** A balancer asks every few seconds: it is told before it asks again. */
const PATIENCE_MS = 1500;

interface Probe {
  readonly answers: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

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
    close: () => {
      leaveClock();
      return pool.end();
    },
  };
}
