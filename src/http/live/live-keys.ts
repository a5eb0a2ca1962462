import type pg from 'pg';
import { findKeyByHash } from '../../operations/keys/api-keys.js';

/** A key in use for longer than a request. */
interface LiveKey {
  readonly keyId: string;
  readonly hash: Uint8Array;
  readonly address: string;
}

/** The use of a key by one connection. */
export interface Use {
  /** Aborted when the key has been revoked or has expired. */
  readonly revoked: AbortSignal;
  readonly end: () => void;
}

/** A revoked key's connections are closed after this plus one statement: within 5 s. */
const CHECK_MS = 3000;

/** Keys with open connections, which are rechecked while in use. */
export class LiveKeys {
  readonly #uses = new Map<string, { key: LiveKey; cuts: Set<AbortController> }>();
  readonly #timer: NodeJS.Timeout;
  #isChecking = false;

  constructor(private readonly pool: pg.Pool) {
    this.#timer = setInterval(() => void this.#check(), CHECK_MS).unref();
  }

  use(key: LiveKey): Use {
    const cut = new AbortController();
    const found = this.#uses.get(key.keyId);
    if (found) found.cuts.add(cut);
    else this.#uses.set(key.keyId, { key, cuts: new Set([cut]) });
    const end = () => {
      const { cuts } = this.#uses.get(key.keyId) ?? {};
      cuts?.delete(cut);
      if (cuts?.size === 0) this.#uses.delete(key.keyId);
    };
    return { revoked: cut.signal, end };
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    for (const { key, cuts } of [...this.#uses.values()]) {
      // An unavailable database closes no connections.
      const isGone = await findKeyByHash(this.pool, key.hash, key.address).then(
        (found) => found === null,
        () => false,
      );
      if (isGone) cuts.forEach((cut) => cut.abort());
    }
    this.#isChecking = false;
  }
}
