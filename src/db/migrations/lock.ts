import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';

import { MigrationError } from './migration-error.js';

/** First half of the key of the advisory lock; any number that nothing else in this project uses. */
const LOCK_CLASS = 0x5356_4302;
const MIGRATE = 1;
/** The key that Prisma's engine uses. */
const ENGINE_LOCK = 72707369;

/** Long: another process may be rewriting a big table. */
const PATIENCE_MS = 10 * 60_000;

/**
 * Only one process at a time reads and changes the migration history. The engine's own lock covers only the applying,
 * and gives up after 10 s. The client given to `work` holds the lock.
 */
export async function withMigrationLock<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  // The error shows in the query that was running; without a listener it would end this process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await poll(client, `pg_try_advisory_lock(${LOCK_CLASS}, ${MIGRATE})`);
    // A killed process's script keeps running in its session, which holds the engine's lock.
    await poll(client, `pg_try_advisory_lock(${ENGINE_LOCK})`);
    await client.query(`SELECT pg_advisory_unlock(${ENGINE_LOCK})`);
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Polls: a blocked statement would hold a snapshot, and CREATE INDEX CONCURRENTLY would wait for it. */
async function poll(client: pg.Client, expression: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>(`SELECT ${expression} AS held`);
    if (rows[0]?.held) return;
    if (Date.now() > deadline) {
      throw new MigrationError(
        `another process has been migrating this database for ${PATIENCE_MS / 60_000} minutes; wait for it, then start again`,
      );
    }
    await sleep(100);
  }
}
