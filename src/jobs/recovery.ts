import pg from 'pg';

/** Class of the advisory locks that say which worker pools live. */
const LOCK_CLASS = 7_411_203;
/** A pool takes its lock a moment after it is made. */
const YOUNGEST_LOCK_SECONDS = 2;

/**
 * Tells living worker pools from dead ones (design section 6): each pool holds a session lock on its id, which
 * PostgreSQL lets go of when its process dies, so that the jobs of the dead run again within seconds.
 */
export class WorkerRegistry {
  private readonly mine = new Set<string>();
  /** Null once it was lost. */
  private session: pg.Client | null = null;
  private isClosed = false;

  private constructor(
    private readonly url: string,
    private readonly onError: (error: Error) => void,
  ) {}

  static async open(url: string, onError: (error: Error) => void): Promise<WorkerRegistry> {
    const registry = new WorkerRegistry(url, onError);
    await registry.connected();
    return registry;
  }

  /** The session, or a new one with the locks of the one that was lost. */
  private async connected(): Promise<pg.Client> {
    if (this.session) return this.session;
    const session = new pg.Client({
      connectionString: this.url,
      application_name: 'svc worker',
      keepAlive: true,
    });
    session.on('error', this.onError);
    session.on('end', () => {
      if (this.session !== session) return;
      this.session = null;
      // The sooner the better: whoever finds a lock free takes the jobs. The next sweep tries again.
      if (!this.isClosed) void this.connected().catch(this.onError);
    });
    await session.connect();
    this.session = session;
    for (const poolId of this.mine) await lock(session, poolId);
    return session;
  }

  async add(poolId: string): Promise<void> {
    this.mine.add(poolId);
    await lock(await this.connected(), poolId);
  }

  /** Frees the jobs of dead pools, so that they run again. Returns the ids of those pools. */
  async freeJobsOfTheDead(): Promise<string[]> {
    const session = await this.connected();
    const { rows } = await session.query<{ locked_by: string }>(
      `SELECT DISTINCT locked_by FROM graphile_worker.jobs
       WHERE locked_by IS NOT NULL AND locked_at < now() - interval '${YOUNGEST_LOCK_SECONDS} seconds'`,
    );
    const dead: string[] = [];
    for (const { locked_by: poolId } of rows) {
      if (!this.mine.has(poolId) && (await isFree(session, poolId))) dead.push(poolId);
    }
    if (dead.length > 0)
      await session.query('SELECT graphile_worker.force_unlock_workers($1::text[])', [dead]);
    return dead;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.session?.end();
  }
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
