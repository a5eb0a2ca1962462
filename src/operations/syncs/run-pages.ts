import type { Context } from '../../context.js';
import type { TenantQuery } from '../../db/tenant-sql.js';
import { AppError, invalid } from '../../errors.js';
import { toPage } from '../../query/page.js';

/** Which part of a list of runs is wanted: syncs or uploads, latest first. */
export interface RunPageArguments {
  readonly companyId?: number | null | undefined;
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
  readonly skip?: number | null | undefined;
}

/** A Relay connection but for its count, which is read when it is asked for. */
export interface RunPage<Run> {
  readonly companyId: number | null;
  readonly nodes: readonly Run[];
  readonly edges: readonly { readonly node: Run; readonly cursor: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/** A page of runs; `read` takes the condition on `t` with all that follows it. */
export async function readRunPage<Run extends { readonly svcId: number }>(
  context: Context,
  query: TenantQuery,
  args: RunPageArguments,
  read: (rest: string) => Promise<Run[]>,
): Promise<RunPage<Run>> {
  const companyId = args.companyId ?? null;
  const page = parsePage(context, args);
  const conditions = [
    query.within('t'),
    ...(companyId === null ? [] : [`t.svc_company_id = ${query.bind(companyId)}`]),
    // The latest run is the first: what comes after a cursor has a smaller svc_id.
    ...(page.after === null ? [] : [`t.svc_id < ${query.bind(page.after)}::bigint`]),
    ...(page.before === null ? [] : [`t.svc_id > ${query.bind(page.before)}::bigint`]),
  ];
  const found = await read(
    `${conditions.join(' AND ')} ORDER BY t.svc_id ${page.reversed ? 'ASC' : 'DESC'}
     LIMIT ${query.bind(page.size + 1)} OFFSET ${query.bind(page.skip)}`,
  );
  const position = (svcId: number | null) => (svcId === null ? null : [svcId]);
  const [from, until] = page.reversed ? [page.before, page.after] : [page.after, page.before];
  const part = { ...page, from: position(from), until: position(until) };
  const { items: nodes, hasNextPage, hasPreviousPage, isBeyond } = toPage(found, part);
  // An empty page is beyond the oldest run, or before the latest.
  const back = isBeyond ? encodeCursor(page.reversed ? LATEST : 0) : null;
  const edges = nodes.map((node) => ({ node, cursor: encodeCursor(node.svcId) }));
  return {
    companyId,
    nodes,
    edges,
    pageInfo: {
      hasNextPage,
      hasPreviousPage,
      startCursor: edges[0]?.cursor ?? back,
      endCursor: edges[edges.length - 1]?.cursor ?? back,
    },
  };
}

/** How many runs a list has, of a company or of all. */
export async function countRuns(
  { sql }: Context,
  table: 'syncs' | 'uploads',
  companyId: number | null,
): Promise<number> {
  const query = sql.query();
  const ofCompany = companyId === null ? '' : ` AND t.svc_company_id = ${query.bind(companyId)}`;
  const [row] = await sql.rows<{ count: number }>(
    query,
    `SELECT count(*) AS count FROM ${table} t WHERE ${query.within('t')}${ofCompany}`,
  );
  return row?.count ?? 0;
}

interface Page {
  readonly size: number;
  readonly skip: number;
  readonly reversed: boolean;
  readonly after: number | null;
  readonly before: number | null;
}

function parsePage({ limits }: Context, args: RunPageArguments): Page {
  const { first, last, after, before, skip } = args;
  if (first != null && last != null) throw invalid('last', 'first and last cannot be used together');
  const reversed = last != null || (first == null && after == null && before != null);
  const within = (field: string, value: number, most: number): number => {
    if (value >= 0 && value <= most) return value;
    throw invalid(field, `${field} must be between 0 and ${most}, got ${value}`);
  };
  return {
    size: within(reversed ? 'last' : 'first', first ?? last ?? limits.pageSize, limits.maxPageSize),
    skip: within('skip', skip ?? 0, limits.maxSkip),
    reversed,
    after: decodeCursor('after', after ?? null),
    before: decodeCursor('before', before ?? null),
  };
}

const LATEST = 999_999_999_999_999;

/** The form that clients know these cursors in (contract section 1). */
const encodeCursor = (svcId: number): string => Buffer.from(`{"id": ${svcId}}`).toString('base64');

function decodeCursor(field: string, cursor: string | null): number | null {
  if (cursor === null) return null;
  const id = /^\{"id": ?(\d{1,15})\}$/.exec(Buffer.from(cursor, 'base64').toString('utf8'))?.[1];
  if (id !== undefined) return Number(id);
  throw new AppError('invalid-cursor', `${field}: this is no cursor of this list`, field);
}
