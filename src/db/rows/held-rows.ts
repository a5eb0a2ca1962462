import { AppError } from '../../errors.js';

/** Counts the rows read for a caller until the response is sent. */
export interface HeldRows {
  /** The error if these bytes may not be read, else null. */
  readonly add: (bytes: number) => RowsRefused | null;
  /** Lifts the limit: a mutation's result must be reported. */
  readonly free: () => void;
}

/** Rows of a statement were not kept: there are too many for a caller, or for all. */
export class RowsRefused extends AppError {}
