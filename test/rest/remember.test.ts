import { expect, test } from '@jest/globals';
import { parseSelection } from '../../src/rest/exports/selection.js';
import { remember } from '../../src/rest/remember.js';

test('one operation too many takes the place of the least recently used, and of no other', () => {
  const made: number[] = [];
  const get = remember(({ number }: { readonly number: number }) => {
    made.push(number);
    return { number };
  });
  const numbers = Array.from({ length: 64 }, (_, index) => index);
  for (const number of numbers) expect(get({ number })).toEqual({ number });
  get({ number: 0 });
  get({ number: 64 });
  expect(made).toEqual([...numbers, 64]);
  for (const number of [0, 64, ...numbers.slice(2)]) get({ number });
  expect(made).toEqual([...numbers, 64]);
  get({ number: 1 });
  expect(made).toEqual([...numbers, 64, 1]);
});

test('a name that an export selects twice makes no operation of its own', () => {
  expect(parseSelection({ select: 'raw_data,data_hash,raw_data' }).select).toEqual(['rawData', 'dataHash']);
});
