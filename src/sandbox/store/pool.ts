import pg from 'pg';
import { createTables } from './tables.js';

/** Opens a pool on the sandbox's own schema, so that it may share a database with others. */
export async function openPool(databaseUrl: string, schema: string): Promise<pg.Pool> {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) throw new Error(`${schema} cannot be the name of a schema`);
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 8,
    application_name: 'sandbox',
    // Times are parsed to milliseconds and bigints to numbers: all are far below 2^53. A crash of the machine may
    // lose commits, but this is only sandbox data.
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it; its types are older
    onConnect: (client) =>
      client.query(`SET search_path = ${schema}; SET synchronous_commit = off; SET timezone = 'UTC'`),
    types: { getTypeParser },
  });
  // A broken connection shows up in its current or next statement; without listeners it would end the process.
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
