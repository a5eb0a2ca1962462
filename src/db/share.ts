import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { AppError } from '../errors.js';
import { databaseError } from './database-error.js';
import { attachEmbedded } from './embedded/index.js';

/** Names the sessions that stand for a command at work. */
const COMMAND = 'svc command';
/** A database that is being made does not exist yet. */
const NO_DATABASE = '3D000';
const PATIENCE_MS = 10_000;

/**
 * The running embedded database, held by a session for which a command that started it waits; null when none runs. One
 * that turns out to be stopping is waited for.
 */
export async function holdEmbedded(config: {
  dataDir: string;
}): Promise<{ url: string; release(): Promise<void> } | null> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const running = await attachEmbedded(config);
    if (!running) return null;
    const client = new pg.Client({ connectionString: running.url, application_name: COMMAND });
    // A lost connection shows in the command's own statements.
    client.on('error', () => undefined);
    const release = () => client.end().catch(() => undefined);
    try {
      await client.connect();
      return { url: running.url, release };
    } catch (error) {
      await release();
      const isPassing =
        databaseError(error) instanceof AppError || (error as { code?: string }).code === NO_DATABASE;
      if (!isPassing || Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

/** Waits until no command holds the database any more, but not for ever. */
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
    // A server that is gone needs no waiting.
  } finally {
    await client.end().catch(() => undefined);
  }
}
