import { setMaxListeners } from 'node:events';
import type pg from 'pg';
import { AppError, codeOf } from '../../errors.js';
import { meters } from '../../telemetry/meters.js';
import type { Connections } from '../pool/connections.js';
import { isConflict } from '../database-error.js';
import { RowsRefused } from '../rows/held-rows.js';
import { atPosition, type Scope } from '../scope.js';
import { isBehind, type ScopedConfig } from '../scoped-query.js';
import type { Statements, WaitingStatement } from '../pool/statements.js';
import type { Heads } from './heads.js';
import type { Replica } from './replica.js';

interface ReplicaReadsOptions {
  readonly primary: Connections;
  readonly heads: Heads;
  /** The next replica in rotation; null if none is usable. */
  readonly next: () => Replica | null;
  /** The position of the change log that the caller named; 0 for none. */
  readonly position: number;
  /** Time limit of a statement. */
  readonly statementMilliseconds: number;
}

/**
 * Reads at a replica whose change log of the organisation has reached the primary's head as of the request; falls back
 * to the primary if it has not, fails or is lost meanwhile.
 */
export class ReplicaReads implements Statements {
  readonly nodes = null;

  constructor(private readonly options: ReplicaReadsOptions) {}

  query(config: ScopedConfig, scope: Scope, ending?: AbortSignal): Promise<pg.QueryResult> {
    const read: Read<pg.QueryResult> = ({ connections }, at) => connections.query(config, at, ending);
    return this.#read(scope, read, ending).then(
      (found) => found ?? this.options.primary.query(config, scope, ending),
    );
  }

  /** All at one server: a position read at the primary would promise changes that a replica's page lacks. */
  async together(batch: readonly WaitingStatement[], scope: Scope): Promise<void> {
    try {
      const found = await this.#read(scope, ({ connections }, at) => allOf(connections, batch, at));
      if (!found) return await this.options.primary.together(batch, scope);
      batch.forEach(({ resolve }, index) => resolve(found[index] as pg.QueryResult));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** The result of `work` at a replica; null if it must be read at the primary. */
  async #read<Found>(scope: Scope, read: Read<Found>, ending?: AbortSignal): Promise<Found | null> {
    const { heads, next, position, statementMilliseconds } = this.options;
    const replica = next();
    if (!replica) {
      meters.replicaReads.inc({ replica: 'none', outcome: 'left_out' });
      return null;
    }
    const { lost } = replica;
    const tell = (outcome: string) => meters.replicaReads.inc({ replica: replica.name, outcome });
    let head: number;
    try {
      head = await heads.positionOf(scope);
    } catch {
      // The primary will report the error itself.
      tell('failed');
      return null;
    }
    // The head may be of another primary, to which the connection was made just now.
    if (replica.isDoubted) {
      tell('left_out');
      return null;
    }
    if (position > head) {
      tell('behind');
      return null;
    }
    const began = performance.now();
    try {
      const found = await unlessLost(() => read(replica, atPosition(scope, head)), lost);
      tell('answered');
      return found;
    } catch (error) {
      const tookTooLong = performance.now() - began >= statementMilliseconds;
      if (isForCaller(error, ending?.aborted || tookTooLong)) throw error;
      tell(outcomeOf(error));
      return null;
    }
  }
}

type Read<Found> = (replica: Replica, at: Scope) => Promise<Found>;

function allOf(
  connections: Connections,
  batch: readonly WaitingStatement[],
  scope: Scope,
): Promise<pg.QueryResult[]> {
  return new Promise((resolve, reject) => {
    const found: pg.QueryResult[] = [];
    let left = batch.length;
    const answered = (index: number) => (result: pg.QueryResult) => {
      found[index] = result;
      left -= 1;
      if (left === 0) resolve(found);
    };
    const sent = batch.map(({ config }, index) => ({ config, resolve: answered(index), reject }));
    void connections.together(sent, scope);
  });
}

/** A hung server neither answers nor closes connections. */
function unlessLost<Found>(work: () => Promise<Found>, lost: AbortSignal): Promise<Found> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(new Error('the replica was lost'));
    if (lost.aborted) return leave();
    setMaxListeners(0, lost);
    lost.addEventListener('abort', leave);
    void work()
      .then(resolve, reject)
      .finally(() => lost.removeEventListener('abort', leave));
  });
}

/**
 * Whether the error is final: the caller has gone or may not read so much, or a timeout that the primary would have,
 * too. Statements ended by an operator are retried at the primary.
 */
function isForCaller(error: unknown, isOver: boolean): boolean {
  if (!(error instanceof AppError)) return false;
  if (error instanceof RowsRefused) return true;
  const { code, cause } = error;
  return codeOf(cause) === WRITES || (code === 'query-timeout' && isOver);
}

/** A standby's error for a statement that writes: our own bug, which a retry at the primary must not hide. */
const WRITES = '25006';

function outcomeOf(error: unknown): 'behind' | 'conflict' | 'failed' {
  if (isBehind(error)) return 'behind';
  // Replay of the primary's log ended the statement: the rows that it reads are being removed.
  return isConflict(error) ? 'conflict' : 'failed';
}
