import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import type { Config } from '../config.js';
import { PrismaClient } from './__generated__/client.js';
import { raiseKnown } from './database-error.js';
import { createProbe } from './probe.js';
import { createPool, runtimeRole } from './pool.js';
import type { Scope } from './scope.js';
import { createTenantClient, type TenantClient } from './tenant-client.js';
import { TenantSql } from './tenant-sql.js';

/** A migrated database, ready for requests: one pool under Prisma and the hot reads. */
export interface Database {
  readonly pool: pg.Pool;
  /** Unscoped: for keys, organisations and the like. Records are reached through a scope. */
  readonly prisma: PrismaClient;
  /** Null: the login may not make roles, statements run as the login itself. */
  readonly role: string | null;
  sql(scope: Scope): TenantSql;
  client(scope: Scope): TenantClient;
  /** Whether the server answers now, asked over a connection that no request can take. */
  answers(): Promise<boolean>;
  close(): Promise<void>;
}

export async function connectDatabase(
  url: string,
  config: Pick<Config, 'poolSize' | 'limits'>,
  onError: (error: Error) => void,
): Promise<Database> {
  const role = await runtimeRole(url);
  const pool = createPool({
    url,
    size: config.poolSize,
    statementMilliseconds: config.limits.statementMilliseconds,
    role,
    onError,
  });
  const probe = createProbe(url);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) }).$extends({
    query: { $allOperations: ({ args, query }) => query(args).catch(raiseKnown) },
  }) as unknown as PrismaClient;
  /** Extending Prisma costs more than a small query; a key's scope serves many requests. */
  const clients = new WeakMap<Scope, TenantClient>();
  let closed: Promise<void> | null = null;
  return {
    pool,
    prisma,
    role,
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
        .then(() => pool.end())
        .then(probe.close)),
  };
}
