import { expect, test } from '@jest/globals';
import type { LookupAddress } from 'node:dns';
import { carefulLookup, type Lookup } from '../../src/outbound/careful-lookup.js';
import { until } from '../support/until.js';

/** Looks names up until they are answered by hand; those that begin with `dead` have no name server that answers. */
function lookups() {
  const asked: string[] = [];
  const answers = new Map<string, () => void>();
  const lookup = carefulLookup(
    (hostname, _options, callback) => {
      asked.push(hostname);
      answers.set(hostname, () => callback(null, [{ address: '192.0.2.1', family: 4 }]));
    },
    async (hostname) => !hostname.startsWith('dead'),
  );
  return { asked, answer: (hostname: string) => answers.get(hostname)?.(), find: finding(lookup) };
}

const finding = (lookup: Lookup) => (hostname: string) =>
  new Promise<LookupAddress[]>((resolve, reject) =>
    lookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses))),
  );

test('names that hang are looked up one at a time, and no other waits for them', async () => {
  const { asked, answer, find } = lookups();
  const dead = ['dead-1', 'dead-2', 'dead-3'].map(find);
  await until('the first one', () => asked.includes('dead-1'));
  const good = find('good');
  await until('the good one', () => asked.includes('good'));
  answer('good');
  expect(await good).toHaveLength(1);
  expect(asked).toEqual(['dead-1', 'good']);
  for (const name of ['dead-1', 'dead-2', 'dead-3']) {
    await until(name, () => asked.includes(name));
    answer(name);
  }
  expect(await Promise.all(dead)).toHaveLength(3);
});

test('a name that is asked for several times at once is looked up once, and later again', async () => {
  const { asked, answer, find } = lookups();
  const all = [find('good'), find('good')];
  await until('the lookup', () => asked.length > 0);
  answer('good');
  await Promise.all(all);
  expect(asked).toEqual(['good']);
  const later = find('good');
  await until('another lookup', () => asked.length > 1);
  answer('good');
  expect(await later).toHaveLength(1);
});
