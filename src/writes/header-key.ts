import { invalid } from '../errors.js';

/** The header `Idempotency-Key` of a request that may write several times: the key of its one write without its own. */
export class HeaderKey {
  #isTaken = false;

  constructor(private readonly key: string) {}

  /** Whether a write took the key. */
  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** Throws `invalid-params` for a second write, which would be taken for a repetition of the first. */
  take(): string {
    if (this.#isTaken) {
      throw invalid('idempotencyKey', 'is required: the header Idempotency-Key is the key of one write only');
    }
    this.#isTaken = true;
    return this.key;
  }
}
