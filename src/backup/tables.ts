import pg from 'pg';
import { ownRelations } from '../db/own-relations.js';
import { spreadTables } from '../db/spread-tables.js';

/** A table of the service, as a backup lists it. */
export interface BackupTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Tables that the migrations of either schema fill; per-minute counters; data that clients send again. */
const NOT_DATA = [
  'public._prisma_migrations',
  'graphile_worker.migrations',
  'public.request_budgets',
  'public.live_subscriptions',
  'public.persisted_queries',
];

/** Whether the migrations of the service have made its tables. */
export async function hasOwnTables(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `SELECT to_regclass('public."_prisma_migrations"') IS NOT NULL AND to_regclass('public.organisations') IS NOT NULL AS found`,
  );
  return rows[0]?.found ?? false;
}

/** Whether relation `c` in schema `n` is the service's and not the operator's; $1 has the names of its tables. */
const IS_OURS = `(n.nspname = 'graphile_worker' OR n.nspname = 'public' AND c.relname = ANY ($1))`;

/** Every table of the service with data, referenced tables first; generated columns are left out. */
export async function listTables(client: pg.ClientBase): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable & { refersTo: string[] }>(
    `SELECT n.nspname || '.' || c.relname AS name,
       ARRAY(SELECT a.attname::text FROM pg_attribute a
             WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
             ORDER BY a.attnum) AS columns,
       ARRAY(SELECT DISTINCT fn.nspname || '.' || f.relname FROM pg_constraint k
             JOIN pg_class f ON f.oid = k.confrelid JOIN pg_namespace fn ON fn.oid = f.relnamespace
             WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid <> c.oid) AS "refersTo"
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND ${IS_OURS}
       AND n.nspname || '.' || c.relname <> ALL ($2)
     ORDER BY 1`,
    [ownRelations(), NOT_DATA],
  );
  const ordered: BackupTable[] = [];
  const waiting = new Map(rows.map((row) => [row.name, row]));
  // Spread tables have no foreign keys, but may be restored into a database that has them.
  const spread = new Set([...(await spreadTables(client))].map((name) => `public.${name}`));
  const others = rows.map(({ name }) => name).filter((name) => !spread.has(name));
  for (const row of rows) if (spread.has(row.name)) row.refersTo = others;
  while (waiting.size > 0) {
    const free = [...waiting.values()].filter(({ refersTo }) => !refersTo.some((name) => waiting.has(name)));
    if (free.length === 0) throw new Error(`tables refer to each other: ${[...waiting.keys()].join(', ')}`);
    for (const { name, columns } of free) {
      waiting.delete(name);
      ordered.push({ name, columns });
    }
  }
  return ordered;
}

/** Every sequence of the service. */
export async function listSequences(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT n.nspname || '.' || c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'S' AND ${IS_OURS} ORDER BY 1`,
    [ownRelations()],
  );
  return rows.map(({ name }) => name);
}

/** `public.companies` as SQL writes it. */
export const quoteName = (name: string): string => name.split('.').map(pg.escapeIdentifier).join('.');

export const columnsOf = ({ columns }: BackupTable): string => columns.map(pg.escapeIdentifier).join(', ');
