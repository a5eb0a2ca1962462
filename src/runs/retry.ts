import type { TenantSql } from '../db/tenant-sql.js';
import { AppError } from '../errors.js';
import { KINDS, type QueuedRun, queueRun, type RunKind } from './lease.js';
import { GIVEN_UP } from './states.js';

/**
 * Lets a run that was given up continue where it stopped, in the given transaction. Throws `not-found`, and `conflict`
 * for one that was not given up.
 */
export async function retryRun(transaction: TenantSql, kind: RunKind, id: string): Promise<QueuedRun> {
  const { table, id: column, handedBack } = KINDS[kind];
  const query = transaction.query();
  const bound = query.bind(id);
  const [run] = await transaction.rows<QueuedRun>(
    query,
    `UPDATE ${table} t SET state = '${handedBack}', ended_at = NULL, crashes = 0, svc_updated_at = now()
     WHERE ${query.within('t')} AND t.${column} = ${bound} AND t.state = '${GIVEN_UP}'
     RETURNING t.svc_company_id AS "svcCompanyId", t.svc_id AS "svcId", t.connection_id AS "connectionId"`,
  );
  if (!run) throw await refusal(transaction, kind, id);
  await queueRun(transaction, kind, run);
  return run;
}

/** The id of each kind of run. */
const FIELDS = { sync: 'syncId', upload: 'writeId' } as const satisfies Record<RunKind, string>;

async function refusal(sql: TenantSql, kind: RunKind, id: string): Promise<AppError> {
  const { table, id: column } = KINDS[kind];
  const query = sql.query();
  const [row] = await sql.rows<{ state: string }>(
    query,
    `SELECT t.state FROM ${table} t WHERE ${query.within('t')} AND t.${column} = ${query.bind(id)}`,
  );
  if (!row) return new AppError('not-found', 'there is no such run', FIELDS[kind]);
  return new AppError('conflict', `this run was not given up, it is ${row.state}: there is nothing to retry`);
}
