import type { Change } from '../store/change.js';
import type { BooksObject } from './objects.js';
import { fromStored } from './stored.js';

/** A value of a dimension. */
export interface DimensionOption {
  readonly OptionGuid: string;
  readonly Title: string | null;
  /** The parent option. */
  readonly Parent: string | null;
  readonly State: string;
  readonly ChangedOn: string;
  readonly Reference?: string | null;
}

export interface Dimension extends BooksObject {
  readonly Title: string | null;
  readonly Options: readonly DimensionOption[];
}

/** There are few dimensions, so all of them are read together. */
export async function dimensionsOf({ client, account }: Change): Promise<Dimension[]> {
  const { rows } = await client.query<{ body: string }>(
    `SELECT body FROM objects WHERE account = $1 AND kind = 'Dimensions' AND deleted_at IS NULL`,
    [account],
  );
  return rows.map((row) => fromStored<Dimension>(row));
}
