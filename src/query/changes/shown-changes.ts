import { databaseTime } from '../../db/clock.js';
import type { TenantSql } from '../../db/tenant-sql.js';
import { recordTypeOf } from '../../records/index.js';

/** A change as a cluster's log tells it. */
export interface LoggedChange {
  readonly dataModel: string;
  readonly svcCompanyId: number;
  readonly svcId: number;
  /** Read on a cluster only. */
  readonly revision?: number;
  /** By the coordinator's clock: those of its nodes may differ. */
  readonly changedAt: string;
}

/**
 * A cluster resolves a transaction whose end a node missed within a minute after the node is back. Records that were
 * older when no node had been away for some time are taken as they are.
 */
const FRESH_MS = 5 * 60_000;

/**
 * How many changes, counted from the first, have their records visible. The log and the records of a company may be on
 * different nodes of a cluster, one of which shows a commit sooner than the other: a copy that followed the log would
 * keep the old record.
 */
export async function countShown(sql: TenantSql, changes: readonly LoggedChange[]): Promise<number> {
  const since = databaseTime().getTime() - sql.settledAgo - FRESH_MS;
  const isFresh = ({ changedAt }: LoggedChange) => Date.parse(changedAt) > since;
  const fresh = changes.filter(isFresh);
  const models = new Set(fresh.map(({ dataModel }) => dataModel));
  const revisions = new Map<number, number>();
  await Promise.all(
    Array.from(models, async (dataModel) => {
      const of = fresh.filter((change) => change.dataModel === dataModel);
      for (const { svcId, revision } of await readRevisions(sql, dataModel, of))
        revisions.set(svcId, revision);
    }),
  );
  const missing = changes.findIndex(
    (change) => isFresh(change) && (revisions.get(change.svcId) ?? 0) < (change.revision ?? 0),
  );
  return missing === -1 ? changes.length : missing;
}

function readRevisions(
  sql: TenantSql,
  dataModel: string,
  changes: readonly LoggedChange[],
): Promise<{ svcId: number; revision: number }[]> {
  const query = sql.query();
  const companies = changes.map(({ svcCompanyId }) => svcCompanyId);
  const ids = query.bind(changes.map(({ svcId }) => svcId));
  return sql.rows(
    query,
    `SELECT t.svc_id AS "svcId", t.revision FROM ${recordTypeOf(dataModel)?.table} t
     WHERE ${query.filtered('t')} AND ${query.ofCompanies(companies)} AND t.svc_id = ANY(${ids}::bigint[])`,
  );
}
