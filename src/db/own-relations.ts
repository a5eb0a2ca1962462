import type pg from 'pg';
import { ownTables, schemaFiles } from './migrations/files.js';

/** Relations without a Prisma model. */
const WITHOUT_MODEL = ['_prisma_migrations', 'svc_id_seq', 'audit_events_svc_id_seq'];

/** Tables and sequences of the service in `public`, without partitions. */
export const ownRelations = (): string[] => [...ownTables(schemaFiles({})), ...WITHOUT_MODEL];

/** The operator's tables and views in `public`, without partitions and what an extension made. */
export async function foreignTables(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'f', 'v', 'm') AND NOT c.relispartition
       AND c.relname <> ALL ($1)
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
     ORDER BY 1`,
    [ownRelations()],
  );
  return rows.map(({ name }) => name);
}

/**
 * The operator's objects that would be dropped with `public`: extensions in it, objects partly in another schema, and
 * types in it of columns elsewhere, which would go, too, also those of arrays, domains and ranges of them.
 */
export async function boundToPublic(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `WITH RECURSIVE bound (oid, typarray, name) AS (
       SELECT t.oid, t.typarray, t.typname FROM pg_type t
       WHERE t.typnamespace = 'public'::regnamespace AND NOT EXISTS (SELECT FROM pg_type e WHERE e.typarray = t.oid)
         AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e')
       UNION
       SELECT y.oid, y.typarray, b.name FROM bound b JOIN pg_type y ON y.oid = b.typarray OR y.typbasetype = b.oid
         OR y.oid IN (SELECT unnest(ARRAY[r.rngtypid, r.rngmultitypid]) FROM pg_range r WHERE r.rngsubtype = b.oid)
     )
     SELECT 'extension ' || extname AS name FROM pg_extension WHERE extnamespace = 'public'::regnamespace
     UNION
     SELECT n.nspname || '.' || v.relname FROM pg_depend d
       JOIN pg_class t ON t.oid = d.refobjid AND t.relnamespace = 'public'::regnamespace
       JOIN pg_rewrite r ON r.oid = d.objid
       JOIN pg_class v ON v.oid = r.ev_class JOIN pg_namespace n ON n.oid = v.relnamespace
     WHERE d.refclassid = 'pg_class'::regclass AND d.classid = 'pg_rewrite'::regclass
       AND n.nspname NOT IN ('public', 'data')
     UNION
     SELECT 'type public.' || b.name FROM bound b JOIN pg_attribute a ON a.atttypid = b.oid AND NOT a.attisdropped
       JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname NOT IN ('public', 'data') AND c.relkind IN ('r', 'p', 'f', 'c')
     UNION
     SELECT 'public.' || c.relname FROM pg_class c JOIN pg_class o ON o.oid = pg_partition_root(c.oid)
     WHERE c.relnamespace = 'public'::regnamespace AND c.relispartition AND o.relnamespace <> c.relnamespace
     ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}
