import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { runScoped } from './scoped-query.js';
import type { Scope } from './scope.js';

const scopes = new AsyncLocalStorage<Scope>();

/** Runs what Prisma is asked for by `work` within a scope: its adapter is told of statements and nothing else. */
export const withinScope = <Result>(scope: Scope, work: () => Result): Result => scopes.run(scope, work);

/** What begins and ends transactions belongs to no scope, and must run in one that has failed, too. */
const CONTROL = /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET)\b/i;

/** A pool as Prisma sees it: its statements carry the scope within which they were asked for. */
export function prismaPool(pool: pg.Pool): pg.Pool {
  return facade(pool, {
    query: (config: pg.QueryConfig) => send(pool, config),
    connect: async () => {
      const client = await pool.connect();
      return facade(client, { query: (config: pg.QueryConfig) => send(client, config) });
    },
  });
}

function send(runner: pg.Pool | pg.PoolClient, config: pg.QueryConfig): Promise<pg.QueryResult> {
  const scope = scopes.getStore();
  return scope && !CONTROL.test(config.text) ? runScoped(runner, config, scope) : runner.query(config);
}

/** The same thing with other methods; its own are called on itself. */
function facade<Thing extends object>(thing: Thing, others: object): Thing {
  return new Proxy(thing, {
    get: (target, name): unknown => {
      if (Object.hasOwn(others, name)) return Reflect.get(others, name);
      const own: unknown = Reflect.get(target, name);
      return typeof own === 'function' ? (own as (...args: unknown[]) => unknown).bind(target) : own;
    },
  });
}
