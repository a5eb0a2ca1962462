import { withClient } from '../pool/client.js';
import { spreadTables } from '../spread-tables.js';
import { NO_FILTER, withEngine } from './engine.js';
import { type MigrationSources, schemaFiles, schemaFolder } from './files.js';
import { lackingSql } from './lacking-sql.js';

/** The SQL that would bring the live database to the schema; null if nothing is missing. */
export async function diffSchema(url: string, sources: MigrationSources = {}): Promise<string | null> {
  const schema = schemaFiles(sources);
  const { stdout } = await withEngine({ url, schema }, (engine) =>
    engine.diff({
      from: { tag: 'schemaDatasource', files: schema, configDir: schemaFolder(sources) },
      to: { tag: 'schemaDatamodel', files: schema },
      script: true,
      exitCode: null,
      filters: NO_FILTER,
    }),
  );
  const spread = await withClient({ connectionString: url }, spreadTables);
  return lackingSql(stdout ?? '', spread);
}
