/** Usual requests that arrive together need less, and are not deferred. */
const MAX_MILLISECONDS = 8;
/** After this many short turns in a row, the wall clock suffices. */
const SHORT_TURNS = 100;

/**
 * Begins work in the event loop turn in which it arrived, up to a CPU budget; the rest is begun in the next turns, with
 * the same budget each, so that costly requests do not add up to one long block, and cheap ones still share a round
 * trip to the database. The budget is CPU time: on a busy machine a usual request takes longer, but defers nobody.
 * Reading it is a system call, a twentieth of the cost of a usual request on a virtual machine, so it is read only if
 * turns are long by the wall clock.
 */
export class LoopShare {
  readonly #waiting: Waiting[] = [];
  #turn: Turn | null = null;
  #shortTurns = 0;
  /** Organisation whose work was begun last. */
  #last: number | null = null;

  /** Waiting work of several organisations is begun in turn. The first work of a turn always begins. */
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
  /** Whether the turn is long by the wall clock. */
  isLong = false;
  readonly #began = performance.now();
  readonly #cpuBefore: number | null;

  constructor(countsCpu: boolean) {
    this.#cpuBefore = countsCpu ? cpuMilliseconds() : null;
  }

  /** CPU time never exceeds wall time. */
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
