import type { ClientBase, Pool } from 'pg';

/** One object of an account. `body` is the JSON that the platform sends. */
export interface StoredObject {
  readonly kind: string;
  readonly id: string;
  readonly body: string;
  /** Unique within its kind among live objects: a document number, a code. */
  readonly number?: string | null;
  /** The caller's marker, to find the object again. */
  readonly marker?: string | null;
  /** The object that this one belongs to. */
  readonly parent?: string | null;
}

/** A stored object with its place and times. */
export interface ObjectRow extends StoredObject {
  readonly position: number;
  readonly created_at: Date;
  readonly modified_at: Date;
  readonly deleted_at: Date | null;
}

/** An object of a new account, with its own times. */
export interface InitialObject extends StoredObject {
  readonly createdAt: string;
  readonly modifiedAt: string;
  readonly deletedAt?: string | null;
}

const BATCH = 500;
const TYPES = ['text', 'bigint', ...Array<string>(5).fill('text'), ...Array<string>(3).fill('timestamptz')];

/** Fills the kinds of a new account, each in the order of its objects. */
export async function insertInitial(
  pool: Pool,
  account: number,
  objects: readonly InitialObject[],
): Promise<void> {
  const positions = new Map<string, number>();
  for (let start = 0; start < objects.length; start += BATCH) {
    const batch = objects.slice(start, start + BATCH);
    // One parameter per value: JSON inside an array would need escaping, which takes longer than everything else.
    const values = batch.flatMap((object) => {
      const { kind, id, body, number, marker, parent, createdAt, modifiedAt, deletedAt } = object;
      const position = (positions.get(kind) ?? 0) + 1;
      positions.set(kind, position);
      const names = [kind, position, id, body, number ?? null, marker ?? null, parent ?? null];
      return [...names, createdAt, modifiedAt, deletedAt ?? null];
    });
    await pool.query({
      name: `fill-${batch.length}`,
      text: fillText(batch.length),
      values: [account, ...values],
    });
  }
}

/** The planner has no statistics for a table that was just filled; small additions can wait for autovacuum. */
export async function renewStatistics(pool: Pool, added: number): Promise<void> {
  const { rowCount } = await pool.query(
    `SELECT FROM pg_class WHERE oid = 'objects'::regclass AND reltuples < 2 * $1`,
    [added],
  );
  if (rowCount) await pool.query('ANALYZE objects');
}

function fillText(rows: number): string {
  const row = (index: number) =>
    TYPES.map((type, column) => `$${index * TYPES.length + column + 2}::${type}`).join(', ');
  return `INSERT INTO objects
    (account, kind, position, id, body, number, marker, parent, created_at, modified_at, deleted_at)
    VALUES ${Array.from({ length: rows }, (_, index) => `($1, ${row(index)})`).join(', ')}`;
}

const COLUMNS = 'kind, id, body, number, marker, parent, position, created_at, modified_at, deleted_at';

/** A live object by its id. */
export async function findObject(
  client: ClientBase | Pool,
  account: number,
  kind: string,
  id: string,
): Promise<ObjectRow | null> {
  const { rows } = await client.query<ObjectRow>(
    `SELECT ${COLUMNS} FROM objects WHERE account = $1 AND kind = $2 AND id = $3 AND deleted_at IS NULL`,
    [account, kind, id],
  );
  return rows[0] ?? null;
}

/** A live object by its number or code. */
export async function findByNumber(
  client: ClientBase | Pool,
  account: number,
  kind: string,
  number: string,
): Promise<ObjectRow | null> {
  const { rows } = await client.query<ObjectRow>(
    `SELECT ${COLUMNS} FROM objects WHERE account = $1 AND kind = $2 AND number = $3 AND deleted_at IS NULL`,
    [account, kind, number],
  );
  return rows[0] ?? null;
}

/** The live objects of a kind that belong to another, in order. */
export async function findByParent(
  client: ClientBase | Pool,
  account: number,
  kind: string,
  parent: string,
): Promise<ObjectRow[]> {
  const { rows } = await client.query<ObjectRow>(
    `SELECT ${COLUMNS} FROM objects
     WHERE account = $1 AND kind = $2 AND parent = $3 AND deleted_at IS NULL ORDER BY position`,
    [account, kind, parent],
  );
  return rows;
}
