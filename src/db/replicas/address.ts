import type pg from 'pg';
import { AppError } from '../../errors.js';
import { withClient } from '../pool/client.js';
import { Login } from '../pool/login.js';
import { loginOf, withLogin } from '../pool/url-login.js';
import { refusePooler } from '../opening/pooler.js';

/** A server's self-reported state. */
export interface ServerState {
  /** A database identifier, unique across servers; a standby has its primary's. */
  readonly database: string;
  readonly isStandby: boolean;
  /** Its log position: written for a primary, replayed for a standby. */
  readonly lsn: string;
  /** Each promotion begins a new timeline. A standby reports the one it follows as of its last restart point. */
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

/** The login of requests at a replica: it has its primary's roles and passwords, so that only its address is needed. */
export function replicaLogin(address: string, { direct }: Login): Login {
  const at = (url: string): string => withLogin(address, loginOf(url));
  const [first, ...others] = direct.urls;
  return new Login([at(first), ...others.map(at)]);
}

/** A replica's display name. */
export function replicaName(address: string): string {
  const { hostname, port } = new URL(address);
  return `${hostname}:${port || '5432'}`;
}

/**
 * Throws if a replica belongs to another database, or is a pooler that gives every transaction another session. Accepts
 * one that does not answer, refuses the login or is no longer a standby: that may be temporary, such as a new password
 * not replayed yet.
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
