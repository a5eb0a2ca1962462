import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { AppError } from '../../errors.js';
import type { Scope } from '../../db/scope.js';

/** A key whose subscriptions are counted. */
interface CountedKey {
  readonly id: string;
  readonly scope: Pick<Scope, 'organisationId'>;
}

interface Account {
  readonly organisationId: number;
  readonly keyId: string;
  /** Subscriptions open in this process. */
  held: number;
  readonly waiting: Waiting[];
}

interface Waiting {
  readonly answer: (isGranted: boolean) => void;
  readonly fail: (error: unknown) => void;
}

/** A process's count expires 15 s after its last renewal. */
const RENEW_MS = 4000;

/**
 * Counts the subscriptions of each key across processes, in the database. A process has at most one statement in
 * flight, for all keys together.
 */
export class OpenSubscriptions {
  readonly #process = randomUUID();
  readonly #accounts = new Map<string, Account>();
  readonly #changed = new Set<Account>();
  readonly #timer: NodeJS.Timeout;
  #asking: Promise<void> | null = null;

  constructor(
    private readonly pool: pg.Pool,
    private readonly max: number,
  ) {
    this.#timer = setInterval(() => this.#renew(), RENEW_MS).unref();
  }

  /** Counts one until the returned function is called. Throws `rate-limited`, or if the database does not answer. */
  async open({ id: keyId, scope: { organisationId } }: CountedKey): Promise<() => void> {
    const account = this.#accountOf(organisationId, keyId);
    const isGranted = await new Promise<boolean>((answer, fail) => {
      account.waiting.push({ answer, fail });
      this.#note(account);
    });
    if (!isGranted) {
      throw new AppError('rate-limited', `this key has ${this.max} subscriptions, which is the most`);
    }
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      account.held -= 1;
      this.#note(account);
    };
  }

  /** Resolves when the last statement in flight ends. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    while (this.#asking) await this.#asking;
  }

  #accountOf(organisationId: number, keyId: string): Account {
    let account = this.#accounts.get(keyId);
    if (!account) {
      account = { organisationId, keyId, held: 0, waiting: [] };
      this.#accounts.set(keyId, account);
    }
    return account;
  }

  #renew(): void {
    for (const account of this.#accounts.values()) this.#note(account);
  }

  #note(account: Account): void {
    this.#changed.add(account);
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
  }

  async #ask(): Promise<void> {
    while (this.#changed.size > 0) {
      // Concurrent opens share one statement.
      await new Promise((resolve) => setImmediate(resolve));
      const accounts = [...this.#changed];
      this.#changed.clear();
      const asked = accounts.map((account) => ({ ...account, account, waiting: account.waiting.splice(0) }));
      try {
        const granted = await this.#grants(asked);
        asked.forEach(({ account, waiting }, index) => {
          const count = granted[index] ?? 0;
          account.held += count;
          waiting.forEach(({ answer }, place) => answer(place < count));
        });
      } catch (error) {
        // The next renewal stores the open count again.
        for (const { waiting } of asked) waiting.forEach(({ fail }) => fail(error));
      }
      for (const account of accounts) {
        if (account.held === 0 && !this.#changed.has(account)) this.#accounts.delete(account.keyId);
      }
    }
  }

  async #grants(
    asked: readonly Pick<Account, 'organisationId' | 'keyId' | 'held' | 'waiting'>[],
  ): Promise<readonly number[]> {
    const { rows } = await this.pool.query<{ granted: number }>(
      'SELECT granted FROM svc_open_subscriptions($1, $2, $3, $4, $5, $6) ORDER BY place',
      [
        this.#process,
        asked.map(({ organisationId }) => organisationId),
        asked.map(({ keyId }) => keyId),
        asked.map(({ held }) => held),
        asked.map(({ waiting }) => waiting.length),
        this.max,
      ],
    );
    return rows.map(({ granted }) => granted);
  }
}
