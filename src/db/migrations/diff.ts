import { dirname } from 'node:path';

import { NO_FILTER, withEngine } from './engine.js';
import { type MigrationSources, schemaFile } from './files.js';
import { lackingSql } from './lacking-sql.js';

/** The SQL that the live database still lacks to be what the schema file says; null when it lacks nothing. */
export async function diffSchema(url: string, sources: MigrationSources = {}): Promise<string | null> {
  const schema = schemaFile(sources);
  const { stdout } = await withEngine({ url, schema }, (engine) =>
    engine.diff({
      from: { tag: 'schemaDatasource', files: [schema], configDir: dirname(schema.path) },
      to: { tag: 'schemaDatamodel', files: [schema] },
      script: true,
      exitCode: null,
      filters: NO_FILTER,
    }),
  );
  return lackingSql(stdout ?? '');
}
