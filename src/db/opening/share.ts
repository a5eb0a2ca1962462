import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { AppError, codeOf } from '../../errors.js';
import { databaseError } from '../database-error.js';
import { attachEmbedded } from '../embedded/index.js';

/** Names the sessions of running commands. */
const COMMAND = 'svc command';
/** The database is still being created. */
const NO_DATABASE = '3D000';
const PATIENCE_MS = 10_000;

/**
 * The running embedded database, held by a session that the command which started it waits for; null when none runs.
 * Waits for one that is stopping.
 */
export async function holdEmbedded(config: {
  dataDir: string;
}): Promise<{ url: string; release(): Promise<void> } | null> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const running = await attachEmbedded(config);
    if (!running) return null;
    const client = new pg.Client({ connectionString: running.url, application_name: COMMAND });
    // A lost connection fails the command's own statements.
    client.on('error', () => undefined);
    const release = () => client.end().catch(() => undefined);
    try {
      await client.connect();
      return { url: running.url, release };
    } catch (error) {
      await release();
      const isPassing = databaseError(error) instanceof AppError || codeOf(error) === NO_DATABASE;
      if (!isPassing || Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

/** Waits, for a limited time, until no command holds the database any more. */
export async function untilReleased(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  const deadline = Date.now() + PATIENCE_MS;
  try {
    await client.connect();
    while (Date.now() < deadline) {
      const { rowCount } = await client.query('SELECT FROM pg_stat_activity WHERE application_name = $1', [
        COMMAND,
      ]);
      if (rowCount === 0) return;
      await sleep(50);
    }
  } catch {
    // No need to wait for a server that is gone.
  } finally {
    await client.end().catch(() => undefined);
  }
}
