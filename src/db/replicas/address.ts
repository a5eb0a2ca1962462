import type pg from 'pg';
import { AppError } from '../../errors.js';
import { withClient } from '../client.js';
import { Login } from '../login.js';
import { refusePooler } from '../pooler.js';

/** What a server says of itself. */
export interface ServerState {
  /** What no two databases have in common, also those of two servers; that of a standby is its primary's. */
  readonly database: string;
  readonly isStandby: boolean;
  /** Up to where it has its log: a primary has written it, a standby replayed it. */
  readonly lsn: string;
  /** Each promotion begins another one. A standby knows of the one that it follows from its last restart point on. */
  readonly timeline: number;
}

const STATE = `SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || oid AS database,
    pg_is_in_recovery() AS "isStandby",
    COALESCE(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END, '0/0')::text AS lsn,
    CASE WHEN pg_is_in_recovery()
      THEN (SELECT GREATEST(c.timeline_id, r.min_recovery_end_timeline) FROM pg_control_checkpoint() c, pg_control_recovery() r)
      ELSE ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int END AS timeline
  FROM pg_database WHERE datname = current_database()`;

export async function readServerState(runner: pg.Pool | pg.Client): Promise<ServerState> {
  const { rows } = await runner.query<ServerState>(STATE);
  const [state] = rows;
  if (!state) throw new Error('the server does not know its own database');
  return state;
}

/** How requests log in at a replica: its roles and passwords are its primary's, so that only its address is needed. */
export function replicaLogin(address: string, { direct }: Login): Login {
  const at = (url: string): string => {
    const { username, password } = new URL(url);
    return Object.assign(new URL(address), { username, password }).href;
  };
  const [first, ...others] = direct.urls;
  return new Login([at(first), ...others.map(at)]);
}

/** By which people know a replica. */
export function replicaName(address: string): string {
  const { hostname, port } = new URL(address);
  return `${hostname}:${port || '5432'}`;
}

/**
 * Throws where a replica answers that is another database's, or a pooler that gives every transaction another session. One
 * that does not answer, lets nobody in, or is no standby any more may do so later: it may not have replayed a new password.
 */
export async function checkReplicas(addresses: readonly string[], login: Login): Promise<void> {
  if (addresses.length === 0) return;
  const { database } = await withClient(settingsOf(login.direct), readServerState);
  for (const address of addresses) await checkReplica(address, { login, database });
}

async function checkReplica(
  address: string,
  { login, database }: { readonly login: Login; readonly database: string },
): Promise<void> {
  const settings = settingsOf(replicaLogin(address, login));
  try {
    await withClient(settings, async (client) => {
      const state = await readServerState(client);
      if (state.database !== database)
        throw new AppError(
          'invalid-params',
          `DATABASE_REPLICA_URL: ${replicaName(address)} is not a standby of the database of DATABASE_URL, but another database`,
        );
      await refusePooler(client, settings, 'name the replica itself in DATABASE_REPLICA_URL');
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid-params') throw error;
  }
}

const PATIENCE_MS = 5000;

const settingsOf = ({ url }: Login): pg.ClientConfig => ({
  connectionString: url,
  connectionTimeoutMillis: PATIENCE_MS,
  query_timeout: PATIENCE_MS,
});
