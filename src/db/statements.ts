import type pg from 'pg';
import type { Scope } from './scope.js';
import type { ScopedConfig } from './scoped-query.js';

/** A statement, and who waits for it. */
export interface WaitingStatement {
  readonly config: ScopedConfig;
  readonly resolve: (result: pg.QueryResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Where statements of scopes are sent, each a transaction of its own. */
export interface Statements {
  /** Whether records are on several nodes. */
  readonly isCluster: boolean;
  /** On a connection of its own; when `ending` is aborted, it ends in PostgreSQL. */
  query(config: ScopedConfig, scope: Scope, ending?: AbortSignal): Promise<pg.QueryResult>;
  /** In one write over one connection, answered one after the other; each succeeds or fails by itself. */
  together(batch: readonly WaitingStatement[], scope: Scope): Promise<void>;
}
