import type pg from 'pg';

/** Tables distributed over the nodes of a cluster (docs/scale.md); none on plain PostgreSQL. */
export async function spreadTables(database: pg.Pool | pg.ClientBase): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<{ exists: boolean }>(
    `SELECT to_regclass('pg_dist_partition') IS NOT NULL AS exists`,
  );
  if (!rows[0]?.exists) return new Set();
  const { rows: tables } = await database.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_dist_partition d JOIN pg_class c ON c.oid = d.logicalrelid
     WHERE c.relnamespace = 'public'::regnamespace AND d.partmethod = 'h'`,
  );
  return new Set(tables.map(({ name }) => name));
}

/**
 * Whether the change log is distributed: then records may be, too, and PostgreSQL sends no notifications of changes.
 */
export const isDistributed = async (database: pg.Pool | pg.ClientBase): Promise<boolean> =>
  (await spreadTables(database)).has('change_heads');
