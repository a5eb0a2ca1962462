import type { MigrationList } from '@prisma/schema-engine-wasm';
import type pg from 'pg';

type UnfinishedMigration = { name: string; logs: string | null };

const UNFINISHED = 'finished_at IS NULL AND rolled_back_at IS NULL';

/**
 * Records a migration as done in the transaction of its script, not afterwards as the engine would: so an unfinished
 * record means that nothing of the script was applied, even if the process was killed.
 */
export function recordWithScript(list: MigrationList): (script: string) => string {
  const scripts = new Set(list.migrationDirectories.map(({ migrationFile }) => migrationFile.content.value));
  return (script) =>
    // The engine also sends statements of its own. CONCURRENTLY works only outside a transaction.
    scripts.has(script) && !/\bconcurrently\b/i.test(script)
      ? `${script}\n;UPDATE "_prisma_migrations" SET finished_at = now() WHERE ${UNFINISHED}`
      : script;
}

/** Whether the database keeps a record of migrations: an empty one has none yet. */
export async function hasRecords(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS exists`,
  );
  return rows[0]?.exists ?? false;
}

/** Migrations that were begun and not finished; without logs they were interrupted, with logs they failed. */
export async function unfinishedMigrations(client: pg.Client): Promise<UnfinishedMigration[]> {
  if (!(await hasRecords(client))) return [];
  const { rows } = await client.query<UnfinishedMigration>(
    `SELECT migration_name AS name, logs FROM "_prisma_migrations" WHERE ${UNFINISHED} ORDER BY started_at`,
  );
  return rows;
}

/** Deletes the records: unlike marking them, this needs no space on a full disk. */
export async function forgetUnfinished(
  client: pg.Client,
  found: readonly UnfinishedMigration[],
): Promise<void> {
  if (found.length === 0) return;
  await client.query(
    `DELETE FROM "_prisma_migrations" WHERE ${UNFINISHED} AND migration_name = ANY($1::text[])`,
    [found.map(({ name }) => name)],
  );
}
