import type { ClientBase, Pool } from 'pg';
import type { Hooks } from '../hooks.js';
import type { Platform } from '../platform.js';
import type { AccountLocks } from './locks.js';
import { findObject, type ObjectRow, type StoredObject } from './objects.js';
import { inTransaction } from './transaction.js';

/** The stored answer of a successful write, replayed for its idempotency key. */
interface RememberedAnswer {
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
}

/** One transaction on one account. All changes in it have the same time, later than any earlier change. */
export interface Change {
  readonly account: number;
  readonly now: Date;
  readonly client: ClientBase;
  insert(object: StoredObject): Promise<void>;
  update(object: StoredObject): Promise<void>;
  /** Deletes an object; its row stays, to keep its place in the pages. */
  remove(kind: string, id: string): Promise<void>;
  event(type: string, object: string): Promise<void>;
  deletion(kind: string, id: string): Promise<void>;
  written(write: {
    readonly kind: string;
    readonly id: string;
    readonly operation: string;
    readonly marker: string | null;
    readonly idempotencyKey: string | null;
  }): Promise<void>;
  recall(key: string): Promise<RememberedAnswer | null>;
  remember(key: string, answer: RememberedAnswer): Promise<void>;
  find(kind: string, id: string): Promise<ObjectRow | null>;
  /** Runs part of the change in a savepoint: if it throws, only that part is rolled back. */
  attempt<Result>(work: () => Promise<Result>): Promise<Result>;
}

const REMEMBERED_HOURS = 24;
const FORGOTTEN_AT_ONCE = 100;

/**
 * Runs `work` alone on its account. The row lock is taken before the time is chosen and held until commit, so commits
 * are in the order of their times.
 */
export function changeAccount<Result>(
  { pool, locks, hooks }: { readonly pool: Pool; readonly locks: AccountLocks; readonly hooks: Hooks },
  account: number,
  work: (change: Change) => Promise<Result>,
): Promise<Result> {
  return locks.exclusively(account, async () => {
    const { head, open, result } = await inTransaction(pool, async (client) => {
      const { rows } = await client.query<Head>(
        'SELECT platform, id, changed_at, sequence FROM accounts WHERE key = $1 FOR UPDATE',
        [account],
      );
      const [head] = rows;
      if (!head) throw new Error(`there is no account ${account}`);
      const last = head.changed_at instanceof Date ? head.changed_at.getTime() : 0;
      const open = new OpenChange(client, account, new Date(Math.max(Date.now(), last + 1)), head.sequence);
      const result = await work(open);
      await client.query('UPDATE accounts SET changed_at = $2, sequence = $3 WHERE key = $1', [
        account,
        open.now,
        open.sequence,
      ]);
      return { head, open, result };
    });
    if (open.kinds.size > 0)
      hooks.tell({ platform: head.platform, account: head.id, kinds: [...open.kinds] });
    return result;
  });
}

interface Head {
  readonly platform: Platform;
  readonly id: string;
  readonly changed_at: Date | number;
  readonly sequence: number;
}

class OpenChange implements Change {
  /** Kinds of changed objects. */
  readonly kinds = new Set<string>();

  constructor(
    readonly client: ClientBase,
    readonly account: number,
    readonly now: Date,
    public sequence: number,
  ) {}

  async insert({ kind, id, body, number, marker, parent }: StoredObject): Promise<void> {
    this.kinds.add(kind);
    const { rows } = await this.client.query<{ positions: number }>(
      `INSERT INTO kinds VALUES ($1, $2, 1, 1) ON CONFLICT (account, kind)
       DO UPDATE SET positions = kinds.positions + 1, live = kinds.live + 1 RETURNING positions`,
      [this.account, kind],
    );
    await this.client.query(
      `INSERT INTO objects (account, kind, position, id, body, number, marker, parent, created_at, modified_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
      [
        this.account,
        kind,
        rows[0]?.positions,
        id,
        body,
        number ?? null,
        marker ?? null,
        parent ?? null,
        this.now,
      ],
    );
  }

  async update({ kind, id, body, number, marker, parent }: StoredObject): Promise<void> {
    this.kinds.add(kind);
    await this.client.query(
      `UPDATE objects SET body = $4, number = $5, marker = $6, parent = $7, modified_at = $8
       WHERE account = $1 AND kind = $2 AND id = $3 AND deleted_at IS NULL`,
      [this.account, kind, id, body, number ?? null, marker ?? null, parent ?? null, this.now],
    );
  }

  async remove(kind: string, id: string): Promise<void> {
    this.kinds.add(kind);
    const { rowCount } = await this.client.query(
      `UPDATE objects SET deleted_at = $4, modified_at = $4
       WHERE account = $1 AND kind = $2 AND id = $3 AND deleted_at IS NULL`,
      [this.account, kind, id, this.now],
    );
    await this.client.query('UPDATE kinds SET live = live - $3 WHERE account = $1 AND kind = $2', [
      this.account,
      kind,
      rowCount ?? 0,
    ]);
  }

  async event(type: string, object: string): Promise<void> {
    await this.client.query('INSERT INTO events VALUES ($1, $2, $3, $4, $5)', [
      this.account,
      (this.sequence += 1),
      type,
      this.now,
      object,
    ]);
  }

  async deletion(kind: string, id: string): Promise<void> {
    await this.client.query('INSERT INTO deletions VALUES ($1, $2, $3, $4, $5)', [
      this.account,
      (this.sequence += 1),
      kind,
      id,
      this.now,
    ]);
  }

  async written(write: Parameters<Change['written']>[0]): Promise<void> {
    const { kind, id, operation, marker, idempotencyKey } = write;
    await this.client.query('INSERT INTO writes VALUES ($1, $2, $3, $4, $5, $6, $7, $8)', [
      this.account,
      (this.sequence += 1),
      kind,
      id,
      operation,
      marker,
      idempotencyKey,
      this.now,
    ]);
  }

  async recall(key: string): Promise<RememberedAnswer | null> {
    const { rows } = await this.client.query<RememberedAnswer>(
      `SELECT fingerprint, status, body FROM idempotency
       WHERE account = $1 AND key = $2 AND answered_at > $3::timestamptz - make_interval(hours => $4)`,
      [this.account, key, this.now, REMEMBERED_HOURS],
    );
    return rows[0] ?? null;
  }

  /** Forgets some answers that are too old along with it. */
  async remember(key: string, { fingerprint, status, body }: RememberedAnswer): Promise<void> {
    await this.client.query(
      `WITH forgotten AS (
         DELETE FROM idempotency WHERE (account, key) IN (
           SELECT account, key FROM idempotency
           WHERE account = $1 AND answered_at <= $6::timestamptz - make_interval(hours => $7) AND key <> $2
           ORDER BY answered_at LIMIT $8))
       INSERT INTO idempotency VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (account, key)
       DO UPDATE SET fingerprint = $3, status = $4, body = $5, answered_at = $6`,
      [this.account, key, fingerprint, status, body, this.now, REMEMBERED_HOURS, FORGOTTEN_AT_ONCE],
    );
  }

  find(kind: string, id: string): Promise<ObjectRow | null> {
    return findObject(this.client, this.account, kind, id);
  }

  async attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.client.query('SAVEPOINT part');
    try {
      const result = await work();
      await this.client.query('RELEASE part');
      return result;
    } catch (error) {
      await this.client.query('ROLLBACK TO part');
      throw error;
    }
  }
}
