import { randomUUID } from 'node:crypto';
import { conflict } from '../db/database-error.js';
import { inOrder } from '../db/in-order.js';
import type { TenantQuery, TenantSql } from '../db/tenant-sql.js';
import { AppError } from '../errors.js';

/** Why records change; stored in the change log. */
export interface Cause {
  readonly kind: 'sync' | 'write' | 'download' | 'platform_event';
  readonly id: string | null;
}

export interface StoreTarget {
  readonly svcCompanyId: number;
  readonly connectionId: number;
  readonly integrationType: string;
}

/** The end of the organisation's log, and the time of the next change. */
interface ChangeHead {
  readonly position: number;
  readonly now: string;
}

/** Records of one type that change together, and why. */
interface Changing {
  readonly head: ChangeHead;
  readonly target: StoreTarget;
  readonly dataModel: string;
  readonly cause: Cause;
}

/**
 * The bound values of a change's statement; all of them appear in it: on a cluster, where it does not write the log, no
 * other part has them.
 */
export interface ChangeValues {
  readonly company: string;
  readonly connection: string;
  readonly now: string;
}

/** SQL that changes records. */
export interface ChangesSql {
  readonly ctes: string;
  /** The CTE with a row for each change: svc_id, operation, changes, revision and version. */
  readonly from: string;
  /** Columns returned from those rows, which are named `d`. */
  readonly columns: string;
}

/**
 * Changes records of a target and logs it, in a transaction that holds the change head: in one statement, or on a cluster,
 * where the log may be on another node, in two.
 */
export async function changeRecords<Row>(
  transaction: TenantSql,
  changing: Changing,
  render: (query: TenantQuery, values: ChangeValues) => ChangesSql,
  /** Stores what goes with them. */
  also: (changed: readonly Row[]) => readonly Promise<unknown>[] = () => [],
): Promise<Row[]> {
  const { head, target, dataModel } = changing;
  const query = transaction.query();
  const values = bindValues(query, changing);
  const { ctes, from, columns } = render(query, values);
  const answer = (further: string, more = '') =>
    `WITH ${ctes}${further} SELECT ${columns}${more} FROM ${from} d ORDER BY d.svc_id`;
  const { isCluster } = transaction;
  const text = isCluster
    ? answer('', `, ${LOGGED} AS logged`)
    : answer(`, logged AS (${logSql(query, changing, { values, from })})`);
  const changed = await transaction.rows<Row & { logged?: string; isOvertaken?: boolean }>(query, text);
  // Nodes of a cluster commit one after the other: the holder of the head may still wait for a record of the previous one.
  if (changed.some(({ isOvertaken }) => isOvertaken)) throw conflict();
  if (changed.length > 0) {
    const position = head.position + changed.length;
    // In one write; the session runs one after the other.
    await inOrder([
      isCluster && logChanges(transaction, changing, `[${changed.map(({ logged }) => logged).join(',')}]`),
      moveChangeHead(transaction, { position, svcCompanyId: target.svcCompanyId, dataModel }),
      ...also(changed),
    ]);
  }
  return changed;
}

const bindValues = (query: TenantQuery, { head, target }: Changing): ChangeValues => ({
  company: `${query.bind(target.svcCompanyId)}::bigint`,
  connection: `${query.bind(target.connectionId)}::bigint`,
  now: `${query.bind(head.now)}::timestamptz`,
});

/** A change as the log stores it. */
const LOGGED = `jsonb_build_object('svc_id', d.svc_id, 'operation', d.operation, 'changes', d.changes,
  'revision', d.revision, 'version', d.version)::text`;

/** Logs changes given as a JSON array of `LOGGED`. */
function logChanges(transaction: TenantSql, changing: Changing, changes: string): Promise<unknown> {
  const query = transaction.query();
  const values = bindValues(query, changing);
  const from = `jsonb_to_recordset(${query.bind(changes)}::jsonb)
    AS d (svc_id bigint, operation text, changes jsonb, revision int, version text)`;
  const log = logSql(query, changing, { values, from: `(SELECT * FROM ${from})` });
  return transaction.rows(
    query,
    `WITH logged AS (${log}) SELECT count(*) FROM logged l WHERE l.svc_organisation_id = $1`,
  );
}

/** Has a RETURNING clause: only then does a cluster insert rows under row-level security. */
function logSql(
  query: TenantQuery,
  { head, dataModel, cause }: Changing,
  { values: { company, connection, now }, from }: { readonly values: ChangeValues; readonly from: string },
): string {
  return `INSERT INTO record_changes (svc_organisation_id, position, svc_company_id, connection_id, data_model, svc_id,
      operation, changes, revision, version, cause, cause_id, changed_at)
    SELECT $1, ${query.bind(head.position)}::bigint + row_number() OVER (ORDER BY d.svc_id), ${company}, ${connection},
      '${dataModel}', d.svc_id, d.operation, d.changes, d.revision, d.version, ${query.bind(cause.kind)}::text,
      ${query.bind(cause.id)}::text, ${now} FROM ${from} d
    RETURNING svc_organisation_id`;
}

/** Makes the transaction the organisation's only writer. Returns the position of its last change. */
async function lockWriters(sql: TenantSql): Promise<number> {
  const [head] = await sql.rows<{ position: number }>(
    sql.query(),
    `INSERT INTO change_heads AS h (svc_organisation_id) VALUES ($1)
     ON CONFLICT (svc_organisation_id) DO UPDATE SET position = h.position
     WHERE h.svc_organisation_id = $1 RETURNING h.position`,
  );
  if (!head) throw new Error('the change head of the organisation is gone');
  return head.position;
}

/** Locks the organisation's writers out for changes of a connection's records; the time is taken after the lock. */
export async function lockChangeHead(
  sql: TenantSql,
  target: Pick<StoreTarget, 'svcCompanyId' | 'connectionId'>,
): Promise<ChangeHead> {
  const connection = sql.query();
  // In one write; the session runs one after the other.
  const [position, times] = await inOrder([
    lockWriters(sql),
    sql.rows<{ now: string }>(
      connection,
      `SELECT clock_timestamp()::timestamptz(3) AS now FROM connections t
       WHERE ${connection.rowsOf(target.svcCompanyId, 'svc_id', target.connectionId)}
       FOR KEY SHARE`,
    ),
  ]);
  if (!times[0]) throw new AppError('not-found', 'there is no such connection', 'connectionId');
  return { position, now: times[0].now };
}

interface MovedHead {
  readonly position: number;
  readonly svcCompanyId: number;
  readonly dataModel: string;
}

/** Stores the new end of the log, for the holder of `lockWriters`, and renews stamps (see `src/db/stamp.ts`). */
async function moveChangeHead(
  sql: TenantSql,
  { position, svcCompanyId, dataModel }: MovedHead,
): Promise<void> {
  const query = sql.query();
  // Generated here: a cluster rejects volatile PostgreSQL functions in updates.
  const stamp = `${query.bind(randomUUID())}::uuid`;
  await sql.rows(
    query,
    `WITH stamped AS (
       INSERT INTO change_stamps AS s (svc_organisation_id, svc_company_id, data_model, stamp)
       VALUES ($1, ${query.bind(svcCompanyId)}, ${query.bind(dataModel)}, ${stamp})
       ON CONFLICT (svc_organisation_id, svc_company_id, data_model) DO UPDATE SET stamp = excluded.stamp
       WHERE s.svc_organisation_id = $1 RETURNING 1
     )
     UPDATE change_heads h SET position = ${query.bind(position)}, stamp = ${stamp} WHERE h.svc_organisation_id = $1`,
  );
}
