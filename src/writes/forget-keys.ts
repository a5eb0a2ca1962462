import type pg from 'pg';

/** Forgets idempotency keys that no caller may count on any more, of all organisations. */
export async function forgetOldKeys(pool: pg.Pool): Promise<void> {
  await pool.query('SELECT svc_forget_idempotency_keys()');
}
