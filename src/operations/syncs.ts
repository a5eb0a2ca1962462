import type { Context } from '../context.js';
import type { TenantQuery, TenantSql } from '../db/tenant-sql.js';
import { AppError, invalid } from '../errors.js';
import type { SyncState } from '../sync/engine.js';
import { parseText } from '../values.js';
import { durationOf, errorOf, type SyncError, type SyncStatus } from './sync-jobs.js';

/** One run of a sync. Contract section 3, Sync; what it counts stands in its jobs. */
export interface ListedSync {
  readonly svcId: number;
  readonly syncId: string;
  readonly svcCompanyId: number;
  readonly connectionId: number;
  readonly integrationType: string;
  readonly category: string;
  readonly syncType: string;
  readonly configMode: 'READ';
  readonly fullSync: boolean;
  readonly syncFrom: string | null;
  readonly state: SyncState;
  readonly status: SyncStatus;
  readonly error: SyncError | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly resumeAt: string | null;
  readonly durationMs: number | null;
  readonly svcCreatedAt: string;
  readonly svcUpdatedAt: string;
}

/** Contract section 4 knows four words; what is neither all good nor over stays visible in `state`. */
const STATUSES: Readonly<Record<SyncState, SyncStatus>> = {
  PENDING: 'CREATED',
  RUNNING: 'RUNNING',
  SLEEPING: 'RUNNING',
  INTERRUPTED: 'RUNNING',
  SUCCESS: 'SUCCESS',
  PARTIAL_SUCCESS: 'FAILED',
  FAILED: 'FAILED',
};

type SyncRow = Omit<ListedSync, 'configMode' | 'status' | 'error' | 'durationMs'> & {
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
};

const COLUMNS = `t.svc_id AS "svcId", t.sync_id AS "syncId", t.svc_company_id AS "svcCompanyId",
  t.connection_id AS "connectionId", t.integration_type AS "integrationType", t.category, t.sync_type AS "syncType",
  t.full_sync AS "fullSync", t.sync_from AS "syncFrom", t.state, t.error_code AS "errorCode",
  t.error_message AS "errorMessage", t.started_at AS "startedAt", t.ended_at AS "endedAt", t.resume_at AS "resumeAt",
  t.svc_created_at AS "svcCreatedAt", t.svc_updated_at AS "svcUpdatedAt"`;

export interface SyncPageArguments {
  readonly companyId?: number | null | undefined;
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
  readonly skip?: number | null | undefined;
}

/** A Relay connection but for its count, which is read when it is asked for. */
export interface SyncPage {
  readonly companyId: number | null;
  readonly nodes: readonly ListedSync[];
  readonly edges: readonly { readonly node: ListedSync; readonly cursor: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/** The runs of the scope, latest first. */
export async function listSyncs(context: Context, args: SyncPageArguments): Promise<SyncPage> {
  const companyId = args.companyId ?? null;
  const page = parsePage(context, args);
  const query = context.sql.query();
  const conditions = [
    query.within('t'),
    ...(companyId === null ? [] : [`t.svc_company_id = ${query.bind(companyId)}`]),
    ...(page.from === null ? [] : [`t.svc_id ${page.reversed ? '>' : '<'} ${query.bind(page.from)}::bigint`]),
  ];
  const found = await readSyncs(
    context.sql,
    query,
    `${conditions.join(' AND ')} ORDER BY t.svc_id ${page.reversed ? 'ASC' : 'DESC'}
     LIMIT ${query.bind(page.size + 1)} OFFSET ${query.bind(page.skip)}`,
  );
  const isMore = found.length > page.size;
  const nodes = found.slice(0, page.size);
  if (page.reversed) nodes.reverse();
  const isInside = page.from !== null || page.skip > 0;
  const edges = nodes.map((node) => ({ node, cursor: encodeCursor(node.svcId) }));
  return {
    companyId,
    nodes,
    edges,
    pageInfo: {
      hasNextPage: page.reversed ? isInside : isMore,
      hasPreviousPage: page.reversed ? isMore : isInside,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges[edges.length - 1]?.cursor ?? null,
    },
  };
}

/** How many runs a list has. */
export async function countSyncs({ sql }: Context, companyId: number | null): Promise<number> {
  const query = sql.query();
  const ofCompany = companyId === null ? '' : ` AND t.svc_company_id = ${query.bind(companyId)}`;
  const [row] = await sql.rows<{ count: number }>(
    query,
    `SELECT count(*) AS count FROM syncs t WHERE ${query.within('t')}${ofCompany}`,
  );
  return row?.count ?? 0;
}

/** One run; null when the scope has none of that id. */
export async function getSync({ sql }: Context, syncId: string): Promise<ListedSync | null> {
  const query = sql.query();
  const id = query.bind(parseText(syncId, 'syncId'));
  const [found] = await readSyncs(sql, query, `${query.within('t')} AND t.sync_id = ${id}`);
  return found ?? null;
}

async function readSyncs(sql: TenantSql, query: TenantQuery, where: string): Promise<ListedSync[]> {
  const rows = await sql.rows<SyncRow>(query, `SELECT ${COLUMNS} FROM syncs t WHERE ${where}`);
  return rows.map(present);
}

function present({ errorCode, errorMessage, ...row }: SyncRow): ListedSync {
  return {
    ...row,
    configMode: 'READ',
    status: STATUSES[row.state],
    error: errorOf(errorCode, errorMessage),
    durationMs: durationOf(row.startedAt, row.endedAt),
  };
}

interface PageOfSyncs {
  readonly size: number;
  readonly skip: number;
  readonly reversed: boolean;
  readonly from: number | null;
}

function parsePage({ limits }: Context, args: SyncPageArguments): PageOfSyncs {
  const { first, last, after, before, skip } = args;
  if (first != null && last != null) throw invalid('last', 'first and last cannot be used together');
  if (after != null && before != null) throw invalid('before', 'after and before cannot be used together');
  const reversed = last != null || before != null;
  if (reversed && (first != null || after != null)) {
    throw invalid('last', 'last and before cannot be used with first and after');
  }
  const within = (field: string, value: number, most: number): number => {
    if (value >= 0 && value <= most) return value;
    throw invalid(field, `${field} must be between 0 and ${most}, got ${value}`);
  };
  return {
    size: within(reversed ? 'last' : 'first', first ?? last ?? limits.pageSize, limits.maxPageSize),
    skip: within('skip', skip ?? 0, limits.maxSkip),
    reversed,
    from: decodeCursor(reversed ? 'before' : 'after', before ?? after ?? null),
  };
}

/** The form that clients know these cursors in (contract section 1). */
const encodeCursor = (svcId: number): string => Buffer.from(`{"id": ${svcId}}`).toString('base64');

function decodeCursor(field: string, cursor: string | null): number | null {
  if (cursor === null) return null;
  const id = /^\{"id": ?(\d{1,15})\}$/.exec(Buffer.from(cursor, 'base64').toString('utf8'))?.[1];
  if (id !== undefined) return Number(id);
  throw new AppError('invalid-cursor', `${field}: this is no cursor of a list of syncs`, field);
}
