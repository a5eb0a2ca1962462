import { closeSync, openSync, writeSync } from 'node:fs';

/**
 * What the clients saw: `invoke`, `unknown` (no answer, or a meaningless one), `answer` (accepted, perhaps not
 * final), `ok`, `fail`. Kept in memory and, line by line, in a file.
 */
export class History {
  events = [];
  #file;

  constructor(path) {
    this.#file = path === null ? null : openSync(path, 'a');
  }

  add(event) {
    const noted = { at: Date.now(), ...event };
    this.events.push(noted);
    if (this.#file !== null) writeSync(this.#file, `${JSON.stringify(noted)}\n`);
  }

  /** The number of batches with a final answer. */
  get done() {
    return this.events.filter(({ type }) => type === 'ok').length;
  }

  close() {
    if (this.#file !== null) closeSync(this.#file);
  }
}
