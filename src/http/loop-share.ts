/** Usual requests that come together do not need as much, and are not put off. */
const MOST_CPU_MICROSECONDS = 8000;

/**
 * Begins work in the turn of the event loop that it came in, until that has cost so much; what is left comes in the next
 * ones, as much of it in each, so that requests that are costly by themselves do not add up to one long block, and cheap
 * ones still share their way to the database. It is the time of the processor: on a busy machine a usual request takes
 * longer, and puts nobody off.
 */
export class LoopShare {
  readonly #waiting: Waiting[] = [];
  #began: number | null = null;
  /** Whose work was begun last. */
  #last: number | null = null;

  /** Work of several organisations that waits is begun in turn. */
  run(organisationId: number, work: () => void): void {
    const now = cpuMicroseconds();
    if (this.#began === null) this.#beginTurn(now);
    else if (now - this.#began > MOST_CPU_MICROSECONDS)
      return void this.#waiting.push({ organisationId, work });
    this.#last = organisationId;
    work();
  }

  #beginTurn(now: number): void {
    this.#began = now;
    setImmediate(() => {
      this.#began = null;
      if (this.#waiting.length > 0) this.#beginWaiting();
    });
  }

  #beginWaiting(): void {
    const began = cpuMicroseconds();
    this.#beginTurn(began);
    do {
      const next = this.#next();
      if (!next) return;
      this.#last = next.organisationId;
      next.work();
    } while (cpuMicroseconds() - began <= MOST_CPU_MICROSECONDS);
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

function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
