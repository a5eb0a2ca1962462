import type { AppError } from '../errors.js';

/** Counts what is read for a caller, until the answer has left. */
export interface HeldRows {
  /** Why these bytes may not be read; null where they may. */
  readonly add: (bytes: number) => AppError | null;
  /** From now on everything may be read: what a mutation has done is told. */
  readonly free: () => void;
}
