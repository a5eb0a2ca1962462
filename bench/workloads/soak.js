import { load } from '../load.js';
import { memoryOf } from '../usage.js';
import { nested } from './nested.js';
import { related } from './related.js';

const SECONDS = 15;
const MINUTE = 60_000;

/** The heaviest requests in turns for some minutes, with the service's memory at the end of each turn. */
export const soak = {
  title: 'Memory of the service under W2 in REST and W3, in turns',
  run: async (bench) => {
    const ours = [
      (await related.targets(bench)).find(({ name }) => name === 'ours, REST'),
      (await nested.targets(bench)).find(({ name }) => name === 'ours, GraphQL'),
    ];
    const began = Date.now();
    const memory = [{ minute: 0, megabytes: memoryOf(bench.ours.pid) }];
    for (let minute = 1; minute <= bench.minutes; minute += 1) {
      while (Date.now() - began < minute * MINUTE) {
        for (const target of ours) await load(target, SECONDS, async () => new Map());
      }
      memory.push({ minute, megabytes: memoryOf(bench.ours.pid) });
      process.stderr.write('.');
    }
    return { memory };
  },
};
