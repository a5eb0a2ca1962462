import type pg from 'pg';
import type { Scope } from '../../src/db/scope.js';
import { runScoped } from '../../src/db/scoped-query.js';

/** Runs any statement in a scope like those of requests, but without the predicate that they all have. */
export async function runWithin(
  pool: pg.Pool,
  config: pg.QueryConfig,
  scope: Scope,
): Promise<pg.QueryResult> {
  const client = await pool.connect();
  try {
    return await runScoped(client, config, scope);
  } finally {
    client.release();
  }
}
