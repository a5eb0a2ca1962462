/** The bytes that one request holds, until it is answered or its caller has gone. */
export interface Held {
  /** Whether there was room for these bytes too. */
  readonly add: (bytes: number) => boolean;
  /** Counts bytes that are held whether there is room or not. */
  readonly take: (bytes: number) => void;
  readonly release: () => void;
}

/**
 * Counts the bytes of request bodies, or of what answers are made of, that a process holds, so that its memory is bounded for
 * all callers together. An owner may hold half of them: one organisation's leave room for the others'.
 */
export class HeldBytes {
  #total = 0;
  readonly #byOwner = new Map<string, number>();
  readonly #most: number;
  readonly #released: () => void;

  /** `released` is called whenever there is more room than before. */
  constructor(most: number, released: () => void = () => undefined) {
    this.#most = most;
    this.#released = released;
  }

  open(owner: string): Held {
    let held = 0;
    let isOpen = true;
    const take = (bytes: number): void => {
      if (!isOpen) return;
      this.#total += bytes;
      this.#byOwner.set(owner, this.#of(owner) + bytes);
      held += bytes;
    };
    return {
      add: (bytes) => {
        const own = this.#of(owner);
        if (!isOpen || this.#total + bytes > this.#most || own + bytes > this.#most / 2) return false;
        take(bytes);
        return true;
      },
      take,
      release: () => {
        isOpen = false;
        this.#total -= held;
        const own = this.#of(owner) - held;
        if (own > 0) this.#byOwner.set(owner, own);
        else this.#byOwner.delete(owner);
        const hasMore = held > 0;
        held = 0;
        if (hasMore) this.#released();
      },
    };
  }

  /** Whether half of what an owner may hold is free, and half of all; for who holds nothing, any of it. */
  hasRoom(owner: string): boolean {
    const own = this.#of(owner);
    return own < this.#most / 4 && this.#total < (own === 0 ? this.#most : this.#most / 2);
  }

  #of(owner: string): number {
    return this.#byOwner.get(owner) ?? 0;
  }
}
