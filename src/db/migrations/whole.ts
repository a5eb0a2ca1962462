import type pg from 'pg';
import { ownTables, type SchemaFile } from './files.js';
import { MigrationError } from './migration-error.js';

/** Names shown; a database without indexes lacks them in all tables. */
const MAX_SHOWN = 5;

/**
 * Throws for a migrated database that lacks what its migrations made: an import that broke off has the tables, their records and
 * the list of migrations first, and only then what keeps organisations apart and records unique.
 */
export async function refuseIncomplete(client: pg.Client, schema: readonly SchemaFile[]): Promise<void> {
  const { rows } = await client.query<{ name: string; lacks: string }>(
    `SELECT t.name, CASE WHEN t.key THEN 'row-level security' ELSE 'primary key' END AS lacks FROM (
       SELECT c.relname AS name,
         EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary AND i.indisvalid) AS key,
         c.relrowsecurity AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid) AS walls
       FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
         AND c.relname = ANY($1) AND (c.relname = 'organisations' OR EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid
           AND a.attname = 'svc_organisation_id' AND NOT a.attisdropped))) t
     WHERE NOT (t.key AND t.walls) ORDER BY 1`,
    [ownTables(schema)],
  );
  if (rows.length === 0) return;
  const shown = rows.slice(0, MAX_SHOWN).map(({ name, lacks }) => `${name} has no ${lacks}`);
  const more = rows.length > MAX_SHOWN ? `, and ${rows.length - MAX_SHOWN} other tables lack as much` : '';
  throw new MigrationError(
    `the database was not restored completely: ${shown.join(', ')}${more}. ` +
      'Restore it again, into an empty database, and stop at the first error (pg_restore --exit-on-error)',
  );
}
