import type { Pool } from 'pg';
import type { Platform } from '../platform.js';

/** One account on one platform. */
export interface Account {
  readonly key: number;
  readonly platform: Platform;
  readonly id: string;
  readonly name: string;
  /** The platform does not answer for it: calls hang or fail. */
  readonly dead: 'hang' | '503' | null;
  readonly idempotency: boolean;
}

const COLUMNS = 'key, platform, id, name, dead, idempotency';

/** Complete accounts of one platform, or of all. */
export async function listAccounts(pool: Pool, platform?: Platform): Promise<Account[]> {
  const { rows } = await pool.query<Account>(
    `SELECT ${COLUMNS} FROM accounts WHERE is_complete AND ($1::text IS NULL OR platform = $1) ORDER BY id, platform`,
    [platform ?? null],
  );
  return rows;
}

export async function findAccount(pool: Pool, platform: Platform, id: string): Promise<Account | null> {
  const { rows } = await pool.query<Account>(
    `SELECT ${COLUMNS} FROM accounts WHERE is_complete AND platform = $1 AND id = $2`,
    [platform, id],
  );
  return rows[0] ?? null;
}

export async function findAccountByKey(pool: Pool, key: number): Promise<Account | null> {
  const { rows } = await pool.query<Account>(`SELECT ${COLUMNS} FROM accounts WHERE key = $1`, [key]);
  return rows[0] ?? null;
}

/** Creates an account's row, replacing one that was only partly filled; null if the account is complete. */
export async function beginAccount(
  pool: Pool,
  account: {
    readonly platform: Platform;
    readonly id: string;
    readonly name: string;
    readonly seed: number;
    readonly madeOf: string;
  },
): Promise<number | null> {
  const { platform, id, name, seed, madeOf } = account;
  await pool.query('DELETE FROM accounts WHERE platform = $1 AND id = $2 AND NOT is_complete', [
    platform,
    id,
  ]);
  const { rows } = await pool.query<{ key: number }>(
    `INSERT INTO accounts (platform, id, name, seed, made_of) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (platform, id) DO NOTHING RETURNING key`,
    [platform, id, name, seed, madeOf],
  );
  return rows[0]?.key ?? null;
}

/** Makes the account available for reads and writes. */
export async function completeAccount(pool: Pool, key: number): Promise<void> {
  await pool.query(
    `INSERT INTO kinds SELECT account, kind, max(position), count(*) FILTER (WHERE deleted_at IS NULL)
     FROM objects WHERE account = $1 GROUP BY account, kind`,
    [key],
  );
  await pool.query(
    `UPDATE accounts SET is_complete = true, changed_at = coalesce(
       (SELECT max(modified_at) FROM objects WHERE account = $1), '-infinity') WHERE key = $1`,
    [key],
  );
}
