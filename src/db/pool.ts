import type pg from 'pg';
import { DatabasePool } from './client.js';
import type { Login } from './login.js';
import { PREPARE_SCOPE } from './scoped-query.js';

/** By which the sessions of services are told from others. */
export const APPLICATION_NAME = 'unified-financial-data-service';

export interface PoolOptions {
  readonly login: Login;
  readonly size: number;
  readonly statementMilliseconds: number;
  readonly onError: (error: Error) => void;
}

const GRACE_MS = 1000;

/**
 * The one pool that Prisma and the hot reads share. Sessions are in UTC (what is shown is what is stored) and under
 * the statement timeout.
 */
export function createPool(options: PoolOptions): pg.Pool {
  const settings = [
    'timezone=UTC',
    'datestyle=ISO',
    'jit=off',
    // Data lies on SSDs or in memory: the default, made for disks, prefers sorting a company over walking its index.
    'random_page_cost=1.1',
    `statement_timeout=${options.statementMilliseconds}`,
    'idle_in_transaction_session_timeout=60000',
  ];
  const pool = new DatabasePool(options.login, {
    max: options.size,
    options: settings.map((setting) => `-c ${setting}`).join(' '),
    application_name: APPLICATION_NAME,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    // Of a server that stands still, or a network that swallows everything: the server's own limit comes first.
    query_timeout: options.statementMilliseconds + GRACE_MS,
    // Several statements may be under way on a connection (see `Pipeline`).
    pipeline: true,
  });
  // Without these a lost connection would end the process.
  reportLosses(pool, (error) => {
    if (!pool.ending) options.onError(error);
  });
  // A connection that is lost meanwhile fails its first statement anyway.
  pool.on('connect', (client) => void client.query(PREPARE_SCOPE).catch(() => undefined));
  return pool;
}

/** Tells of every connection that a pool loses. */
export function reportLosses(pool: pg.Pool, onError: (error: Error) => void): void {
  const report = (error: Error & { client?: unknown }) => {
    // pg hangs the whole client on the error: nothing for a log.
    delete error.client;
    onError(error);
  };
  pool.on('error', report);
  pool.on('connect', (client) => client.on('error', report));
}
