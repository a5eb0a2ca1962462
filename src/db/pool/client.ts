import pg from 'pg';
import { AppError } from '../../errors.js';
import { databaseError, unavailable } from '../database-error.js';
import type { Login } from './login.js';
import { type Connection, readRowsFast } from '../rows/row-parser.js';

type AnyFunction = (...args: unknown[]) => unknown;

/**
 * A connection that translates failures of every statement by `databaseError`: our own SQL, Prisma through its adapter,
 * BEGIN and COMMIT. Losing an idle one does not end the process.
 */
export class DatabaseClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    readRowsFast((this as unknown as { readonly connection: Connection }).connection);
    this.on('error', () => undefined);
    this.query = translateErrors(this.query.bind(this)) as pg.Client['query'];
  }
}

/** A pool of them for one login; translates failures to connect, too. */
export class DatabasePool extends pg.Pool {
  constructor(
    private readonly login: Login,
    config: pg.PoolConfig,
  ) {
    super({ Client: clientOf(login), ...config });
    const connect = this.connect.bind(this) as Connect;
    this.connect = ((callback?: ConnectedClient) =>
      callback
        ? this.connectWithRetry(connect, callback)
        : toPromise((done) => this.connectWithRetry(connect, done))) as pg.Pool['connect'];
    // It learns of a lost connection before the statement does.
    this.query = translateErrors(this.query.bind(this)) as pg.Pool['query'];
  }

  /** Connects, trying each password. */
  private connectWithRetry(connect: Connect, callback: ConnectedClient, left = this.login.urls.length): void {
    const tried = this.login.url;
    connect((error, client, release) => {
      if (error && left > 1 && this.login.isWorthRetrying(error, tried)) {
        return this.connectWithRetry(connect, callback, left - 1);
      }
      return callback(error && connectError(error), client, release);
    });
  }
}

/**
 * A login, database, certificate or address that worked before and is now refused was changed by an operator: a temporary
 * error, until it is fixed, and the statement was not started.
 */
function connectError(error: Error): AppError {
  const known = databaseError(error);
  return known instanceof AppError ? known : unavailable(error);
}

type Connect = (callback: ConnectedClient) => void;
type ConnectedClient = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (reason?: Error | boolean) => void,
) => void;

function toPromise(connect: Connect): Promise<pg.PoolClient> {
  return new Promise((resolve, reject) => {
    connect((error = new Error('no connection'), client) => (client ? resolve(client) : reject(error)));
  });
}

/** Connection class for a login; each connection uses the password currently tried. */
export const clientOf = (login: Login) =>
  class extends DatabaseClient {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: login.url });
    }
  };

/** Wraps a function so that its callback or promise fails with a translated error. */
function translateErrors(plain: AnyFunction): AnyFunction {
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

/** A connection on which the network is silent for so long is asked for. */
const KEEPALIVE_MS = 10_000;

/** For work that others wait for: a connection whose network is gone fails, instead of never answering. */
export const keptAlive = (connectionString: string): pg.ClientConfig => ({
  connectionString,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEPALIVE_MS,
});

/** Opens one connection for `work` and closes it afterwards. */
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
