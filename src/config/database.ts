import { flag, integer, postgresUrl, postgresUrls } from './parsers.js';
import type { Variables } from './variables.js';

/** Databases, logins, and limits on connections. */
export interface DatabaseSettings {
  /** Absent: the embedded database in `dataDir`. */
  readonly databaseUrl: string | null;
  /** PostgreSQL itself if `databaseUrl` is the address of a pooler. */
  readonly databaseDirectUrl: string | null;
  /** Standbys that serve lists. */
  readonly databaseReplicaUrls: readonly string[];
  /** A replica that lags more is skipped. */
  readonly replicaMaxLagSeconds: number;
  /** The login of requests and jobs; null: a role created at start. */
  readonly databaseRuntimeUrl: string | null;
  /** Allows requests to log in as the database's owner in production if there is no restricted login. */
  readonly allowOwnerLogin: boolean;
  /** How long the start waits for an unavailable database. */
  readonly databaseWaitSeconds: number;
  readonly poolSize: number;
  /** Maximum connections that one organisation's statements use at a time. */
  readonly maxStatementsPerOrganisation: number;
}

export function readDatabase(
  variables: Variables,
  { production }: { production: boolean },
): DatabaseSettings {
  const databaseUrl = variables.read<string | null>('DATABASE_URL', postgresUrl, null);
  if (production && variables.isEmpty('DATABASE_URL')) {
    variables.refuse(
      'DATABASE_URL is empty: in production it must be the address of PostgreSQL; for the embedded database, leave it out',
    );
  }
  const databaseDirectUrl = variables.read<string | null>('DATABASE_DIRECT_URL', postgresUrl, null);
  if (databaseDirectUrl !== null && databaseUrl === null) {
    variables.refuse('DATABASE_URL is needed with DATABASE_DIRECT_URL: the address of the pooler');
  }
  const databaseReplicaUrls = variables.read<string[]>('DATABASE_REPLICA_URL', postgresUrls, []);
  if (databaseReplicaUrls.length > 0 && databaseUrl === null) {
    variables.refuse('DATABASE_URL is needed with DATABASE_REPLICA_URL: the address of their primary');
  }
  const poolSize = variables.read('POOL_SIZE', integer(1, 1000), 10);
  return {
    databaseUrl,
    databaseDirectUrl,
    databaseReplicaUrls,
    replicaMaxLagSeconds: variables.read('DATABASE_REPLICA_MAX_LAG_SECONDS', integer(1, 3600), 10),
    databaseRuntimeUrl: variables.read<string | null>('DATABASE_RUNTIME_URL', postgresUrl, null),
    allowOwnerLogin: variables.read('ALLOW_OWNER_LOGIN', flag, false),
    databaseWaitSeconds: variables.read('DATABASE_WAIT_SECONDS', integer(0, 86_400), 60),
    poolSize,
    maxStatementsPerOrganisation: variables.read(
      'MAX_STATEMENTS_PER_ORGANISATION',
      integer(1, 1000),
      Math.max(1, poolSize - 2),
    ),
  };
}
