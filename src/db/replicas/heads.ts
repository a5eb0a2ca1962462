import type pg from 'pg';
import { runScoped } from '../scoped-query.js';
import type { Scope } from '../scope.js';

interface Asker {
  readonly scope: Scope;
  readonly resolve: (position: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Heads of organisations' change logs at the primary. Callers that ask during a query share the next one: they never
 * get a value read before they asked, and many callers need few statements.
 */
export class Heads {
  #waiting: Asker[] = [];
  #isAsking = false;

  constructor(private readonly pool: pg.Pool) {}

  /** The position that a read must find from now on. */
  positionOf(scope: Scope): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ scope, resolve, reject });
      if (!this.#isAsking) void this.#ask();
    });
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    while (this.#waiting.length > 0) {
      const askers = new Map<number, Asker[]>();
      for (const asker of this.#waiting) {
        const { organisationId } = asker.scope;
        askers.set(organisationId, [...(askers.get(organisationId) ?? []), asker]);
      }
      this.#waiting = [];
      await this.#round([...askers.values()]);
    }
    this.#isAsking = false;
  }

  async #round(organisations: readonly (readonly Asker[])[]): Promise<void> {
    let client: pg.PoolClient;
    try {
      client = await this.pool.connect();
    } catch (error) {
      for (const { reject } of organisations.flat()) reject(error);
      return;
    }
    let broken: Error | undefined;
    const { stream } = client.connection;
    stream.cork();
    const answers = organisations.map(async (askers) => {
      const [first] = askers;
      if (!first) return;
      try {
        const { organisationId } = first.scope;
        const config = { name: 'svc_head', text: HEAD, values: [organisationId] };
        const { rows } = await runScoped(client, config, first.scope);
        const position = Number((rows[0] as { position: string } | undefined)?.position ?? 0);
        for (const { resolve } of askers) resolve(position);
      } catch (error) {
        broken = error as Error;
        for (const { reject } of askers) reject(error);
      }
    });
    stream.uncork();
    await Promise.all(answers);
    client.release(broken);
  }
}

const HEAD = 'SELECT h.position FROM change_heads h WHERE h.svc_organisation_id = $1';
