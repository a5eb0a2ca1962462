import type pg from 'pg';
import type { Scope } from '../scope.js';
import type { Nodes } from './nodes.js';
import type { ScopedConfig } from '../scoped-query.js';

/** A statement with its callbacks. */
export interface WaitingStatement {
  readonly config: ScopedConfig;
  readonly resolve: (result: pg.QueryResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs scoped statements, each as its own transaction. */
export interface Statements {
  /** The nodes of a cluster, over which records are distributed; null without one. */
  readonly nodes: Nodes | null;
  /** Runs on its own connection; aborting `ending` cancels it in PostgreSQL. */
  query(config: ScopedConfig, scope: Scope, ending?: AbortSignal): Promise<pg.QueryResult>;
  /** Runs in one write over one connection, in order; each succeeds or fails by itself. */
  together(batch: readonly WaitingStatement[], scope: Scope): Promise<void>;
}
