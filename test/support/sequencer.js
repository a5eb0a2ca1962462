import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** Seconds that files took in a whole run; updated by hand from what Jest prints beside their names. */
const SECONDS = JSON.parse(readFileSync(new URL('slow-files.json', import.meta.url), 'utf8'));

/**
 * Slowest files first, so that none is left running alone at the end: on a fresh clone, Jest has no cache of durations.
 * With `--randomize`, files run in the order of the seed instead.
 */
export default class extends Sequencer {
  #seed;
  #root;

  constructor(options) {
    super(options);
    const { randomize, rootDir, seed } = options.globalConfig;
    this.#seed = randomize ? seed : null;
    this.#root = rootDir;
  }

  sort(tests) {
    if (this.#seed === null) {
      const seconds = ({ path }) => SECONDS[relative(this.#root, path)] ?? 0;
      return [...super.sort(tests)].sort((one, other) => seconds(other) - seconds(one));
    }
    const place = ({ path }) => createHash('sha256').update(`${this.#seed} ${path}`).digest('hex');
    return [...tests].sort((one, other) => (place(one) < place(other) ? -1 : 1));
  }
}
