import type pg from 'pg';
import type { Scope } from '../scope.js';
import type { ScopedConfig } from '../scoped-query.js';
import type { Statements, WaitingStatement } from './statements.js';

/**
 * Sends statements issued in the same event loop turn in one write over one connection: for small ones, writes and
 * wake-ups cost more than the read itself. Each succeeds or fails by itself. Not for long statements, which would block
 * the others.
 */
export class Pipeline {
  #waiting: WaitingStatement[] = [];

  constructor(
    private readonly statements: Statements,
    private readonly scope: Scope,
  ) {}

  query(config: ScopedConfig): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      // Loaders dispatch in ticks of one turn: this runs after them.
      if (this.#waiting.length === 0) process.nextTick(() => void this.#send());
      this.#waiting.push({ config, resolve, reject });
    });
  }

  async #send(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    const [only] = batch;
    if (batch.length === 1 && only) {
      return this.statements.query(only.config, this.scope).then(only.resolve, only.reject);
    }
    return this.statements.together(batch, this.scope);
  }
}
