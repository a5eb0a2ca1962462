import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { MigrationList } from '@prisma/schema-engine-wasm';

export type MigrationSources = { schemaPath?: string; migrationsDir?: string };

/** The same from `src` (jest) and from `dist`: both lie one below the package. */
const PACKAGE_ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export function schemaFile({ schemaPath }: MigrationSources): { path: string; content: string } {
  const path = schemaPath ?? join(PACKAGE_ROOT, 'prisma', 'schema.prisma');
  return { path, content: readFileSync(path, 'utf8') };
}

/** The folder of migrations in the form in which the engine wants it. */
export function migrationList({ migrationsDir }: MigrationSources): MigrationList {
  const baseDir = migrationsDir ?? join(PACKAGE_ROOT, 'prisma', 'migrations');
  const lockfile = join(baseDir, 'migration_lock.toml');
  const names = readdirSync(baseDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
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
