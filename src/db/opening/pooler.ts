import type pg from 'pg';
import { AppError } from '../../errors.js';
import { DatabaseClient, withClient } from '../pool/client.js';
import { isPoolerRefusal, type Login } from '../pool/login.js';
import { loginOf } from '../pool/url-login.js';

/** A pooler that rotates its sessions may give the same one by chance. */
const ROUNDS = 5;

/** Why an address cannot be used for work that needs its own session. */
const NO_SESSION =
  'a connection pooler answers there that gives every transaction another session (pool_mode=transaction), but locks, LISTEN, jobs and migrations need a session of their own';

/**
 * Throws if statements of one connection run in shared sessions: `advice` says what to set. PostgreSQL tells a
 * connection the id of its backend process; a pooler cannot. Whether a pooler keeps one session per connection shows
 * only with a second connection.
 */
export async function refusePooler(
  client: pg.Client,
  config: pg.ClientConfig,
  advice: string,
): Promise<void> {
  if ((await pidOf(client)) === (client as unknown as { processID: number }).processID) return;
  const other = new DatabaseClient(config);
  try {
    await other.connect();
    for (let round = 0; round < ROUNDS; round += 1) {
      // Twice one connection, once the other: an even number of rotating sessions would look dedicated otherwise.
      const mine = [await pidOf(client), await pidOf(client)];
      const its = await pidOf(other);
      if (mine[0] !== mine[1] || its === mine[0])
        throw new AppError('invalid-params', `${NO_SESSION}: ${advice}`);
    }
  } finally {
    await other.end().catch(() => undefined);
  }
}

async function pidOf(client: pg.Client): Promise<number | undefined> {
  return (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
}

/** Throws if the pooler refuses the login of requests, or leads to another database than the direct address. */
export async function checkPooler(login: Login): Promise<void> {
  if (!login.isPooled) return;
  const { host } = new URL(login.url);
  const there = await databaseAt(login.url).catch((error: unknown) => {
    const { cause } = error as { cause?: Error };
    if (!isPoolerRefusal(cause)) throw error;
    throw new AppError(
      'invalid-params',
      `leads to the pooler at ${host}, which refuses ${loginOf(login.url).user}, the login of requests: ${cause?.message}. ` +
        'It must know that login, preferably through auth_query (docs/operations.md); or set DATABASE_RUNTIME_URL to a login that it knows',
      'DATABASE_URL',
      { cause: error },
    );
  });
  if (there === (await databaseAt(login.direct.url))) return;
  throw new AppError(
    'invalid-params',
    `leads, through ${host}, to a different database than DATABASE_DIRECT_URL`,
    'DATABASE_URL',
  );
}

/** A database identifier, unique across servers. */
function databaseAt(url: string): Promise<string | undefined> {
  return withClient(
    { connectionString: url, connectionTimeoutMillis: 5000, query_timeout: 5000 },
    async (client) => {
      // A pooler that gives every statement another session refuses it.
      await client.query('BEGIN');
      const { rows } = await client.query<{ id: string }>(
        `SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || oid AS id
       FROM pg_database WHERE datname = current_database()`,
      );
      await client.query('COMMIT');
      return rows[0]?.id;
    },
  );
}
