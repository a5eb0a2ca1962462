/** The value of a text too long for a cursor: its beginning, and its row with a sum that tells whether it has changed. */
export interface LongText {
  readonly start: string;
  readonly sum: string;
  readonly svcId: number;
}

/**
 * The values of the order's steps at one row. Null: the row is among the nulls of that step. None: beyond the last row
 * in reading direction, which is where an empty page is.
 */
export type Position = readonly (string | number | LongText | null)[];

/** How the cursors of one list are written and read. */
export interface CursorForm {
  /** Names a row by the values of the order's steps. */
  encode(position: readonly (string | number | null)[]): string;
  /** Names the place beyond the last row, or before the first one where the list was read backwards. */
  encodeEnd(reversed: boolean): string;
  /** Throws `invalid-cursor`. */
  decode(cursor: string, argument: string): Position;
}
