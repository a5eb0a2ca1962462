import pg from 'pg';
import { createTables } from './tables.js';

/** The sandbox's own schema: it may share a database with others. */
export async function openPool(databaseUrl: string, schema: string): Promise<pg.Pool> {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) throw new Error(`${schema} cannot be the name of a schema`);
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 8,
    application_name: 'sandbox',
    // Times come as milliseconds and bigints as numbers: all of them are far below 2^53. What is lost in a crash of the
    // machine is sandbox data.
    options: `-c search_path=${schema} -c synchronous_commit=off -c timezone=UTC`,
    types: { getTypeParser },
  });
  // A connection that breaks shows in its statement or the next one; without listeners it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    await createTables(pool, schema);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return pool;
}

const BIGINT = 20;

function getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
  if (oid === BIGINT) return Number;
  return pg.types.getTypeParser(oid, format);
}
