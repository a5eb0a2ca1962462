import type { Pool } from 'pg';

/** One page of a kind. */
interface NumberedPage {
  /** JSON of the live objects on it. */
  readonly bodies: readonly string[];
  readonly ids: readonly string[];
  readonly itemCount: number;
  readonly pageCount: number;
}

interface NumberedPageOptions {
  readonly kind: string;
  readonly page: number;
  readonly pageSize: number;
  readonly modifiedSince: Date | null;
  readonly marker: string | null;
}

/** Pages by number. Deleted objects keep their places, so that nothing moves between pages during a walk. */
export function readNumberedPage(
  pool: Pool,
  account: number,
  options: NumberedPageOptions,
): Promise<NumberedPage> {
  const { modifiedSince, marker } = options;
  return modifiedSince === null && marker === null
    ? readPlain(pool, account, options)
    : readFiltered(pool, account, options);
}

async function readPlain(
  pool: Pool,
  account: number,
  { kind, page, pageSize }: NumberedPageOptions,
): Promise<NumberedPage> {
  const { rows: heads } = await pool.query<{ positions: number; live: number }>(
    'SELECT positions, live FROM kinds WHERE account = $1 AND kind = $2',
    [account, kind],
  );
  const { positions, live } = heads[0] ?? { positions: 0, live: 0 };
  const { rows } = await pool.query<{ id: string; body: string }>(
    `SELECT id, body FROM objects WHERE account = $1 AND kind = $2 AND position > $3 AND position <= $4
     AND deleted_at IS NULL ORDER BY position`,
    [account, kind, (page - 1) * pageSize, page * pageSize],
  );
  return {
    bodies: rows.map(({ body }) => body),
    ids: rows.map(({ id }) => id),
    itemCount: live,
    pageCount: Math.ceil(positions / pageSize),
  };
}

const FILTER = `account = $1 AND kind = $2 AND ($3::timestamptz IS NULL OR modified_at >= $3)
  AND ($4::text IS NULL OR marker = $4)`;

async function readFiltered(
  pool: Pool,
  account: number,
  { kind, page, pageSize, modifiedSince, marker }: NumberedPageOptions,
): Promise<NumberedPage> {
  const filter = [account, kind, modifiedSince, marker];
  const { rows: counts } = await pool.query<{ positions: number; live: number }>(
    `SELECT count(*) AS positions, count(*) FILTER (WHERE deleted_at IS NULL) AS live FROM objects WHERE ${FILTER}`,
    filter,
  );
  const { rows } = await pool.query<{ id: string; body: string; deleted_at: Date | null }>(
    `SELECT id, body, deleted_at FROM objects WHERE ${FILTER} ORDER BY position LIMIT $5 OFFSET $6`,
    [...filter, pageSize, (page - 1) * pageSize],
  );
  const live = rows.filter(({ deleted_at }) => deleted_at === null);
  return {
    bodies: live.map(({ body }) => body),
    ids: live.map(({ id }) => id),
    itemCount: counts[0]?.live ?? 0,
    pageCount: Math.ceil((counts[0]?.positions ?? 0) / pageSize),
  };
}
