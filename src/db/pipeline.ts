import type pg from 'pg';
import type { Connections } from './connections.js';
import { isOutage } from './database-error.js';
import { runScoped } from './scoped-query.js';
import type { Scope } from './scope.js';

interface Waiting {
  readonly config: pg.QueryConfig;
  readonly resolve: (result: pg.QueryResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Statements that are asked for in the same turn go to PostgreSQL in one write, over one connection, and are answered
 * one after the other: for small ones the writes and wake-ups cost more than the reading. Each succeeds or fails by
 * itself. What may take long has no place here, as it would hold up the others.
 */
export class Pipeline {
  #waiting: Waiting[] = [];

  constructor(
    private readonly connections: Connections,
    private readonly scope: Scope,
  ) {}

  query(config: pg.QueryConfig): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      // Loaders dispatch in ticks of one turn: this one comes after theirs.
      if (this.#waiting.length === 0) process.nextTick(() => void this.#send());
      this.#waiting.push({ config, resolve, reject });
    });
  }

  async #send(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    const [only] = batch;
    if (batch.length === 1 && only) {
      return this.connections.query(only.config, this.scope).then(only.resolve, only.reject);
    }
    let client: pg.PoolClient;
    try {
      client = await this.connections.connect(this.scope);
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    }
    const { stream } = client.connection;
    stream.cork();
    let broken: Error | undefined;
    const answers = batch.map(({ config, resolve, reject }) =>
      runScoped(client, config, this.scope).then(resolve, (error: Error) => {
        if (isOutage(error)) broken = error;
        reject(error);
      }),
    );
    stream.uncork();
    await Promise.all(answers);
    client.release(broken);
  }
}
