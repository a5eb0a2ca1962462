import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { MigrationList } from '@prisma/schema-engine-wasm';

import { packagePath } from '../../package-path.js';

/** The folder of model files, nested or not, and the folder of migrations. */
export type MigrationSources = {
  schemaDir?: string;
  migrationsDir?: string;
  /** Restricts the folder to these migrations, for a database at an earlier version. */
  names?: readonly string[];
};

export type SchemaFile = { path: string; content: string };

export function schemaFolder({ schemaDir }: MigrationSources): string {
  return schemaDir ?? packagePath('prisma');
}

/** Every `.prisma` file of the folder, in the order of Prisma's CLI. */
export function schemaFiles(sources: MigrationSources): SchemaFile[] {
  const folder = schemaFolder(sources);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.prisma'))
    .sort()
    .map((name) => join(folder, name))
    .map((path) => ({ path, content: readFileSync(path, 'utf8') }));
}

/** Tables of the service. Others in its schema are the operator's. */
export const ownTables = (schema: readonly SchemaFile[]): string[] =>
  schema.flatMap(({ content }) => content.match(/(?<=@@map\(")[^"]+(?="\))/g) ?? []);

/** The folder of migrations in the engine's format. */
export function migrationList(sources: MigrationSources): MigrationList {
  const baseDir = sources.migrationsDir ?? packagePath('prisma/migrations');
  const lockfile = join(baseDir, 'migration_lock.toml');
  const names = readdirSync(baseDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .filter((name) => sources.names?.includes(name) ?? true)
    .sort();
  return {
    baseDir,
    lockfile: {
      path: 'migration_lock.toml',
      content: existsSync(lockfile) ? readFileSync(lockfile, 'utf8') : null,
    },
    shadowDbInitScript: '',
    migrationDirectories: names.map((name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok', value: readFileSync(join(baseDir, name, 'migration.sql'), 'utf8') },
      },
    })),
  };
}
