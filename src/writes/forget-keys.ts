import type pg from 'pg';

/** Deletes expired idempotency keys, of all organisations. */
export async function forgetOldKeys(pool: pg.Pool): Promise<void> {
  await pool.query('SELECT svc_forget_idempotency_keys()');
}
