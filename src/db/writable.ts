import type pg from 'pg';
import { unavailable } from './database-error.js';

/**
 * Fails where the server only reads since another one has taken over: whoever stays there hears of nothing, and holds locks
 * that nobody sees.
 */
export async function checkWritable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ reads: boolean }>(
    `SELECT current_setting('transaction_read_only')::boolean AS reads`,
  );
  if (rows[0]?.reads) throw unavailable(new Error('the server only reads: another one has taken over'));
}
