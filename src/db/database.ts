import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import type { Config } from '../config.js';
import { PrismaClient } from './__generated__/client.js';
import { raiseKnown } from './database-error.js';
import type { Login } from './login.js';
import { createPool } from './pool.js';
import { prismaPool } from './prisma-pool.js';
import { createProbe } from './probe.js';
import type { Scope } from './scope.js';
import { createTenantClient, type TenantClient } from './tenant-client.js';
import { Wakes } from './wakes.js';
import { TenantSql } from './tenant-sql.js';

/** A migrated database, ready for requests and jobs: one pool under Prisma and the hot reads. */
export interface Database {
  /** For the functions that find what a request or a job is about; tenant tables are empty without a scope. */
  readonly pool: pg.Pool;
  sql(scope: Scope): TenantSql;
  client(scope: Scope): TenantClient;
  /** News of what others store. */
  readonly wakes: Wakes;
  /** Whether the server answers now, asked over a connection that no request can take. */
  answers(): Promise<boolean>;
  close(): Promise<void>;
}

export async function connectDatabase(
  login: Login,
  config: Pick<Config, 'poolSize' | 'limits'>,
  onError: (error: Error) => void,
): Promise<Database> {
  const pool = createPool({
    login,
    size: config.poolSize,
    statementMilliseconds: config.limits.statementMilliseconds,
    onError,
  });
  const probe = createProbe(login);
  // A session of its own is no matter for a pooler.
  const wakes = new Wakes(login.direct);
  const prisma = new PrismaClient({ adapter: new PrismaPg(prismaPool(pool)) });
  /** Extending Prisma costs more than a small query; a key's scope serves many requests. */
  const clients = new WeakMap<Scope, TenantClient>();
  let closed: Promise<void> | null = null;
  return {
    pool,
    wakes,
    sql: (scope) => new TenantSql(pool, scope),
    client: (scope) => {
      let client = clients.get(scope);
      if (!client) clients.set(scope, (client = createTenantClient(prisma, scope)));
      return client;
    },
    answers: probe.answers,
    // Whoever shares it may close it.
    close: () =>
      (closed ??= prisma
        .$disconnect()
        .then(() => wakes.close())
        .then(() => pool.end())
        .then(probe.close)),
  };
}

/** The database as its owner sees it: every organisation's rows. For the start and for commands, never for requests. */
export interface OwnerDatabase {
  readonly prisma: PrismaClient;
  close(): Promise<void>;
}

export function connectOwner(login: Login): OwnerDatabase {
  const pool = createPool({ login, size: 1, statementMilliseconds: 60_000, onError: () => undefined });
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) }).$extends({
    query: { $allOperations: ({ args, query }) => query(args).catch(raiseKnown) },
  }) as unknown as PrismaClient;
  return { prisma, close: () => prisma.$disconnect().then(() => pool.end()) };
}
