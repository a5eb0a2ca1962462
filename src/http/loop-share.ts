/** Usual requests that come together do not last as long, and are not put off. */
const BUSY_MS = 40;

/**
 * Begins work in the turn of the event loop that it came in, until that has lasted for a while; what is left comes one by
 * one, each in a turn of its own, so that requests that are costly by themselves do not add up to one long block.
 */
export class LoopShare {
  readonly #waiting: (() => void)[] = [];
  #began: number | null = null;

  run(work: () => void): void {
    const now = performance.now();
    if (this.#began === null) {
      this.#began = now;
      setImmediate(() => this.#next());
    } else if (now - this.#began > BUSY_MS) return void this.#waiting.push(work);
    work();
  }

  #next(): void {
    this.#began = null;
    const work = this.#waiting.shift();
    if (!work) return;
    this.#began = performance.now();
    setImmediate(() => this.#next());
    work();
  }
}
