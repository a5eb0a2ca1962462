import type { Pool } from 'pg';

/** Where a list continues, and in which direction. */
export interface Cursor {
  readonly direction: 'older' | 'newer';
  readonly position: number;
}

interface NewestFirstOptions {
  readonly kind: string;
  readonly limit: number;
  readonly cursor: Cursor | null;
  readonly createdSince: Date | null;
  readonly marker: string | null;
}

/** Rows of a page, newest first, and whether there are more in that direction. */
interface FeedPage<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** Objects by creation, newest first. Positions follow the order of creation. */
export async function readNewestFirst(
  pool: Pool,
  account: number,
  { kind, limit, cursor, createdSince, marker }: NewestFirstOptions,
): Promise<FeedPage<{ readonly body: string }>> {
  const isNewer = cursor?.direction === 'newer';
  const { rows } = await pool.query<{ body: string }>(
    `SELECT body FROM objects WHERE account = $1 AND kind = $2 AND deleted_at IS NULL
     AND ($3::bigint IS NULL OR position ${isNewer ? '>' : '<'} $3)
     AND ($4::timestamptz IS NULL OR created_at >= $4) AND ($5::text IS NULL OR marker = $5)
     ORDER BY position ${isNewer ? 'ASC' : 'DESC'} LIMIT $6`,
    [account, kind, cursor?.position ?? null, createdSince, marker, limit + 1],
  );
  return pageOf(rows, limit, isNewer);
}

export interface EventRow {
  readonly sequence: number;
  readonly type: string;
  readonly created_at: Date;
  readonly object: string;
}

/** Events in commit order, newest first. */
export async function readEvents(
  pool: Pool,
  account: number,
  options: {
    readonly limit: number;
    readonly cursor: Cursor | null;
    readonly createdSince: Date | null;
    readonly types: readonly string[];
  },
): Promise<FeedPage<EventRow>> {
  const { limit, cursor, createdSince, types } = options;
  const isNewer = cursor?.direction === 'newer';
  const { rows } = await pool.query<EventRow>(
    `SELECT sequence, type, created_at, object FROM events WHERE account = $1
     AND ($2::bigint IS NULL OR sequence ${isNewer ? '>' : '<'} $2)
     AND ($3::timestamptz IS NULL OR created_at >= $3) AND ($4::text[] = '{}' OR type = ANY ($4))
     ORDER BY sequence ${isNewer ? 'ASC' : 'DESC'} LIMIT $5`,
    [account, cursor?.position ?? null, createdSince, [...types], limit + 1],
  );
  return pageOf(rows, limit, isNewer);
}

function pageOf<Row>(rows: readonly Row[], limit: number, isNewer: boolean): FeedPage<Row> {
  const page = rows.slice(0, limit);
  return { rows: isNewer ? page.reverse() : page, hasMore: rows.length > limit };
}

/** The position of an object, even if it was deleted since. */
export async function positionOf(
  pool: Pool,
  account: number,
  kind: string,
  id: string,
): Promise<number | null> {
  const { rows } = await pool.query<{ position: number }>(
    'SELECT position FROM objects WHERE account = $1 AND kind = $2 AND id = $3',
    [account, kind, id],
  );
  return rows[0]?.position ?? null;
}

/** A place in a list sorted by last change: after the object with this time and position. */
interface ChangePlace {
  readonly time: string;
  readonly position: number;
}

interface ChangedRow {
  readonly body: string;
  readonly modified_at: Date;
  readonly position: number;
}

/** Live objects, sorted by last change, oldest first. */
export async function readByChange(
  pool: Pool,
  account: number,
  options: {
    readonly kind: string;
    readonly limit: number;
    readonly after: ChangePlace | null;
    readonly since: Date | null;
    readonly marker: string | null;
  },
): Promise<FeedPage<ChangedRow>> {
  const { kind, limit, after, since, marker } = options;
  const { rows } = await pool.query<ChangedRow>(
    `SELECT body, modified_at, position FROM objects WHERE account = $1 AND kind = $2
     AND (modified_at, position) > ($3::timestamptz, $4::bigint) AND modified_at >= $5::timestamptz
     AND deleted_at IS NULL AND ($6::text IS NULL OR marker = $6) ORDER BY modified_at, position LIMIT $7`,
    [
      account,
      kind,
      after?.time ?? '-infinity',
      after?.position ?? -1,
      since ?? '-infinity',
      marker,
      limit + 1,
    ],
  );
  return pageOf(rows, limit, false);
}

interface DeletionRow {
  readonly sequence: number;
  readonly kind: string;
  readonly id: string;
  readonly deleted_at: Date;
}

/** Deletions, oldest first. */
export async function readDeletions(
  pool: Pool,
  account: number,
  options: { readonly limit: number; readonly after: number; readonly since: Date | null },
): Promise<FeedPage<DeletionRow>> {
  const { rows } = await pool.query<DeletionRow>(
    `SELECT sequence, kind, id, deleted_at FROM deletions WHERE account = $1 AND sequence > $2
     AND deleted_at >= $3::timestamptz ORDER BY sequence LIMIT $4`,
    [account, options.after, options.since ?? '-infinity', options.limit + 1],
  );
  return pageOf(rows, options.limit, false);
}
