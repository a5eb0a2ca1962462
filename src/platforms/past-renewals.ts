import { isTooSlow } from '../db/database-error.js';

/** The combined waits of this many statements exceed the longest renewal. */
const TRIES = 3;

/**
 * Runs a transaction that locks tokens. A renewal keeps them locked until the platform has answered, which may take longer
 * than a statement may wait: the transaction is then repeated.
 */
export async function pastRenewals<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (tried === TRIES || !isTooSlow(error)) throw error;
    }
  }
}
