import type { Database } from '../db/database.js';
import { organisationScope } from '../db/scope.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { freeCalls } from '../platforms/budget.js';
import { KINDS, type RunKey, type RunKind } from './lease.js';
import { noteEnds } from './note-ends.js';
import { GIVEN_UP, mayBecomeSql } from './states.js';

/** Crashes without progress after which the run itself is assumed to be the cause, and is given up. */
export const MAX_CRASHES = 10;

const WHY = `given up: ${MAX_CRASHES} workers died with it, one after the other; retry it when the cause is mended`;

/** Further changes for a run that is given up, from the rows of `counted`; `why` is the parameter with the reason. */
const ALONG: Readonly<Record<RunKind, (why: string) => { readonly own: string; readonly others: string }>> = {
  sync: (why) => ({
    own: `, error_code = CASE WHEN c.over THEN 'internal-error' ELSE t.error_code END,
      error_message = CASE WHEN c.over THEN ${why} ELSE t.error_message END`,
    others: `UPDATE connections o SET sync_status = 'IDLE', sync_resume_at = NULL
      FROM counted c WHERE c.over AND o.svc_organisation_id = $1 AND o.svc_company_id = c.svc_company_id
        AND o.svc_id = c.connection_id`,
  }),
  // Items keep their state: it is unknown whether the platform received the one being sent.
  upload: (why) => ({
    own: '',
    others: `UPDATE upload_items o SET error_code = 'unknown-error', error_message = ${why}, error_path = NULL,
        svc_updated_at = now()
      FROM counted c WHERE c.over AND o.svc_organisation_id = $1 AND o.svc_company_id = c.svc_company_id
        AND o.upload_svc_id = c.svc_id AND o.ended_at IS NULL`,
  }),
};

/** One run of an organisation, or all that some workers hold. */
type Which =
  | { readonly workerIds: readonly string[] }
  | (RunKey & { readonly kind: RunKind; readonly organisationId: number });

const ALL = Object.keys(KINDS) as RunKind[];

/** Releases runs and calls of workers that are alive or were replaced: no crash is counted. */
export async function freeWork(database: Database, workerIds: readonly string[]): Promise<void> {
  for (const organisationId of await organisationsOf(database, workerIds)) {
    const sql = database.sql(organisationScope(organisationId));
    await freeCalls(sql, workerIds);
    for (const kind of ALL) {
      const { table, handedBack } = KINDS[kind];
      const query = sql.query();
      await sql.rows(
        query,
        `UPDATE ${table} t SET state = '${handedBack}', worker_id = NULL, svc_updated_at = now()
         WHERE ${query.within('t')} AND t.worker_id = ANY(${query.bind(workerIds)}::text[]) AND t.state = 'RUNNING'`,
      );
    }
  }
}

/**
 * Counts a crash for the held runs, and releases them or gives them up. Returns how many were given up. Counted once,
 * however often it is reported: a released run is held by nobody.
 */
export async function countCrash(database: Database, which: Which): Promise<number> {
  const one = 'kind' in which;
  const organisationIds = one ? [which.organisationId] : await organisationsOf(database, which.workerIds);
  let givenUp = 0;
  for (const organisationId of organisationIds) {
    const sql = database.sql(organisationScope(organisationId));
    if (!one) await freeCalls(sql, which.workerIds);
    for (const kind of one ? [which.kind] : ALL) givenUp += await countIn(sql, kind, which);
  }
  return givenUp;
}

/** The organisations of which these workers hold runs. */
async function organisationsOf({ pool }: Database, workerIds: readonly string[]): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    'SELECT svc_organisation_id::float8 AS id FROM svc_organisations_of_workers($1) ORDER BY 1',
    [workerIds],
  );
  return rows.map(({ id }) => id);
}

function countIn(sql: TenantSql, kind: RunKind, which: Which): Promise<number> {
  return sql.transaction(async (transaction) => {
    const ended = await count(transaction, kind, which);
    await noteEnds(transaction, kind, ended);
    return ended.length;
  });
}

/** Returns the runs that were given up. */
async function count(sql: TenantSql, kind: RunKind, which: Which): Promise<RunKey[]> {
  const query = sql.query();
  const max = query.bind(MAX_CRASHES);
  const condition =
    'kind' in which
      ? `t.svc_company_id = ${query.bind(which.svcCompanyId)} AND t.svc_id = ${query.bind(which.svcId)}`
      : `t.worker_id = ANY(${query.bind(which.workerIds)}::text[])`;
  const { table, handedBack } = KINDS[kind];
  const { own, others } = ALONG[kind](`${query.bind(WHY)}::text`);
  return sql.rows<RunKey>(
    query,
    `WITH counted AS (
       SELECT t.svc_company_id, t.svc_id, t.connection_id, t.crashes + 1 >= ${max}::int AS over FROM ${table} t
       WHERE ${query.within('t')} AND ${condition} AND ${mayBecomeSql(kind, 't.state', GIVEN_UP)} FOR NO KEY UPDATE
     ), moved AS (
       UPDATE ${table} t SET crashes = t.crashes + 1, worker_id = NULL, svc_updated_at = now(),
         state = CASE WHEN c.over THEN '${GIVEN_UP}' ELSE '${handedBack}' END,
         ended_at = CASE WHEN c.over THEN now() END${own}
       FROM counted c WHERE ${query.within('t')} AND t.svc_company_id = c.svc_company_id AND t.svc_id = c.svc_id
     ), shown AS (
       ${others}
     )
     SELECT c.svc_company_id AS "svcCompanyId", c.svc_id AS "svcId" FROM counted c WHERE c.over`,
  );
}
