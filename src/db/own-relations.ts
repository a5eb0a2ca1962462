import type pg from 'pg';
import { ownTables, schemaFiles } from './migrations/files.js';

/** What is not described by a model. */
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
