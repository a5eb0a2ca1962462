import pg from 'pg';
import type { Config } from '../config.js';
import { AppError } from '../errors.js';
import { DataFolderError, startEmbedded } from './embedded/index.js';
import { holdEmbedded, untilReleased } from './share.js';

/** Where the database is, and how to let go of it. */
export interface OpenedDatabase {
  readonly url: string;
  readonly embedded: boolean;
  close(): Promise<void>;
}

const OLDEST_SERVER = 150_000;

/**
 * The database of `DATABASE_URL`, or the embedded one. `own` starts the embedded server and refuses one that another
 * start holds; `attach` uses that one, for a command beside a running service. Throws with one clear message.
 */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  mode: 'own' | 'attach',
): Promise<OpenedDatabase> {
  if (config.databaseUrl !== null) {
    await probe(config.databaseUrl);
    return { url: config.databaseUrl, embedded: false, close: async () => {} };
  }
  return mode === 'own' ? ownEmbedded(config) : shareEmbedded(config);
}

async function ownEmbedded(config: { dataDir: string }): Promise<OpenedDatabase> {
  const started = await startEmbedded(config);
  return { url: started.url, embedded: true, close: () => started.stop() };
}

/** Whoever is first starts it; commands that run at the same time use it until the last of them is done. */
async function shareEmbedded(config: { dataDir: string }): Promise<OpenedDatabase> {
  for (let attempt = 1; ; attempt += 1) {
    const held = await holdEmbedded(config);
    if (held) return { url: held.url, embedded: true, close: () => held.release() };
    try {
      const started = await startEmbedded(config);
      const close = () => untilReleased(started.url).then(() => started.stop());
      return { url: started.url, embedded: true, close };
    } catch (error) {
      // Another start may have been faster.
      if (!(error instanceof DataFolderError) || attempt === 3) throw error;
    }
  }
}

async function probe(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  const { host, pathname } = new URL(url);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number; name: string }>(
      `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name`,
    );
    const [server] = rows;
    if (server && server.version < OLDEST_SERVER) {
      throw new AppError(
        'service-unavailable',
        `the server is PostgreSQL ${server.name}, 15 or later is needed`,
      );
    }
  } catch (error) {
    const { message, code } = error as { message?: string; code?: string };
    const reason = message || code || 'no answer';
    throw new AppError(
      'service-unavailable',
      `DATABASE_URL: cannot use ${pathname.slice(1)} at ${host}: ${reason}`,
      'DATABASE_URL',
      { cause: error },
    );
  } finally {
    await client.end().catch(() => {});
  }
}
