import type pg from 'pg';

import { clientOf } from '../db/pool/client.js';
import type { Login } from '../db/pool/login.js';
import { checkWritable } from '../db/pool/writable.js';

/** Class of the advisory locks that mark live worker pools. */
const LOCK_CLASS = 7_411_203;
/** A pool takes its lock a moment after its creation. */
const YOUNGEST_LOCK_SECONDS = 2;
/** A live pool that lost its connection retakes its lock within this time. */
const GRACE_MS = 3000;
const QUERY_MS = 10_000;
/**
 * A machine that was switched off sends nothing: TCP keepalives end its session after some 14 s. A hung process (a
 * paused container, an endless loop) sends no sweep queries: its session times out as idle, and others take over its
 * jobs. A failing wait for a lock must not leave a session behind with each try.
 */
const SETTINGS = {
  idle_session_timeout: '30s',
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '3',
  tcp_keepalives_count: '3',
  lock_timeout: '5s',
};
/** Maximum delay before a failed job is retried. */
const RETRY_SECONDS = 60;

/** A session's PostgreSQL backend. */
interface Backend {
  readonly pid: number;
  /** Process ids are reused. */
  readonly since: string;
}

interface RegistryOptions {
  readonly login: Login;
  readonly onError: (error: Error) => void;
  /** Called before the jobs of dead pools run again. */
  readonly onDead: (poolIds: readonly string[]) => Promise<void>;
  /** Called before jobs that a live process has given up run again. */
  readonly onHandedBack: (poolIds: readonly string[]) => Promise<void>;
}

/**
 * Tells live worker pools from dead ones: each pool holds a session lock on its id, which PostgreSQL releases when its
 * process dies, so that jobs of dead pools run again within seconds.
 */
export class WorkerRegistry {
  private readonly mine = new Set<string>();
  /** Other processes' pools whose lock is free, and since when; they may be about to retake it. */
  private missing = new Map<string, number>();
  /** Null after it was lost. */
  private session: pg.Client | null = null;
  private connecting: Promise<pg.Client> | null = null;
  /** Backends of this session and of lost ones before it: one cut off by the network still holds its locks. */
  private backends: Backend[] = [];
  private isClosed = false;

  private constructor(private readonly options: RegistryOptions) {}

  static async open(options: RegistryOptions): Promise<WorkerRegistry> {
    const registry = new WorkerRegistry(options);
    await registry.openSession();
    return registry;
  }

  /** The session, or a new one with the locks of the lost one. */
  private openSession(): Promise<pg.Client> {
    if (this.session) return Promise.resolve(this.session);
    return (this.connecting ??= this.connect().finally(() => (this.connecting = null)));
  }

  private async connect(left = this.options.login.urls.length): Promise<pg.Client> {
    const { login } = this.options;
    const tried = login.url;
    const session = new (clientOf(login))({
      application_name: 'svc worker',
      connectionTimeoutMillis: 5000,
      query_timeout: QUERY_MS,
      keepAlive: true,
      // Pools may be added during a sweep.
      pipeline: true,
    });
    session.on('error', this.options.onError);
    session.on('end', () => {
      if (this.session !== session) return;
      this.session = null;
      // As soon as possible: the first worker that finds a lock free takes the jobs. The next sweep retries.
      if (!this.isClosed) void this.openSession().catch(this.options.onError);
    });
    try {
      await session.connect();
      await checkWritable(session);
      const backend = await begin(session);
      await endBackends(session, this.backends);
      this.backends.push(backend);
      for (const poolId of this.mine) await lock(session, poolId);
    } catch (error) {
      void session.end().catch(() => undefined);
      if (left > 1 && login.isWorthRetrying(error, tried)) return this.connect(left - 1);
      throw error;
    }
    // Others' grace periods restart, too, as they must reconnect as well.
    this.missing = new Map();
    this.session = session;
    this.backends = this.backends.slice(-1);
    return session;
  }

  async add(poolId: string): Promise<void> {
    this.mine.add(poolId);
    await lock(await this.openSession(), poolId);
  }

  /** Frees the jobs of dead pools, so that they run again. Returns the ids of those pools. */
  async freeJobsOfTheDead(): Promise<string[]> {
    const session = await this.openSession();
    await checkWritable(session).catch((error: unknown) => {
      // Its end lets another one be made.
      void session.end().catch(() => undefined);
      throw error;
    });
    const { rows } = await session.query<{ locked_by: string }>(
      `SELECT DISTINCT locked_by FROM graphile_worker.jobs
       WHERE locked_by IS NOT NULL AND locked_at < now() - interval '${YOUNGEST_LOCK_SECONDS} seconds'`,
    );
    const now = performance.now();
    const missing = new Map<string, number>();
    for (const { locked_by: poolId } of rows) {
      if (this.mine.has(poolId) || !(await isFree(session, poolId))) continue;
      missing.set(poolId, this.missing.get(poolId) ?? now);
    }
    if (session === this.session) this.missing = missing;
    const dead = [...missing].filter(([, since]) => now - since >= GRACE_MS).map(([poolId]) => poolId);
    if (dead.length > 0) {
      await this.options.onDead(dead);
      await unlock(session, dead);
    }
    return dead;
  }

  /** Releases a pool that takes no more jobs and runs none; jobs left in it run again. */
  async handBack(poolIds: readonly string[]): Promise<void> {
    await this.options.onHandedBack(poolIds);
    const session = await this.openSession();
    await unlock(session, poolIds);
    for (const poolId of poolIds) {
      this.mine.delete(poolId);
      await session.query('SELECT pg_advisory_unlock($1, hashtext($2))', [LOCK_CLASS, poolId]);
    }
  }

  /**
   * Retries failed jobs soon and without limit: graphile-worker's backoff grows to hours, and it drops a job after some
   * attempts. Keeps the every-minute job scheduled, by the database's clock, which all processes share.
   */
  async keepGoing(): Promise<void> {
    const session = await this.openSession();
    await session.query(
      `SELECT graphile_worker.reschedule_jobs(array_agg(j.id), run_at := now(), attempts := 0)
       -- One that was replaced while it ran has no key: it need not run again.
       FROM graphile_worker.jobs j WHERE j.locked_at IS NULL AND j.key IS NOT NULL AND (j.attempts >= j.max_attempts
         OR j.attempts > 0 AND j.last_error IS NOT NULL AND j.run_at > now() + interval '${RETRY_SECONDS} seconds')
       HAVING count(*) > 0`,
    );
    await session.query('SELECT svc_add_every_minute()');
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.session?.end();
  }
}

async function begin(session: pg.Client): Promise<Backend> {
  const settings = Object.entries(SETTINGS).map(
    ([name, value]) => `set_config('${name}', '${value}', false)`,
  );
  const { rows } = await session.query<Backend & { readonly set_config: string }>(
    `SELECT a.pid, a.backend_start::text AS since, ${settings.join(', ')} FROM pg_stat_activity a
     WHERE a.pid = pg_backend_pid()`,
  );
  if (!rows[0]) throw new Error('the session does not show');
  return rows[0];
}

async function endBackends(session: pg.Client, backends: readonly Backend[]): Promise<void> {
  if (backends.length === 0) return;
  await session.query(
    `SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a
     JOIN unnest($1::int[], $2::timestamptz[]) AS b (pid, since) ON a.pid = b.pid AND a.backend_start = b.since
     WHERE a.usename = current_user`,
    [backends.map(({ pid }) => pid), backends.map(({ since }) => since)],
  );
}

async function unlock(session: pg.Client, poolIds: readonly string[]): Promise<void> {
  await session.query('SELECT graphile_worker.force_unlock_workers($1::text[])', [poolIds]);
}

async function lock(session: pg.Client, poolId: string): Promise<void> {
  await session.query('SELECT pg_advisory_lock($1, hashtext($2))', [LOCK_CLASS, poolId]);
}

async function isFree(session: pg.Client, poolId: string): Promise<boolean> {
  const values = [LOCK_CLASS, poolId];
  const { rows } = await session.query<{ taken: boolean }>(
    'SELECT pg_try_advisory_lock($1, hashtext($2)) AS taken',
    values,
  );
  if (!rows[0]?.taken) return false;
  await session.query('SELECT pg_advisory_unlock($1, hashtext($2))', values);
  return true;
}
