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

  private constructor(private readonly session: pg.Client) {}

  static async open(url: string, onError: (error: Error) => void): Promise<WorkerRegistry> {
    const session = new pg.Client({ connectionString: url, application_name: 'svc worker', keepAlive: true });
    session.on('error', onError);
    await session.connect();
    return new WorkerRegistry(session);
  }

  async add(poolId: string): Promise<void> {
    this.mine.add(poolId);
    await this.session.query('SELECT pg_advisory_lock($1, hashtext($2))', [LOCK_CLASS, poolId]);
  }

  /** Frees the jobs of dead pools, so that they run again. Returns the ids of those pools. */
  async freeJobsOfTheDead(): Promise<string[]> {
    const { rows } = await this.session.query<{ locked_by: string }>(
      `SELECT DISTINCT locked_by FROM graphile_worker.jobs
       WHERE locked_by IS NOT NULL AND locked_at < now() - interval '${YOUNGEST_LOCK_SECONDS} seconds'`,
    );
    const dead: string[] = [];
    for (const { locked_by: poolId } of rows) {
      if (!this.mine.has(poolId) && (await this.isFree(poolId))) dead.push(poolId);
    }
    if (dead.length > 0)
      await this.session.query('SELECT graphile_worker.force_unlock_workers($1::text[])', [dead]);
    return dead;
  }

  private async isFree(poolId: string): Promise<boolean> {
    const values = [LOCK_CLASS, poolId];
    const { rows } = await this.session.query<{ taken: boolean }>(
      'SELECT pg_try_advisory_lock($1, hashtext($2)) AS taken',
      values,
    );
    if (!rows[0]?.taken) return false;
    await this.session.query('SELECT pg_advisory_unlock($1, hashtext($2))', values);
    return true;
  }

  async close(): Promise<void> {
    await this.session.end();
  }
}
