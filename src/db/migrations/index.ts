import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm';
import type pg from 'pg';

import { databaseError, isOutage } from '../database-error.js';
import { NO_FILTER, withEngine } from './engine.js';
import { migrationList, type MigrationSources, schemaFiles } from './files.js';
import { isLevel } from './level.js';
import { withMigrationLock } from './lock.js';
import { MigrationError } from './migration-error.js';
import { forgetUnfinished, recordWithScript, unfinishedMigrations } from './record.js';
import { refuseIncomplete } from './whole.js';

export { diffSchema } from './diff.js';
export type { MigrationSources } from './files.js';

/** What a database and the folder of migrations lack of each other: names, in order. */
export type MigrationStatus = {
  /** In the folder, not yet in the database. */
  pending: string[];
  /** Applied, and changed in the folder since. */
  edited: string[];
  failed: string[];
  /** In the database, not in the folder: the database is of a newer version. */
  missing: string[];
};

/** The migrations of this build, in their order. */
export const migrationNames = (sources: MigrationSources = {}): string[] =>
  migrationList(sources).migrationDirectories.map(({ path }) => path);

/**
 * Applies what is pending and returns the names. Any number of processes may do this concurrently: one applies, the
 * others wait and find nothing left to do. `beforeUpgrade` may refuse to upgrade a database that an earlier build uses.
 */
export async function migrate(
  url: string,
  sources: MigrationSources = {},
  beforeUpgrade: () => Promise<void> = async () => undefined,
): Promise<string[]> {
  const list = migrationList(sources);
  const schema = schemaFiles(sources);
  return withMigrationLock(url, async (client) => {
    // The first migrations alone, as of an old backup, make no row-level security yet.
    const checkWhole = async () => {
      if (!sources.names) await refuseIncomplete(client, schema);
    };
    if (await isLevel(client, list)) {
      await checkWhole();
      return [];
    }
    let scriptError: unknown = null;
    const onScriptError = (error: unknown) => (scriptError = error);
    const options = { url, schema, prepareScript: recordWithScript(list), onScriptError };
    return withEngine(options, async (engine) => {
      // A process killed during a migration left only its unfinished record.
      const unfinished = await unfinishedMigrations(client);
      await forgetUnfinished(
        client,
        unfinished.filter(({ logs }) => logs === null),
      );
      const status = await statusOf(engine, list);
      refuseDamage(status, list);
      if (status.pending.length < list.migrationDirectories.length) await beforeUpgrade();
      await dropDataViews(client);
      try {
        const { appliedMigrationNames } = await engine.applyMigrations({
          migrationsList: list,
          filters: NO_FILTER,
        });
        await checkWhole();
        return appliedMigrationNames;
      } catch (error) {
        const known = databaseError(scriptError);
        if (!isOutage(known)) throw await explain(error, client);
        // The next start applies it.
        await forgetUnfinished(client, await unfinishedMigrations(client));
        throw known;
      }
    });
  });
}

/** How a database stands to the migrations of this build. Changes nothing. */
export async function migrationStatus(url: string, sources: MigrationSources = {}): Promise<MigrationStatus> {
  return withEngine({ url, schema: schemaFiles(sources) }, (engine) =>
    statusOf(engine, migrationList(sources)),
  );
}

/** Views would block changes of their columns; they are recreated after the migration (src/data). */
async function dropDataViews(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('data.%I', c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'data' AND c.relkind = 'v'`,
  );
  if (rows.length > 0) await client.query(`DROP VIEW ${rows.map(({ name }) => name).join(', ')}`);
}

/** Empties the database: all records, and the queued jobs that refer to them. */
export async function resetDatabase(url: string): Promise<void> {
  await withMigrationLock(url, (client) =>
    client.query(
      'DROP SCHEMA IF EXISTS graphile_worker, public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC',
    ),
  );
}

async function statusOf(engine: SchemaEngine, list: MigrationList): Promise<MigrationStatus> {
  const { editedMigrationNames, failedMigrationNames, history } = await engine.diagnoseMigrationHistory({
    migrationsList: list,
    optInToShadowDatabase: false,
    filters: NO_FILTER,
  });
  return {
    pending: history && 'unappliedMigrationNames' in history ? history.unappliedMigrationNames : [],
    edited: editedMigrationNames,
    failed: failedMigrationNames,
    missing: history && 'unpersistedMigrationNames' in history ? history.unpersistedMigrationNames : [],
  };
}

function refuseDamage({ edited, failed, missing }: MigrationStatus, { baseDir }: MigrationList): void {
  if (missing.length > 0) {
    throw new MigrationError(
      `this build is older than the database: it does not know ${missing.join(', ')}. ` +
        'Start the newer build, or restore a backup from before it',
    );
  }
  if (failed.length > 0) throw new MigrationError(`${failed.join(', ')} failed earlier. ${wayOut(failed)}`);
  if (edited.length === 0) return;
  throw new MigrationError(
    `${edited.join(', ')} in ${baseDir} was edited after it had been applied to this database. ` +
      'Restore the file as it was, and put the change into a new migration',
  );
}

async function explain(error: unknown, client: pg.Client): Promise<unknown> {
  const message = error instanceof Error ? error.message : String(error);
  const failed = (await unfinishedMigrations(client)).map(({ name }) => name);
  if (failed.length > 0) {
    // The engine appends its own stack to the database's message.
    const reason = message.replace(/\n +0: [^]*$/, '').replace('external connector error\n', '');
    return new MigrationError(`${failed.join(', ')} failed: ${reason.trim()}. ${wayOut(failed)}`, {
      cause: error,
    });
  }
  if (message.startsWith('The database schema is not empty')) {
    return new MigrationError(
      'the database already has tables that no migration made: set DATABASE_URL to an empty database',
      { cause: error },
    );
  }
  const [, refusal] = message.match(/^ERROR: ((?:permission denied|must be owner)[^\n]*)/) ?? [];
  if (refusal) {
    return new MigrationError(`the database's login may not apply migrations: ${refusal}`, { cause: error });
  }
  return error;
}

function wayOut(failed: string[]): string {
  const names = failed.map((name) => `'${name}'`).join(', ');
  return (
    'Nothing of it is in the database. Mend its cause, then mark it as rolled back and start again: ' +
    `UPDATE "_prisma_migrations" SET rolled_back_at = now() WHERE finished_at IS NULL AND migration_name IN (${names})`
  );
}
