/** Bytes held by a request until its response is sent or its caller has gone. */
export interface Held {
  /** Adds bytes; returns whether there was room. */
  readonly add: (bytes: number) => boolean;
  /** Counts bytes even if there is no room. */
  readonly take: (bytes: number) => void;
  readonly release: () => void;
}

/** Bytes held by an owner's requests. */
interface Account {
  bytes: number;
  requests: number;
  /** The most that one of them has held; null until one has held any. */
  largest: number | null;
}

/**
 * Counts a process's bytes of request bodies, or of rows for responses, to bound its memory for all callers together.
 * An owner may hold half: one organisation leaves room for others.
 */
export class HeldBytes {
  #total = 0;
  readonly #accounts = new Map<string, Account>();
  readonly #max: number;
  readonly #released: () => void;

  /** `released` is called whenever there is more room than before. */
  constructor(max: number, released: () => void = () => undefined) {
    this.#max = max;
    this.#released = released;
  }

  open(owner: string): Held {
    const account = this.#accountOf(owner);
    let held = 0;
    let isOpen = true;
    const take = (bytes: number): void => {
      if (!isOpen) return;
      this.#total += bytes;
      account.bytes += bytes;
      held += bytes;
      account.largest = Math.max(account.largest ?? 0, held);
    };
    return {
      add: (bytes) => {
        if (!isOpen || this.#total + bytes > this.#max || account.bytes + bytes > this.#max / 2) return false;
        take(bytes);
        return true;
      },
      take,
      release: () => {
        if (!isOpen) return;
        isOpen = false;
        this.#total -= held;
        account.bytes -= held;
        account.requests -= 1;
        if (account.requests === 0) this.#accounts.delete(owner);
        if (held > 0) this.#released();
      },
    };
  }

  /**
   * Whether a read may start: half of the owner's limit and half of the total are free; for an owner that holds nothing,
   * any room suffices. `reading` names the owner of each read in progress: it is expected to become as large as that
   * owner's largest, so that concurrent reads of one owner leave others room.
   */
  hasRoom(owner: string, reading: readonly string[]): boolean {
    const max = this.#max;
    let own = this.#accounts.get(owner)?.bytes ?? 0;
    let total = this.#total;
    for (const reader of reading) {
      const expected = this.#accounts.get(reader)?.largest ?? max / 8;
      if (reader === owner) own += expected;
      total += expected;
    }
    return own < max / 4 && total < (own === 0 ? max : max / 2);
  }

  #accountOf(owner: string): Account {
    let account = this.#accounts.get(owner);
    if (!account) this.#accounts.set(owner, (account = { bytes: 0, requests: 0, largest: null }));
    account.requests += 1;
    return account;
  }
}
