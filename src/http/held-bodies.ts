/** The bytes of bodies that one request holds, until it is answered or its caller has gone. */
export interface HeldBody {
  /** Whether there was room for these bytes too. */
  readonly add: (bytes: number) => boolean;
  readonly release: () => void;
}

/**
 * Counts the bytes of request bodies that a process holds, so that its memory is bounded for all senders together. An owner may
 * hold half of them: one organisation's bodies leave room for the others'.
 */
export class HeldBodies {
  private total = 0;
  private readonly byOwner = new Map<string, number>();

  constructor(private readonly most: number) {}

  open(owner: string): HeldBody {
    let held = 0;
    let isOpen = true;
    return {
      add: (bytes) => {
        const own = this.byOwner.get(owner) ?? 0;
        if (!isOpen || this.total + bytes > this.most || own + bytes > this.most / 2) return false;
        this.total += bytes;
        this.byOwner.set(owner, own + bytes);
        held += bytes;
        return true;
      },
      release: () => {
        isOpen = false;
        this.total -= held;
        const own = (this.byOwner.get(owner) ?? 0) - held;
        if (own > 0) this.byOwner.set(owner, own);
        else this.byOwner.delete(owner);
        held = 0;
      },
    };
  }
}
