import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { control } from './cluster-scope.js';
import { type Connections, PATIENCE_MS } from './connections.js';
import { commitError, databaseError } from '../database-error.js';
import { runScoped } from '../scoped-query.js';
import type { Scope } from '../scope.js';

const scopes = new AsyncLocalStorage<Scope>();

/** Runs the Prisma calls of `work` within a scope: Prisma's adapter sees only the statements. */
export const withinScope = <Result>(scope: Scope, work: () => Result): Result => scopes.run(scope, work);

const turns = new AsyncLocalStorage<string>();

/** Begins the Prisma transactions of `work` only when no other transaction has this turn; theirs end with them. */
export const withinTurn = <Result>(turn: string, work: () => Result): Result => turns.run(turn, work);

async function takeTurn(client: pg.PoolClient, turn: string): Promise<void> {
  try {
    await client.query(
      `SELECT set_config('lock_timeout', $2, true), pg_advisory_xact_lock(hashtextextended($1, 0))`,
      [turn, String(PATIENCE_MS)],
    );
  } catch (error) {
    throw databaseError(error);
  }
}

/** Transaction control has no scope, and must also run in a failed transaction. */
const CONTROL = /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET)\b/i;

/** A pool for Prisma: its statements carry the scope in which they were issued. */
export function prismaPool(connections: Connections): pg.Pool {
  const { pool } = connections;
  return facade(pool, {
    query: (config: pg.QueryConfig) => {
      const scope = scopeOf(config);
      return scope ? connections.query(config, scope) : pool.query(config);
    },
    connect: async () => {
      const scope = scopes.getStore();
      const client = await (scope ? connections.connect(scope) : pool.connect());
      return facade(client, {
        query: async (config: pg.QueryConfig) => {
          const within = scopeOf(config);
          if (within) return runScoped(client, config, within);
          const done = await control(client, config.text, () => client.query(config)).catch(
            (error: Error) => {
              throw commitError(error, config.text);
            },
          );
          const turn = turns.getStore();
          if (turn !== undefined && /^BEGIN\b/i.test(config.text)) await takeTurn(client, turn);
          return done;
        },
      });
    },
  });
}

function scopeOf({ text }: pg.QueryConfig): Scope | undefined {
  return CONTROL.test(text) ? undefined : scopes.getStore();
}

/** A proxy of `thing` with some methods replaced; its own run on the original. */
function facade<Thing extends object>(thing: Thing, others: object): Thing {
  return new Proxy(thing, {
    get: (target, name): unknown => {
      if (Object.hasOwn(others, name)) return Reflect.get(others, name);
      const own: unknown = Reflect.get(target, name);
      return typeof own === 'function' ? (own as (...args: unknown[]) => unknown).bind(target) : own;
    },
  });
}
