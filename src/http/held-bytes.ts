/** The bytes that one request holds, until it is answered or its caller has gone. */
export interface Held {
  /** Whether there was room for these bytes too. */
  readonly add: (bytes: number) => boolean;
  /** Counts bytes that are held whether there is room or not. */
  readonly take: (bytes: number) => void;
  readonly release: () => void;
}

/** What an owner's requests hold. */
interface Account {
  bytes: number;
  requests: number;
}

/**
 * Counts the bytes of request bodies, or of what answers are made of, that a process holds, so that its memory is bounded for
 * all callers together. An owner may hold half of them: one organisation's leave room for the others'.
 */
export class HeldBytes {
  #total = 0;
  readonly #accounts = new Map<string, Account>();
  readonly #most: number;
  readonly #released: () => void;

  /** `released` is called whenever there is more room than before. */
  constructor(most: number, released: () => void = () => undefined) {
    this.#most = most;
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
    };
    return {
      add: (bytes) => {
        if (!isOpen || this.#total + bytes > this.#most || account.bytes + bytes > this.#most / 2)
          return false;
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

  /** Whether half of what an owner may hold is free, and half of all; for who holds nothing, any of it. */
  hasRoom(owner: string): boolean {
    const own = this.#accounts.get(owner)?.bytes ?? 0;
    return own < this.#most / 4 && this.#total < (own === 0 ? this.#most : this.#most / 2);
  }

  #accountOf(owner: string): Account {
    let account = this.#accounts.get(owner);
    if (!account) this.#accounts.set(owner, (account = { bytes: 0, requests: 0 }));
    account.requests += 1;
    return account;
  }
}
