import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { LoopShare } from '../../src/http/loop-share.js';

const busyFor = (milliseconds: number): void => {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
};

test('what is quick is begun as it comes', () => {
  const loop = new LoopShare();
  const begun: number[] = [];
  loop.run(() => begun.push(1));
  loop.run(() => begun.push(2));
  expect(begun).toEqual([1, 2]);
});

test('what is slow is begun one by one, a turn of the event loop each, in its order', async () => {
  const loop = new LoopShare();
  const begun: number[] = [];
  const slow = (name: number) =>
    loop.run(() => {
      begun.push(name);
      busyFor(50);
    });
  for (const name of [1, 2, 3]) slow(name);
  expect(begun).toEqual([1]);
  await nextTurn();
  expect(begun.length).toBeLessThan(3);
  while (begun.length < 3) await nextTurn();
  expect(begun).toEqual([1, 2, 3]);
});
