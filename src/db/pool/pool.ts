import type pg from 'pg';
import { CLUSTER_SETTINGS, leadsToCluster } from './cluster-scope.js';
import { DatabasePool } from './client.js';
import type { Login } from './login.js';
import { NODE_SETTINGS } from './nodes.js';
import { pooledClientOf } from './pooled-client.js';
import {
  type EndedStatement,
  PREPARE_POSITION,
  PREPARE_SCOPE,
  PREPARE_STAMP,
  STATEMENT_ENDED,
} from '../scoped-query.js';

/** Identifies the sessions of this service. */
export const APPLICATION_NAME = 'unified-financial-data-service';

/** A pool's callbacks. */
export interface PoolReports {
  readonly onError: (error: Error) => void;
  /** Called with each scoped statement when it ends. */
  readonly onStatement?: (statement: EndedStatement) => void;
}

interface PoolOptions extends PoolReports {
  readonly login: Login;
  readonly size: number;
  readonly statementMilliseconds: number;
  /** Whether it connects to a standby. */
  readonly isReplica?: boolean;
  /** Whether it connects to a cluster's coordinator. */
  readonly isCluster?: boolean;
  /** Whether its statements are the owner's, without a scope. */
  readonly isOwner?: boolean;
}

const GRACE_MS = 1000;
const REPLICA_LOCK_MS = 1000;

/**
 * The one pool that Prisma and the hot reads share. Sessions are in UTC (what is shown is what is stored) and under the
 * statement timeout; a pooler's sessions are shared, so there each statement carries these settings.
 */
export function createPool(options: PoolOptions): pg.Pool {
  const { login } = options;
  const settings = {
    timezone: 'UTC',
    datestyle: 'ISO',
    jit: 'off',
    // Data lies on SSDs or in memory: the default, made for disks, prefers sorting a company's rows over an index scan.
    random_page_cost: '1.1',
    statement_timeout: String(options.statementMilliseconds),
    idle_in_transaction_session_timeout: '60000',
    // A statement that waited for a lock must see what the lock's holder committed: limits and positions rely on it.
    default_transaction_isolation: 'read committed',
    // A standby's locks come from replay and last as long as it does, which may be paused.
    ...(options.isReplica && { lock_timeout: String(REPLICA_LOCK_MS) }),
    ...(options.isCluster && NODE_SETTINGS),
    ...(options.isCluster && !login.isPooled && CLUSTER_SETTINGS),
  };
  const set = (isLocal: boolean): string =>
    Object.entries(settings)
      .map(([name, value]) => `set_config('${name}', '${value}', ${isLocal})`)
      .join(', ');
  const prepared = options.isOwner
    ? []
    : [PREPARE_SCOPE, PREPARE_STAMP, ...(options.isReplica ? [PREPARE_POSITION] : [])];
  const session = login.isPooled
    ? { Client: pooledClientOf(login, set(true)) }
    : { onConnect: preparing([`SELECT ${set(false)}`, ...prepared].join('; ')) };
  const pool = new DatabasePool(login, {
    max: options.size,
    ...session,
    application_name: APPLICATION_NAME,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    // After a failover the old primary may keep answering reads.
    maxLifetimeSeconds: 300,
    // For a hung server or a network that drops packets: otherwise the server's own limit applies first.
    query_timeout: options.statementMilliseconds + GRACE_MS,
    // A connection may have several statements in flight (see `Pipeline`).
    pipeline: true,
  });
  // Without these a lost connection would end the process.
  reportLosses(pool, (error) => {
    if (!pool.ending) options.onError(error);
  });
  const { onStatement } = options;
  if (onStatement)
    pool.on('connect', (client) => client.on(STATEMENT_ENDED as 'end', onStatement as () => void));
  if (options.isCluster) pool.on('connect', (client) => leadsToCluster(client, login));
  return pool;
}

/**
 * Runs `text` in each new session before anything else does; the pool waits for it, and closes one that fails. As a
 * statement, since poolers refuse startup parameters that they do not track.
 */
const preparing = (text: string) => (client: pg.ClientBase) => client.query(text);

/** Reports every connection that a pool loses. */
export function reportLosses(pool: pg.Pool, onError: (error: Error) => void): void {
  const report = (error: Error & { client?: unknown }) => {
    // pg attaches the whole client to the error: not for the log.
    delete error.client;
    onError(error);
  };
  pool.on('error', report);
  pool.on('connect', (client) => client.on('error', report));
}
