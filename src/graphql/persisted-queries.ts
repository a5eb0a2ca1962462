import { AsyncLocalStorage } from 'node:async_hooks';
import type { TenantSql } from '../db/tenant-sql.js';

/** Maximum per organisation, in the database; the oldest one is evicted. */
const MAX_KEPT = 1000;
/** Maximum for all organisations together, in this process. */
const MAX_REMEMBERED = 200;

/**
 * The texts of automatic persisted queries, shared by all processes: each organisation has its own, so that nobody can
 * discover others' queries. Apollo reads them by hash and knows no organisation: callers use it `within` one.
 */
export class PersistedQueries {
  readonly #within = new AsyncLocalStorage<TenantSql>();
  readonly #remembered = new Map<string, string>();

  /** The text of `hash` is read beforehand: for failures of its own read, Apollo only reports an unexpected error. */
  within<Result>(sql: TenantSql, hash: string | null, work: () => Promise<Result>): Promise<Result> {
    return this.#within.run(sql, async () => {
      if (hash !== null) await this.get(hash);
      return work();
    });
  }

  /** Apollo checks the hash before it keeps a text, and puts its name before it. */
  async get(key: string): Promise<string | undefined> {
    const sql = this.#within.getStore();
    const hash = hashOf(key);
    if (!sql || hash === null) return undefined;
    const known = this.#remembered.get(nameOf(sql, hash));
    if (known !== undefined) return known;
    const query = sql.query();
    const [row] = await sql.rows<{ text: string }>(
      query,
      `SELECT t.text FROM persisted_queries t WHERE ${query.within('t')} AND t.hash = ${query.bind(hash)}`,
    );
    if (row) this.#remember(nameOf(sql, hash), row.text);
    return row?.text;
  }

  async set(key: string, text: string): Promise<void> {
    const sql = this.#within.getStore();
    const hash = hashOf(key);
    // A client that always sends both costs only one statement.
    if (!sql || hash === null || this.#remembered.has(nameOf(sql, hash))) return;
    const query = sql.query();
    await sql.rows(
      query,
      `WITH old AS (
         DELETE FROM persisted_queries t WHERE ${query.within('t')} AND t.hash IN (
           SELECT o.hash FROM persisted_queries o WHERE ${query.within('o')}
           ORDER BY o.kept_at DESC, o.hash OFFSET ${query.bind(MAX_KEPT - 1)}::int)
       )
       INSERT INTO persisted_queries AS t (svc_organisation_id, hash, text)
       VALUES ($1, ${query.bind(hash)}, ${query.bind(text)})
       ON CONFLICT (svc_organisation_id, hash) DO UPDATE SET kept_at = now() WHERE t.svc_organisation_id = $1`,
    );
    this.#remember(nameOf(sql, hash), text);
  }

  /** Texts are never invalidated: a hash identifies its text. */
  delete(): Promise<boolean> {
    return Promise.resolve(false);
  }

  #remember(name: string, text: string): void {
    if (this.#remembered.size >= MAX_REMEMBERED) {
      const [oldest = ''] = this.#remembered.keys();
      this.#remembered.delete(oldest);
    }
    this.#remembered.set(name, text);
  }
}

const hashOf = (key: string): string | null => /([\da-f]{64})$/.exec(key)?.[1] ?? null;

const nameOf = ({ scope }: TenantSql, hash: string): string => `${scope.organisationId} ${hash}`;
