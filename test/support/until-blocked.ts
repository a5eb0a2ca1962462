import type pg from 'pg';
import { databaseUrl } from './database.js';
import { withClient } from './nodes.js';
import { until } from './until.js';

/** On a cluster, statements may wait at any node. */
const databases = (process.env['TEST_DATABASE_NODES'] ?? '')
  .split(' ')
  .map((node) => Object.assign(new URL(node), { pathname: new URL(databaseUrl).pathname }).href);

const blockedIn = (database: string): Promise<number> =>
  withClient(database, async (client: pg.Client) => {
    const { rows } = await client.query(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
    );
    return rows.length;
  });

/** Waits until at least `count` statements in this file's database wait for another one. */
export const untilBlocked = (count = 1) =>
  until('a statement that waits for another', async () => {
    const blocked = await Promise.all(databases.map(blockedIn));
    return blocked.reduce((sum, one) => sum + one, 0) >= count;
  });
