import { closeSync, openSync, writeSync } from 'node:fs';

/**
 * What the clients saw, as they saw it: `invoke`, `unknown` (no answer, or none that says anything), `answer` (accepted,
 * perhaps not over yet), `ok`, `fail`. In memory and, a line each, in a file.
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

  /** How many batches have got their final answer. */
  get done() {
    return this.events.filter(({ type }) => type === 'ok').length;
  }

  close() {
    if (this.#file !== null) closeSync(this.#file);
  }
}
