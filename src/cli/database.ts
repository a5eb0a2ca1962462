import type { Config } from '../config/config.js';
import { refreshDataViews } from '../data/refresh.js';
import { withClient } from '../db/pool/client.js';
import { connectDatabase, connectOwner, type Database, type OwnerDatabase } from '../db/database.js';
import { Login } from '../db/pool/login.js';
import { migrate } from '../db/migrations/index.js';
import { openDatabase, type OpenedDatabase } from '../db/opening/open.js';
import { APPLICATION_NAME } from '../db/pool/pool.js';
import { AppError } from '../errors.js';
import { Interrupted } from './interrupted.js';
import { readSettings } from './settings.js';

interface CommandDatabase {
  readonly opened: OpenedDatabase;
  readonly config: Config;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/**
 * Opens the configured database while `work` runs: the external one, the running service's, or the embedded one,
 * started temporarily. Ctrl-C throws Interrupted and stops a database that was started here.
 */
export async function withOpenDatabase<Result>(
  mode: 'own' | 'attach',
  work: (database: CommandDatabase) => Promise<Result>,
): Promise<Result> {
  const config = readSettings();
  const stop = new AbortController();
  const interrupted = new Promise<never>((_resolve, reject) => {
    stop.signal.addEventListener('abort', () => reject(new Interrupted()));
  });
  interrupted.catch(() => undefined);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort());
  const opened = await openDatabase(config, mode);
  try {
    stop.signal.throwIfAborted();
    return await Promise.race([work({ opened, config, signal: stop.signal }), interrupted]);
  } catch (error) {
    throw stop.signal.aborted ? new Interrupted() : error;
  } finally {
    await opened.close();
  }
}

/** Database access for the operator: all organisations at once, or one within its scope. */
export type OperatorDatabase = Database & Pick<OwnerDatabase, 'prisma'> & { readonly url: string };

/** The same with a migrated database, connected as its owner. */
export function withDatabase<Result>(
  work: (database: OperatorDatabase, config: Config) => Promise<Result>,
): Promise<Result> {
  return withOpenDatabase('attach', async ({ opened, config }) => {
    await migrateUnused(opened.url);
    const login = new Login([opened.url]);
    // A lost connection fails the running statement.
    const database = await connectDatabase(login, { ...config, poolSize: 1 }, { onError: () => undefined });
    const owner = connectOwner(login);
    try {
      const { url } = opened;
      return await work(
        {
          ...database,
          url,
          get prisma() {
            return owner.prisma;
          },
        },
        config,
      );
    } finally {
      await owner.close();
      await database.close();
    }
  });
}

/** Migrates the database, unless services of an earlier build are running on it: they may not work with the new schema. */
export async function migrateUnused(url: string): Promise<void> {
  const applied = await migrate(url, {}, () =>
    refuseInUse(url, 'it lacks migrations of this build. Stop the service first, or use its own build'),
  );
  if (applied.length > 0) await refreshDataViews(url);
}

/**
 * Refuses an external database with running services, which has no owner lock: they would go on using dropped tables.
 */
export async function refuseInUse(url: string, advice = 'stop it first'): Promise<void> {
  const { rows } = await withClient({ connectionString: url }, (client) =>
    client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()
         AND (application_name LIKE 'svc%' OR application_name = $1)`,
      [APPLICATION_NAME],
    ),
  );
  const count = rows[0]?.count ?? 0;
  if (count === 0) return;
  throw new AppError('conflict', `a service is using this database (${count} connections): ${advice}`);
}
