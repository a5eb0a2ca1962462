import { createHash } from 'node:crypto';
import Sequencer from '@jest/test-sequencer';

/**
 * With `--randomize`, files run in the order of the seed too. Otherwise jest's own order: slowest first as far as its
 * cache knows.
 */
export default class extends Sequencer {
  #seed;

  constructor(options) {
    super(options);
    const { randomize, seed } = options.globalConfig;
    this.#seed = randomize ? seed : null;
  }

  sort(tests) {
    if (this.#seed === null) return super.sort(tests);
    const place = ({ path }) => createHash('sha256').update(`${this.#seed} ${path}`).digest('hex');
    return [...tests].sort((one, other) => (place(one) < place(other) ? -1 : 1));
  }
}
