import type { HeldRows } from '../../db/rows/held-rows.js';
import { heldPage, type Pages } from '../../db/rows/held-pages.js';
import type { HeldBytes } from './held-bytes.js';

interface Waiting {
  readonly owner: string;
  readonly begin: () => void;
}

/**
 * Maximum pages read concurrently in a process: a page's size is known only after the read, and requests need room,
 * too.
 */
const AT_ONCE = 4;

/**
 * Reads pages of long responses in turn while there is room in `rows`. Readers may be slow: one that would wait for
 * room while holding a page releases it first, and one that reads nothing is disconnected, so that all get their turn.
 */
export class HeldPages {
  /** The owner of each read in progress. */
  readonly #reading: string[] = [];
  readonly #waiting = new Set<Waiting>();

  constructor(private readonly rows: HeldBytes) {}

  of(owner: string): Pages {
    const open = () => {
      const { take, release } = this.rows.open(owner);
      const held: HeldRows = {
        add: (bytes) => {
          take(bytes);
          return null;
        },
        free: () => undefined,
      };
      return { held, release };
    };
    return {
      open,
      read: async (stopping, work) => {
        if (!(await this.#turn(owner, stopping))) return null;
        const { held, release } = open();
        try {
          return heldPage(await work(held), release);
        } catch (error) {
          release();
          throw error;
        } finally {
          this.#reading.splice(this.#reading.indexOf(owner), 1);
          this.next();
        }
      },
    };
  }

  /** Starts waiting reads for which there is room now. */
  next(): void {
    while (this.#reading.length < AT_ONCE) {
      const waiting = this.#fairest();
      if (!waiting) return;
      this.#waiting.delete(waiting);
      this.#reading.push(waiting.owner);
      waiting.begin();
    }
  }

  /** The next read that has room: of the owner with the fewest reads in progress, the earliest. */
  #fairest(): Waiting | null {
    const reading = new Map<string, number>();
    for (const owner of this.#reading) reading.set(owner, (reading.get(owner) ?? 0) + 1);
    let fairest: Waiting | null = null;
    let fewest = Infinity;
    for (const waiting of this.#waiting) {
      const count = reading.get(waiting.owner) ?? 0;
      if (count >= fewest || !this.rows.hasRoom(waiting.owner, this.#reading)) continue;
      fairest = waiting;
      fewest = count;
      if (count === 0) break;
    }
    return fairest;
  }

  #turn(owner: string, stopping: AbortSignal): Promise<boolean> {
    if (stopping.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const leave = (): void => {
        this.#waiting.delete(waiting);
        resolve(false);
      };
      const waiting = {
        owner,
        begin: () => {
          stopping.removeEventListener('abort', leave);
          resolve(true);
        },
      };
      stopping.addEventListener('abort', leave, { once: true });
      this.#waiting.add(waiting);
      this.next();
    });
  }
}
