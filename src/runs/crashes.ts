import type pg from 'pg';

import { KINDS, type RunKey, type RunKind } from './lease.js';
import { GIVEN_UP, mayBecomeSql } from './states.js';

/** After so many crashes without progress the run is taken for their cause, and is given up. */
export const MAX_CRASHES = 10;

const WHY = `given up: ${MAX_CRASHES} workers died with it, one after the other; retry it when the cause is mended`;

/** What changes with a run that is given up, from the rows of `counted`; $2 says why. */
const ALONG: Readonly<Record<RunKind, { readonly own: string; readonly others: string }>> = {
  sync: {
    own: `, error_code = CASE WHEN c.over THEN 'internal-error' ELSE t.error_code END,
      error_message = CASE WHEN c.over THEN $2 ELSE t.error_message END`,
    others: `UPDATE connections o SET sync_status = 'IDLE', sync_resume_at = NULL
      FROM counted c WHERE c.over AND o.svc_company_id = c.svc_company_id AND o.svc_id = c.connection_id`,
  },
  // Its items stay as they are: of one that was being sent it is not known whether the platform has it.
  upload: {
    own: '',
    others: `UPDATE upload_items o SET error_code = 'unknown-error', error_message = $2, error_path = NULL,
        svc_updated_at = now()
      FROM counted c WHERE c.over AND o.svc_company_id = c.svc_company_id AND o.upload_svc_id = c.svc_id
        AND o.ended_at IS NULL`,
  },
};

/** One run, or all that some workers hold. */
type Which = { readonly workerIds: readonly string[] } | (RunKey & { readonly kind: RunKind });

const ALL = Object.keys(KINDS) as RunKind[];

/** Frees what workers held that live on or were replaced: nothing is counted. */
export async function freeWork(pool: pg.Pool, workerIds: readonly string[]): Promise<void> {
  for (const kind of ALL) {
    const { table, handedBack } = KINDS[kind];
    await pool.query(
      `UPDATE ${table} t SET state = '${handedBack}', worker_id = NULL, svc_updated_at = now()
       WHERE t.worker_id = ANY($1::text[]) AND t.state = 'RUNNING'`,
      [workerIds],
    );
  }
}

/**
 * Counts a crash of the runs that are held, and frees them or gives them up. Returns how many were given up. Counted
 * once, however often it is told: what is free is held by nobody.
 */
export async function countCrash(pool: pg.Pool, which: Which): Promise<number> {
  let givenUp = 0;
  for (const kind of 'kind' in which ? [which.kind] : ALL) {
    const [condition, values] =
      'kind' in which
        ? ['t.svc_company_id = $3 AND t.svc_id = $4', [which.svcCompanyId, which.svcId]]
        : ['t.worker_id = ANY($3::text[])', [which.workerIds]];
    const { table, handedBack } = KINDS[kind];
    const { own, others } = ALONG[kind];
    const { rows } = await pool.query<{ over: boolean }>(
      `WITH counted AS (
         SELECT t.svc_company_id, t.svc_id, t.connection_id, t.crashes + 1 >= $1::int AS over FROM ${table} t
         WHERE ${condition} AND ${mayBecomeSql(kind, 't.state', GIVEN_UP)} FOR NO KEY UPDATE
       ), moved AS (
         UPDATE ${table} t SET crashes = t.crashes + 1, worker_id = NULL, svc_updated_at = now(),
           state = CASE WHEN c.over THEN '${GIVEN_UP}' ELSE '${handedBack}' END,
           ended_at = CASE WHEN c.over THEN now() END${own}
         FROM counted c WHERE t.svc_company_id = c.svc_company_id AND t.svc_id = c.svc_id
       ), shown AS (
         ${others}
       )
       SELECT c.over FROM counted c WHERE c.over`,
      [MAX_CRASHES, WHY, ...values],
    );
    givenUp += rows.length;
  }
  return givenUp;
}
