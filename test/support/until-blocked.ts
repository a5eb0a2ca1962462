import { admin } from './admin.js';
import { until } from './until.js';

/** Until so many statements in the file's database wait for another one. */
export const untilBlocked = (count = 1) =>
  until('a statement that waits for another', async () => {
    const { rows } = await admin.pool.query(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
    );
    return rows.length >= count;
  });
