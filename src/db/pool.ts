import type pg from 'pg';
import { DatabasePool, withClient } from './client.js';

/** By which the sessions of services are told from others. */
export const APPLICATION_NAME = 'unified-financial-data-service';

export interface PoolOptions {
  readonly url: string;
  readonly size: number;
  readonly statementMilliseconds: number;
  /** The role that statements run as; null where it does not exist (see the first migration). */
  readonly role: string | null;
  readonly onError: (error: Error) => void;
}

const GRACE_MS = 1000;

/** The role that owns nothing, made by the first migration. */
export const RUNTIME_ROLE = 'svc_runtime';

/**
 * The one pool that Prisma and the hot reads share. Sessions are in UTC (what is shown is what is stored), under
 * the statement timeout, and in a role that owns nothing.
 */
export function createPool(options: PoolOptions): pg.Pool {
  const settings = [
    ...(options.role ? [`role=${options.role}`] : []),
    'timezone=UTC',
    'datestyle=ISO',
    'jit=off',
    // Data lies on SSDs or in memory: the default, made for disks, prefers sorting a company over walking its index.
    'random_page_cost=1.1',
    `statement_timeout=${options.statementMilliseconds}`,
    'idle_in_transaction_session_timeout=60000',
  ];
  const pool = new DatabasePool({
    connectionString: options.url,
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

/** The role to run as, or null where the login could not make it. Needs a migrated database. */
export async function runtimeRole(url: string): Promise<string | null> {
  return withClient({ connectionString: url }, async (client) => {
    const found = await client.query(
      `SELECT 1 FROM pg_roles WHERE rolname = $1 AND pg_has_role(current_user, oid, 'MEMBER')`,
      [RUNTIME_ROLE],
    );
    return found.rowCount ? RUNTIME_ROLE : null;
  });
}
