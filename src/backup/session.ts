import type pg from 'pg';
import { withClient } from '../db/pool/client.js';

/** A session that reads or writes whole tables, each in one statement: the `statement_timeout` of its login does not count. */
export const withSession = <Result>(
  url: string,
  name: 'backup' | 'restore',
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> =>
  withClient({ connectionString: url, application_name: name }, async (client) => {
    await client.query('SET statement_timeout = 0');
    return work(client);
  });
