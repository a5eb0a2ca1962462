import type { HeldRows } from '../db/held-rows.js';
import { heldPage, type Pages } from '../db/held-pages.js';
import type { HeldBytes } from './held-bytes.js';

interface Waiting {
  readonly owner: string;
  readonly begin: () => void;
}

/** Pages that are read at a time, in a process: what one of them holds is known when it was read, and requests come between. */
const AT_ONCE = 4;

/**
 * Has pages of long answers read by turns while there is room in `rows`. Their readers may take their time: who would wait for
 * room with a page in hand gives that back first, and who takes nothing is cut off, so that everybody's turn comes.
 */
export class HeldPages {
  #reading = 0;
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
          this.#reading -= 1;
          this.next();
        }
      },
    };
  }

  /** Lets those begin for whom there is room now, the first of them first. */
  next(): void {
    for (const waiting of this.#waiting) {
      if (this.#reading >= AT_ONCE) return;
      if (!this.rows.hasRoom(waiting.owner)) continue;
      this.#waiting.delete(waiting);
      this.#reading += 1;
      waiting.begin();
    }
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
