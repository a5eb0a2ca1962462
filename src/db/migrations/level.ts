import { createHash } from 'node:crypto';

import type { MigrationList } from '@prisma/schema-engine-wasm';
import type pg from 'pg';
import { hasRecords } from './record.js';

/**
 * Whether exactly the migrations of the list are applied, unedited: then the engine, whose loading takes a fifth of a
 * warm start, is not needed. The engine handles all other cases.
 */
export async function isLevel(client: pg.Client, list: MigrationList): Promise<boolean> {
  if (!(await hasRecords(client))) return false;
  const { rows } = await client.query<{ name: string; checksum: string; finished: boolean }>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished FROM "_prisma_migrations"
     WHERE rolled_back_at IS NULL ORDER BY migration_name COLLATE "C"`,
  );
  const wanted = list.migrationDirectories.map(({ path, migrationFile }) => ({
    name: path,
    checksum: createHash('sha256').update(migrationFile.content.value).digest('hex'),
    finished: true,
  }));
  return JSON.stringify(rows) === JSON.stringify(wanted);
}
