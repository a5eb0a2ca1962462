import type { EventEmitter } from 'node:events';
import pg from 'pg';
import type { AppError } from '../errors.js';
import { onCluster } from './pool/cluster-scope.js';
import { databaseError } from './database-error.js';
import type { HeldRows } from './rows/held-rows.js';
import { readTypes } from './rows/read-types.js';
import { type Column, type ReadRow, rowReaderOf } from './rows/row-reader.js';
import type { Scope } from './scope.js';
import { STAMP, type Stamp } from './stamp.js';

/** A statement of a scope. */
export interface ScopedConfig extends pg.QueryConfig {
  /** Stamp to read along. */
  readonly stamp?: Stamp;
  /** Counts the bytes read. */
  readonly held?: HeldRows;
}

const SET_SCOPE = `SELECT set_config('svc.organisation', $1, true)`;
const SET_SCOPE_LIMITED = `${SET_SCOPE}, set_config('svc.companies', $2, true)`;

/** Prepared on every connection of requests and jobs: see `ScopedQuery`. Most keys are limited to no companies. */
export const PREPARE_SCOPE = `
  PREPARE svc_scope (text) AS ${SET_SCOPE};
  PREPARE svc_scope_limited (text, text) AS ${SET_SCOPE_LIMITED}`;

/** The same for the gateway's connections. */
export const PREPARE_STAMP = `PREPARE svc_stamp (bigint, bigint[], text[]) AS ${STAMP}`;

/**
 * Whether a standby's change log of the organisation ends at exactly the primary's head: a later end is from a log that
 * the primary has lost, or does not show yet while it waits for another standby.
 */
const HAS_CHANGES = `SELECT pg_is_in_recovery()
  AND COALESCE((SELECT h.position FROM change_heads h WHERE h.svc_organisation_id = $1), 0) = $2`;

/** Prepared on every connection to a replica, too. */
export const PREPARE_POSITION = `PREPARE svc_has_changes (bigint, bigint) AS ${HAS_CHANGES}`;

/** Undeclared members of pg's connections and queries. A reason for exact versions. */
interface Connection {
  parse(config: { text: string }): void;
  bind(config: { statement?: string; values: readonly (string | null)[] }): void;
  execute(config: { portal: string }): void;
}
interface DataRow {
  /** In bytes. */
  readonly length: number;
  readonly fields: readonly (string | null)[];
}
interface Internals {
  name?: string;
  callback?: (error: unknown, result: pg.QueryResult) => void;
  readonly _result: { parseRow: ReadRow };
  prepare(connection: Connection): void;
  handleRowDescription(message: { readonly fields: readonly Column[] }): void;
  handleDataRow(message: DataRow): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}
const PlainQuery = pg.Query as unknown as new (config: pg.QueryConfig) => Internals & pg.Submittable;

/**
 * A statement with the scope that row-level security enforces. The settings precede it in the same write and end with
 * its transaction, or with the statement if none is open. So nothing stays on a shared connection, and a transaction
 * pooler or a cluster's worker has them too.
 *
 * At a standby, the check for the wanted changes is sent between them, as is the query for a stamp. The statement's
 * rows are at least as new as those answers, as it follows them in the same session.
 */
export class ScopedQuery extends PlainQuery {
  /** Number of results that precede the statement's. */
  #leading: number;
  #isBehind = false;
  /** Values of the stamp query, which is the last one before the statement. */
  readonly #question: Stamp['question'];
  #seen: string | null = null;
  /** Through a pooler: SQL that makes the settings that a session of ours gets at its start. */
  #settings: string | null = null;
  readonly #held: HeldRows | undefined;
  #refusal: AppError | null = null;
  /** The text of a prepared statement whose rows are read with our types. */
  readonly #prepared: string | null;

  constructor(
    config: ScopedConfig,
    private readonly scope: Scope,
  ) {
    // Uses the extended protocol even without values.
    super(Object.assign({}, config, { queryMode: 'extended' }));
    this.#question = config.stamp?.question ?? null;
    this.#held = config.held;
    this.#leading = 1 + (scope.position === null ? 0 : 1) + (this.#question === null ? 0 : 1);
    this.#prepared = config.name !== undefined && config.types === readTypes ? config.text : null;
  }

  /** For sessions without our prepared statements and settings. */
  goUnnamed(settings: string): void {
    delete this.name;
    this.#settings = settings;
  }

  /** Whether the standby lacked the wanted changes: its rows must not be used. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Why rows were dropped; null if none were. */
  get refusal(): AppError | null {
    return this.#refusal;
  }

  /** Passes on the stamp that was read along, if any. */
  tell(stamp: Stamp | undefined): void {
    if (this.#question !== null) stamp?.note(this.#seen);
  }

  override prepare(connection: Connection): void {
    const { organisationId, companyIds, position } = this.scope;
    const organisation = String(organisationId);
    const values = companyIds === null ? [organisation] : [organisation, `{${companyIds.join(',')}}`];
    if (this.#settings) {
      const scope = companyIds === null ? SET_SCOPE : SET_SCOPE_LIMITED;
      connection.parse({ text: `${scope}, ${this.#settings}` });
      connection.bind({ values });
    } else {
      connection.bind({ statement: companyIds === null ? 'svc_scope' : 'svc_scope_limited', values });
    }
    connection.execute({ portal: '' });
    if (position !== null) {
      connection.bind({ statement: 'svc_has_changes', values: [organisation, String(position)] });
      connection.execute({ portal: '' });
    }
    if (this.#question !== null) {
      if (this.#settings) connection.parse({ text: STAMP });
      const statement = this.#settings ? {} : { statement: 'svc_stamp' };
      connection.bind({ ...statement, values: [organisation, ...this.#question] });
      connection.execute({ portal: '' });
    }
    super.prepare(connection);
  }

  override handleRowDescription(message: { readonly fields: readonly Column[] }): void {
    super.handleRowDescription(message);
    const read = this.#prepared === null ? null : rowReaderOf(this.#prepared, message.fields);
    if (read) this._result.parseRow = read;
  }

  // The first result is that of the settings; at a standby the second one tells whether it has the wanted changes.
  override handleDataRow(message: DataRow): void {
    if (this.#leading === 0) this.#keep(message);
    else if (this.#leading === 1 && this.#question !== null) this.#seen = message.fields[0] ?? null;
    else if (this.scope.position !== null && this.#leading === (this.#question === null ? 1 : 2))
      this.#isBehind = message.fields[0] !== 't';
  }

  #keep(message: DataRow): void {
    this.#refusal ??= this.#held?.add(message.length) ?? null;
    if (!this.#refusal) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#leading === 0) super.handleCommandComplete(message, connection);
    else this.#leading -= 1;
  }
}

/** Event of a connection when its statement has ended. */
export const STATEMENT_ENDED = 'svc statement ended';

export interface EndedStatement {
  /** Without its values. */
  readonly text: string;
  readonly milliseconds: number;
  readonly organisationId: number;
}

/** Runs a statement within a scope, on its own connection or on the transaction's. */
export const runScoped = (
  client: pg.ClientBase,
  config: ScopedConfig,
  scope: Scope,
): Promise<pg.QueryResult> => onCluster(client, scope, () => sendScoped(client, config, scope));

function sendScoped(client: pg.ClientBase, config: ScopedConfig, scope: Scope): Promise<pg.QueryResult> {
  const query = new ScopedQuery(config, scope);
  const began = performance.now();
  return new Promise((resolve, reject) => {
    query.callback = (error: unknown, result) => {
      const milliseconds = performance.now() - began;
      const ended: EndedStatement = { text: config.text, milliseconds, organisationId: scope.organisationId };
      (client as EventEmitter).emit(STATEMENT_ENDED, ended);
      const failed = error ? (databaseError(error) as Error) : query.refusal;
      if (failed) reject(failed);
      else if (query.isBehind) reject(new BehindError());
      else {
        query.tell(config.stamp);
        resolve(result);
      }
    };
    client.query(query);
  });
}

/** A standby lacks the wanted changes. */
class BehindError extends Error {
  override readonly name = 'BehindError';
}

export const isBehind = (error: unknown): boolean => error instanceof BehindError;
