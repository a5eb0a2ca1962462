import pg from 'pg';
import { databaseError } from './database-error.js';

type AnyFunction = (...args: unknown[]) => unknown;

/**
 * A connection whose failures are told in the words of `databaseError`, whoever sent the statement: our own SQL, Prisma
 * through its adapter, BEGIN and COMMIT. One that is lost while nobody uses it does not end the process.
 */
export class DatabaseClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
    this.query = translated(this.query.bind(this)) as pg.Client['query'];
  }
}

/** A pool of them; failures to connect are told in the same words. */
export class DatabasePool extends pg.Pool {
  constructor(config: pg.PoolConfig) {
    super({ ...config, Client: DatabaseClient });
    this.connect = translated(this.connect.bind(this) as AnyFunction) as pg.Pool['connect'];
    // It hears of a lost connection before the statement does.
    this.query = translated(this.query.bind(this)) as pg.Pool['query'];
  }
}

/** The same function, whose callback or promise fails with a translated error. */
function translated(plain: AnyFunction): AnyFunction {
  return (...args) => {
    const callback = args[args.length - 1];
    if (typeof callback === 'function') {
      args[args.length - 1] = (error: unknown, ...rest: unknown[]) =>
        (callback as AnyFunction)(error ? databaseError(error) : error, ...rest);
    }
    const answer = plain(...args);
    return isPromise(answer) ? answer.catch(raise) : answer;
  };
}

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof (value as Partial<Promise<unknown>> | null)?.catch === 'function';

function raise(error: unknown): never {
  throw databaseError(error);
}

/** One connection, used by `work` and closed after it. */
export async function withClient<Result>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new DatabaseClient(config);
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    throw databaseError(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}
