/** Usual requests that arrive together need less, and are not put off. */
const MAX_MILLISECONDS = 8;
/** Turns that were short by the clock, in a row, after which the clock is enough. */
const SHORT_TURNS = 100;

/**
 * Begins work in the turn of the event loop that it came in, until that has cost so much; what is left comes in the next
 * ones, as much of it in each, so that requests that are costly by themselves do not add up to one long block, and cheap
 * ones still share their way to the database. It is the time of the processor: on a busy machine a usual request takes
 * longer, and puts nobody off. Asking for it is a system call, a twentieth of what a usual request costs on a virtual
 * machine. So it is asked for only where turns are long by the clock.
 */
export class LoopShare {
  readonly #waiting: Waiting[] = [];
  #turn: Turn | null = null;
  #shortTurns = 0;
  /** Whose work was begun last. */
  #last: number | null = null;

  /** Work of several organisations that waits is begun in turn. The first of a turn is begun, whatever the process does beside. */
  run(organisationId: number, work: () => void): void {
    if (this.#turn?.isSpent()) return void this.#waiting.push({ organisationId, work });
    this.#turn ??= this.#beginTurn();
    this.#last = organisationId;
    work();
  }

  #beginTurn(): Turn {
    const turn = new Turn(this.#shortTurns < SHORT_TURNS);
    setImmediate(() => {
      this.#shortTurns = turn.isLong ? 0 : this.#shortTurns + 1;
      this.#turn = null;
      if (this.#waiting.length > 0) this.#beginWaiting();
    });
    return turn;
  }

  #beginWaiting(): void {
    const turn = (this.#turn = this.#beginTurn());
    do {
      const next = this.#next();
      if (!next) return;
      this.#last = next.organisationId;
      next.work();
    } while (!turn.isSpent());
  }

  #next(): Waiting | undefined {
    const another = this.#waiting.findIndex(({ organisationId }) => organisationId !== this.#last);
    return this.#waiting.splice(Math.max(another, 0), 1)[0];
  }
}

interface Waiting {
  readonly organisationId: number;
  readonly work: () => void;
}

/** One turn of the event loop. */
class Turn {
  /** By the clock. */
  isLong = false;
  readonly #began = performance.now();
  readonly #cpuBefore: number | null;

  constructor(countsCpu: boolean) {
    this.#cpuBefore = countsCpu ? cpuMilliseconds() : null;
  }

  /** No work takes more of the processor than it takes time. */
  isSpent(): boolean {
    if (performance.now() - this.#began <= MAX_MILLISECONDS) return false;
    this.isLong = true;
    return this.#cpuBefore === null || cpuMilliseconds() - this.#cpuBefore > MAX_MILLISECONDS;
  }
}

function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
