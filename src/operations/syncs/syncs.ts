import type { Context } from '../../context.js';
import type { TenantQuery, TenantSql } from '../../db/tenant-sql.js';
import type { CountedConnection } from '../../query/pages/connection.js';
import { ofOwnedIds, type OwnedId } from '../../query/owned-ids.js';
import { listBySvcId, runList, type SvcIdListArguments } from '../../query/pages/svc-id-list.js';
import type { SyncState } from '../../runs/states.js';
import { parseText } from '../../base/values.js';
import { durationOf, errorOf, type SyncError } from './sync-jobs.js';

/** One run of a sync. Reference G12, sync; its counts are in its jobs. */
export interface ListedSync {
  readonly svcId: number;
  readonly syncId: string;
  readonly svcCompanyId: number;
  readonly connectionId: number;
  readonly integrationType: string;
  readonly category: string;
  readonly syncType: string;
  readonly fullSync: boolean;
  readonly syncFrom: string | null;
  readonly state: SyncState;
  readonly error: SyncError | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly resumeAt: string | null;
  readonly durationMs: number | null;
  readonly svcCreatedAt: string;
  readonly svcUpdatedAt: string;
}

type SyncRow = Omit<ListedSync, 'error' | 'durationMs'> & {
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
};

const COLUMNS = `t.svc_id AS "svcId", t.sync_id AS "syncId", t.svc_company_id AS "svcCompanyId",
  t.connection_id AS "connectionId", t.integration_type AS "integrationType", t.category, t.sync_type AS "syncType",
  t.full_sync AS "fullSync", t.sync_from AS "syncFrom", t.state, t.error_code AS "errorCode",
  t.error_message AS "errorMessage", t.started_at AS "startedAt", t.ended_at AS "endedAt", t.resume_at AS "resumeAt",
  t.svc_created_at AS "svcCreatedAt", t.svc_updated_at AS "svcUpdatedAt"`;

export type SyncConnection = CountedConnection<ListedSync>;

/** The runs of the scope, or of one company, latest first. */
export function listSyncs({ sql, limits }: Context, args: SvcIdListArguments): Promise<SyncConnection> {
  return listBySvcId(sql, { ...runList('syncs'), read: readSyncs }, args, { limits });
}

/** One run; null when the scope has none of that id. */
export async function getSync({ sql }: Context, syncId: string): Promise<ListedSync | null> {
  const query = sql.query();
  const id = query.bind(parseText(syncId, 'syncId'));
  const [found] = await readSyncs(sql, query, `${query.within('t')} AND t.sync_id = ${id}`);
  return found ?? null;
}

/** Runs by their svc_ids. */
export function listSyncsById(sql: TenantSql, syncs: readonly OwnedId[]): Promise<ListedSync[]> {
  const query = sql.query();
  return readSyncs(sql, query, `${query.within('t')} AND ${ofOwnedIds(query, 'svc_id', syncs)}`);
}

async function readSyncs(sql: TenantSql, query: TenantQuery, where: string): Promise<ListedSync[]> {
  const rows = await sql.rows<SyncRow>(query, `SELECT ${COLUMNS} FROM syncs t WHERE ${where}`);
  return rows.map(present);
}

function present({ errorCode, errorMessage, ...row }: SyncRow): ListedSync {
  return {
    ...row,
    error: errorOf(errorCode, errorMessage),
    durationMs: durationOf(row.startedAt, row.endedAt),
  };
}
