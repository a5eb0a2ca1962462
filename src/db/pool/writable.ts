import type pg from 'pg';
import { unavailable } from '../database-error.js';

/**
 * Throws if the server is read-only, as after a failover to another one: a session that stays gets no notifications, and its
 * locks protect nothing.
 */
export async function checkWritable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ reads: boolean }>(
    `SELECT current_setting('transaction_read_only')::boolean AS reads`,
  );
  if (rows[0]?.reads) throw unavailable(new Error('the server only reads: another one has taken over'));
}
