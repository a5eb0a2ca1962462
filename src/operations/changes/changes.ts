import type { Context } from '../../context.js';
import { AppError, type FieldPath, invalid } from '../../errors.js';
import { type ListedChange, readChanges, readChangesAt, readHistories } from '../../query/changes/changes.js';
import { type Connection, connectionOf } from '../../query/pages/connection.js';
import type { CursorForm } from '../../query/pages/position.js';
import { type OwnedId, ownedIdOf, ownedKey } from '../../query/owned-ids.js';
import { createPageRequest, type PageArguments, toPage } from '../../query/pages/page.js';

export type ChangeConnection = Connection<ListedChange>;

export type HistoryArguments = Omit<PageArguments, 'skip'>;

export interface ChangeArguments extends Pick<PageArguments, 'after' | 'first'> {
  readonly companyIds?: readonly number[] | null | undefined;
  readonly dataModels?: readonly string[] | null | undefined;
  readonly operations?: readonly string[] | null | undefined;
}

/** A cursor is the position itself: followers of the log keep one number. */
const POSITIONS: CursorForm = {
  encode: ([position]) => String(position),
  encodeEnd: (reversed) => String(reversed ? 0 : Number.MAX_SAFE_INTEGER),
  decode: (cursor, argument) => {
    const position = /^\d{1,16}$/.test(cursor) ? Number(cursor) : NaN;
    if (Number.isSafeInteger(position)) return [position];
    throw new AppError('invalid-cursor', 'is not a valid cursor', argument);
  },
};
const BY_POSITION = { cursors: POSITIONS, keyOf: ({ position }: ListedChange) => [position] };

/**
 * The organisation's changes after a position, in the order of the log. The end of a page is how far the log was read,
 * so that a reader advances even if nothing matches its filter. Throws `position-expired` for a position that retention
 * has passed: changes after it are missing.
 */
export async function listChanges(context: Context, args: ChangeArguments): Promise<ChangeConnection> {
  const { sql, limits } = context;
  const { size, from } = createPageRequest(args, POSITIONS, { limits, nested: false });
  const after = (from?.[0] as number | undefined) ?? null;
  const filter = {
    companyIds: limitValues('companyIds', args.companyIds, limits.filterValues),
    dataModels: limitValues('dataModels', args.dataModels, limits.filterValues),
    operations: limitValues('operations', args.operations, limits.filterValues),
  };
  const { changes, end, hasMore, head, forgotten } = await readChanges(sql, { after, size, filter });
  if (after !== null && after < forgotten) throw positionExpired(after, forgotten + 1);
  if (after !== null && after > head) {
    throw new AppError('invalid-cursor', `is beyond the last position, ${head}`, 'after');
  }
  const page = toPage(changes, { size, skip: 0, reversed: false, from, until: null });
  const { nodes, edges, pageInfo } = connectionOf(page, BY_POSITION);
  return {
    nodes,
    edges,
    pageInfo: pageInfo && { ...pageInfo, hasNextPage: hasMore, endCursor: String(end) },
  };
}

function positionExpired(after: number, oldestPosition: number): AppError {
  const words = `is past retention: changes after ${after} were removed, the oldest position is ${oldestPosition}; read the lists again and follow from there`;
  return new AppError('position-expired', words, 'after', { details: { oldestPosition } });
}

function limitValues<Value>(
  name: FieldPath,
  values: readonly Value[] | null | undefined,
  max: number,
): readonly Value[] | null {
  if (values && values.length > max)
    throw invalid(name, `accepts at most ${max} values, got ${values.length}`);
  return values ?? null;
}

/** A page of a record's changes, oldest first; all records of one query part share a statement. */
export function listHistory(
  context: Context,
  record: OwnedId,
  args: HistoryArguments,
): Promise<ChangeConnection> {
  const request = createPageRequest(args, POSITIONS, { limits: context.limits, nested: true });
  return context.loaders
    .of<ChangeConnection>(`history ${JSON.stringify(request)}`, async (keys) => {
      const pages = await readHistories(context.sql, keys.map(ownedIdOf), request);
      return pages.map((page) => connectionOf(page, BY_POSITION));
    })
    .load(ownedKey(record));
}

/** Changes by their positions. */
export const listChangesAt = ({ sql }: Context, positions: readonly number[]): Promise<ListedChange[]> =>
  readChangesAt(sql, positions);
