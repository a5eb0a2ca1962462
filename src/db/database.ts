import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import type { Config } from '../config/config.js';
import type { Logger } from '../telemetry/log.js';
import { AppError } from '../errors.js';
import { PrismaClient } from './__generated__/client.js';
import { raiseKnown } from './database-error.js';
import { Connections } from './pool/connections.js';
import type { Login } from './pool/login.js';
import { createPool, type PoolReports } from './pool/pool.js';
import { prismaPool } from './pool/prisma-pool.js';
import { Nodes } from './pool/nodes.js';
import { openProbe } from './pool/probe.js';
import { Replicas } from './replicas/index.js';
import type { Scope } from './scope.js';
import { countStatements, createTenantClient, type TenantClient } from './tenant-client.js';
import { Wakes } from './wakes.js';
import { type ReadOptions, type StatementCount, TenantSql } from './tenant-sql.js';

/** A migrated database, ready for requests and jobs: one pool under Prisma and the hot reads. */
export interface Database {
  /** For functions that look up the subject of a request or job; tenant tables are empty without a scope. */
  readonly pool: pg.Pool;
  /** Aborting `ending` cancels reads in PostgreSQL; `count` counts each statement. */
  sql(scope: Scope, options?: ReadOptions): TenantSql;
  /**
   * The same for lists: reads at a replica that has everything committed before the request, and the change log up to
   * `position`; at the primary if there is none.
   */
  lists(scope: Scope, options?: ReadOptions & { readonly position?: number }): TenantSql;
  /** Null if no replicas are configured. */
  readonly replicas: Replicas | null;
  /** `count` counts each operation. */
  client(scope: Scope, count?: StatementCount): TenantClient;
  /** Number of statements waiting for a connection. */
  readonly waiting: () => number;
  /** Notifications about what other processes store. */
  readonly wakes: Wakes;
  /** Whether the server answers now, over a connection reserved for this. */
  answers(): Promise<boolean>;
  /** The workers of a cluster; null without one. */
  readonly nodes: Nodes | null;
  close(): Promise<void>;
}

/** Replica settings, for processes that answer requests. */
type ReplicatedOptions = Pick<Config, 'databaseReplicaUrls' | 'replicaMaxLagSeconds'> & {
  readonly log: Logger;
};

/** If the configuration does not limit an organisation's statements, connections are first come, first served. */
export async function connectDatabase(
  login: Login,
  config: Pick<Config, 'poolSize' | 'limits'> & Partial<Pick<Config, 'maxStatementsPerOrganisation'>>,
  reports: PoolReports,
  replicated: ReplicatedOptions | null = null,
): Promise<Database> {
  const probe = await openProbe(login);
  const isCluster = await probe.isCluster();
  if (isCluster && replicated && replicated.databaseReplicaUrls.length > 0) {
    throw new AppError(
      'invalid-params',
      'a cluster reads records from its workers: leave DATABASE_REPLICA_URL empty',
      'DATABASE_REPLICA_URL',
    );
  }
  const pool = createPool({
    login,
    isCluster,
    size: config.poolSize,
    statementMilliseconds: config.limits.statementMilliseconds,
    ...reports,
  });
  const nodes = isCluster ? new Nodes(login) : null;
  const { poolSize: size, maxStatementsPerOrganisation: perOrganisation, limits } = config;
  const connections = new Connections(
    pool,
    perOrganisation === undefined ? null : { size, perOrganisation, maxWaiting: limits.waitingStatements },
    // A pooler's connection does not identify the session that runs its statement.
    !login.isPooled,
    nodes,
  );
  const replicas =
    replicated && replicated.databaseReplicaUrls.length > 0
      ? await Replicas.open({
          addresses: replicated.databaseReplicaUrls,
          maxLagSeconds: replicated.replicaMaxLagSeconds,
          log: replicated.log,
          login,
          primary: connections,
          sharing: { size, perOrganisation: perOrganisation ?? size, maxWaiting: limits.waitingStatements },
          statementMilliseconds: limits.statementMilliseconds,
          reports,
        })
      : null;
  // A dedicated session must bypass the pooler.
  const wakes = new Wakes(login.direct, nodes);
  const prisma = lazily(() => createPrisma(prismaPool(connections)));
  /** Extending Prisma costs more than a small query; a key's scope serves many requests. */
  const clients = new WeakMap<Scope, TenantClient>();
  let closed: Promise<void> | null = null;
  return {
    pool,
    wakes,
    sql: (scope, options) => new TenantSql(connections, scope, options),
    lists: (scope, { position = 0, ...options } = {}) =>
      new TenantSql(replicas?.readsFor(position) ?? connections, scope, options),
    replicas,
    client: (scope, count) => {
      let client = clients.get(scope);
      if (!client) clients.set(scope, (client = createTenantClient(prisma.get(), scope)));
      return count ? countStatements(client, count) : client;
    },
    waiting: () => connections.waiting,
    answers: probe.answers,
    nodes,
    // Any of the callers that share it may close it.
    close: () =>
      (closed ??= Promise.resolve(prisma.made()?.$disconnect())
        .then(() => wakes.close())
        .then(() => replicas?.close())
        .then(() => pool.end())
        .then(() => nodes?.close())
        .then(probe.close)),
  };
}

/** The database as seen by its owner: every organisation's rows. For the start and for commands, never for requests. */
export interface OwnerDatabase {
  readonly pool: pg.Pool;
  /** Created on first use. */
  readonly prisma: PrismaClient;
  close(): Promise<void>;
}

export function connectOwner(login: Login): OwnerDatabase {
  const pool = createPool({
    login,
    isOwner: true,
    size: 1,
    statementMilliseconds: 60_000,
    onError: () => undefined,
  });
  const prisma = lazily(
    () =>
      createPrisma(pool).$extends({
        query: { $allOperations: ({ args, query }) => query(args).catch(raiseKnown) },
      }) as unknown as PrismaClient,
  );
  return {
    pool,
    get prisma() {
      return prisma.get();
    },
    close: async () => {
      await prisma.made()?.$disconnect();
      await pool.end();
    },
  };
}

/** Prisma's defaults (2 s to start, 5 s to run) are too short; our own limits on connections and statements apply. */
const TRANSACTIONS = { maxWait: 60_000, timeout: 60_000 };

const createPrisma = (pool: pg.Pool): PrismaClient =>
  new PrismaClient({ adapter: new PrismaPg(pool), transactionOptions: TRANSACTIONS });

/** Creating Prisma's client takes 0.1 s of CPU, its first query 0.2 s: a start needs neither. */
function lazily<Value>(make: () => Value): { get(): Value; made(): Value | undefined } {
  let value: Value | undefined;
  return { get: () => (value ??= make()), made: () => value };
}
