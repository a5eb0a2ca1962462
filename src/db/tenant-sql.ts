import type pg from 'pg';
import { control, isOfCluster } from './pool/cluster-scope.js';
import { Connections } from './pool/connections.js';
import { commitError, isBroken } from './database-error.js';
import { Pipeline } from './pool/pipeline.js';
import { readTypes } from './rows/read-types.js';
import { runScoped, type ScopedConfig } from './scoped-query.js';
import type { HeldRows } from './rows/held-rows.js';
import type { Scope } from './scope.js';
import type { Stamp } from './stamp.js';
import type { Statements } from './pool/statements.js';
import { isTraced, type SpanOptions, trace } from '../telemetry/traces.js';

/** Counts the statements sent for a caller. */
export interface StatementCount {
  statements: number;
}

/**
 * The values of one statement on tenant tables. `within` gives the predicate that keeps the statement inside the
 * scope; a statement whose text lacks it is refused.
 */
export class TenantQuery {
  readonly values: unknown[];
  private companies: string | null = null;

  constructor(readonly scope: Scope) {
    this.values = [scope.organisationId];
  }

  within(alias: string, companyColumn = 'svc_company_id'): string {
    const organisation = `${alias}.svc_organisation_id = $1`;
    if (this.scope.companyIds === null) return organisation;
    // Bound only if used: PostgreSQL refuses a value that the statement does not use.
    this.companies ??= this.bind(this.scope.companyIds);
    return `${organisation} AND ${alias}.${companyColumn} = ANY(${this.companies}::bigint[])`;
  }

  /**
   * The same predicate for statements that name their companies: `IS TRUE` keeps the planner from scanning an
   * organisation's index and discarding other companies' rows.
   */
  filtered(alias: string, companyColumn = 'svc_company_id'): string {
    return `(${this.within(alias, companyColumn)}) IS TRUE`;
  }

  /** The predicate of the rows `t` of one company that have a value in a column. */
  rowsOf(svcCompanyId: number, column: string, value: number | string): string {
    return `${this.within('t')} AND t.svc_company_id = ${this.bind(svcCompanyId)} AND t.${column} = ${this.bind(value)}`;
  }

  /**
   * Limits rows `t` to these companies, for statements that join the wanted rows with their companies: so a cluster queries
   * only the nodes of these companies.
   */
  ofCompanies(ids: readonly (number | string)[]): string {
    const companies = [...new Set(ids)];
    return companies.length === 1
      ? `t.svc_company_id = ${this.bind(companies[0])}::bigint`
      : `t.svc_company_id = ANY(${this.bind(companies)}::bigint[])`;
  }

  bind(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/**
 * Prepared statements live as long as their connection, and callers choose filters and columns. So a text is prepared
 * only on its second use, up to a limit.
 */
const MAX_PREPARED = 1000;
const prepared = new Map<string, string>();
let seenOnce = new Set<string>();

function statementName(text: string): string | undefined {
  const known = prepared.get(text);
  if (known !== undefined || prepared.size >= MAX_PREPARED) return known;
  if (!seenOnce.has(text)) {
    if (seenOnce.size >= MAX_PREPARED) seenOnce = new Set();
    seenOnce.add(text);
    return undefined;
  }
  seenOnce.delete(text);
  const name = `svc_${prepared.size}`;
  prepared.set(text, name);
  return name;
}

const MAX_TEXT_LENGTH = 2000;

/** A statement's span: shows its text, which has no values. */
const statementSpan = (text: string): [name: string, options: SpanOptions] => {
  const name = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': name,
    'db.query.text': text.slice(0, MAX_TEXT_LENGTH),
  };
  return [name, { kind: 'client', attributes }];
};

/** Options of a caller's reads. */
export interface ReadOptions {
  /** Aborted when the rows are no longer needed. */
  readonly ending?: AbortSignal | undefined;
  readonly count?: StatementCount | undefined;
  /** Read along by statements outside transactions, once requested. */
  readonly stamp?: Stamp | undefined;
  readonly held?: HeldRows | undefined;
}

interface TenantSqlOptions extends ReadOptions {
  /** Sends statements of one turn in one write. */
  readonly pipelined?: boolean;
}

/** The only SQL access to tenant tables: bound to a scope, refuses statements without the scope's predicate. */
export class TenantSql {
  #pipeline: Pipeline | null = null;

  constructor(
    private readonly runner: Statements | pg.PoolClient,
    readonly scope: Scope,
    private readonly options: TenantSqlOptions = {},
  ) {}

  /** Whether records are on several nodes. */
  get isCluster(): boolean {
    return isOfCluster(this.runner);
  }

  /** Milliseconds since no node could lack what others had committed long ago; 0 without a cluster. */
  get settledAgo(): number {
    if ('nodes' in this.runner) return this.runner.nodes?.settledAgo() ?? 0;
    return this.isCluster ? Infinity : 0;
  }

  /** The same for a few related statements: those of one turn are sent in one write and answered in order. */
  inOneWrite(): TenantSql {
    return new TenantSql(this.runner, this.scope, { ...this.options, pipelined: true });
  }

  /** The same for what must be stored even if the caller has left: its statements are sent, and not cancelled. */
  outlasting(): TenantSql {
    return new TenantSql(this.runner, this.scope, { count: this.options.count });
  }

  query(): TenantQuery {
    return new TenantQuery(this.scope);
  }

  /**
   * Rows with text decimals, ISO timestamps and number ids (see `readTypes`). Outside a transaction the statement has
   * its own connection, and is cancelled when its rows are no longer needed.
   */
  rows<Row>(query: TenantQuery, text: string): Promise<Row[]> {
    return this.options.pipelined ? this.quickRows(query, text) : this.directRows(query, text);
  }

  private directRows<Row>(query: TenantQuery, text: string): Promise<Row[]> {
    const { runner, scope } = this;
    const { ending } = this.options;
    return this.run(
      (config) =>
        'together' in runner ? runner.query(config, scope, ending) : runScoped(runner, config, scope),
      query,
      text,
    );
  }

  /** The same for statements known to be quick: those of one turn are sent together and not cancelled. */
  quickRows<Row>(query: TenantQuery, text: string): Promise<Row[]> {
    const { runner } = this;
    if (!('together' in runner)) return this.directRows(query, text);
    const pipeline = (this.#pipeline ??= new Pipeline(runner, this.scope));
    return this.run((config) => pipeline.query(config), query, text);
  }

  private async run<Row>(
    send: (config: ScopedConfig) => Promise<pg.QueryResult>,
    query: TenantQuery,
    text: string,
  ): Promise<Row[]> {
    if (query.scope !== this.scope || !text.includes('svc_organisation_id = $1')) {
      throw new Error('a statement without its scope was refused');
    }
    const name = statementName(text);
    const { count, stamp, held } = this.options;
    if (count) count.statements += 1;
    const config = {
      ...(name === undefined ? {} : { name }),
      text,
      values: query.values,
      types: readTypes,
      ...(stamp ? { stamp } : {}),
      ...(held ? { held } : {}),
    };
    const result = await (isTraced() ? trace(...statementSpan(text), () => send(config)) : send(config));
    return result.rows as Row[];
  }

  /** Runs `work` in one transaction; any error rolls all of it back. */
  async transaction<Result>(work: (sql: TenantSql) => Promise<Result>): Promise<Result> {
    if (!(this.runner instanceof Connections)) throw new Error('no transaction can begin here');
    const client = await this.runner.connect(this.scope);
    let broken: Error | undefined;
    try {
      await control(client, 'BEGIN', () => client.query('BEGIN'));
      const result = await work(new TenantSql(client, this.scope, { count: this.options.count }));
      await control(client, 'COMMIT', () => client.query('COMMIT')).catch((error: Error) => {
        throw commitError(error, 'COMMIT');
      });
      return result;
    } catch (error) {
      // A lost connection has ended its transaction; a hung one would not answer this either.
      if (isBroken(error)) broken = error;
      else
        await control(client, 'ROLLBACK', () => client.query('ROLLBACK')).catch(
          (lost: Error) => (broken = lost),
        );
      throw error;
    } finally {
      client.release(broken);
    }
  }
}
