import { runMigrations } from 'graphile-worker';
import pg from 'pg';

import { databaseError } from '../db/database-error.js';
import { reportLosses } from '../db/pool/pool.js';
import { silent } from './silent.js';

/** Creates graphile-worker's own tables, in a separate schema. */
export async function migrateJobs(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1, application_name: 'svc worker' });
  reportLosses(pool, () => undefined);
  try {
    await runMigrations({ pgPool: pool, logger: silent });
  } catch (error) {
    throw databaseError(error);
  } finally {
    await pool.end();
  }
}
