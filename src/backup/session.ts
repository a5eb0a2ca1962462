import type pg from 'pg';
import { withClient } from '../db/pool/client.js';

/** `transaction_timeout` is there from PostgreSQL 17 on. */
const TIMEOUTS = [
  'lock_timeout',
  'statement_timeout',
  'transaction_timeout',
  'idle_in_transaction_session_timeout',
];

/**
 * A session that reads or writes whole tables in one transaction, and waits in it for a slow file: the timeouts of its
 * login and database do not count.
 */
export const withSession = <Result>(
  url: string,
  name: 'backup' | 'restore',
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> =>
  withClient({ connectionString: url, application_name: name }, async (client) => {
    const text = `SELECT set_config(name, '0', false) FROM pg_settings WHERE name = ANY($1)`;
    await client.query(text, [TIMEOUTS]);
    return work(client);
  });
