import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { LoopShare } from '../../src/http/limits/loop-share.js';

const ONE = 1;
const OTHER = 2;

/** Needs so much of the processor, however long that takes on a busy machine. */
const busyFor = (milliseconds: number): void => {
  const begun = process.cpuUsage();
  const isOver = ({ user, system } = process.cpuUsage(begun)) => user + system > milliseconds * 1000;
  while (!isOver());
};

function costly() {
  const loop = new LoopShare();
  const begun: string[] = [];
  const run = (organisationId: number, name: string) =>
    loop.run(organisationId, () => {
      begun.push(name);
      busyFor(20);
    });
  return { begun, run };
}

test('what is cheap is begun as it comes', () => {
  const loop = new LoopShare();
  const begun: number[] = [];
  loop.run(ONE, () => begun.push(1));
  loop.run(ONE, () => begun.push(2));
  expect(begun).toEqual([1, 2]);
});

test('what is costly is begun one by one, a turn of the event loop each, in its order', async () => {
  const { begun, run } = costly();
  for (const name of ['1', '2', '3']) run(ONE, name);
  expect(begun).toEqual(['1']);
  await nextTurn();
  expect(begun.length).toBeLessThan(3);
  while (begun.length < 3) await nextTurn();
  expect(begun).toEqual(['1', '2', '3']);
});

test('cheap work that had to wait is begun together', async () => {
  const loop = new LoopShare();
  const turns: number[] = [];
  let turn = 0;
  loop.run(ONE, () => busyFor(20));
  for (let each = 0; each < 100; each += 1) loop.run(ONE, () => turns.push(turn));
  expect(turns).toEqual([]);
  for (turn = 1; turns.length < 100; turn += 1) await nextTurn();
  expect(new Set(turns).size).toBeLessThan(10);
});

test('costly work is put off, too, where many turns were short before', async () => {
  const loop = new LoopShare();
  for (let turn = 0; turn < 200; turn += 1) {
    loop.run(ONE, () => undefined);
    await nextTurn();
  }
  const begun: string[] = [];
  loop.run(ONE, () => busyFor(20));
  loop.run(ONE, () => begun.push('late'));
  expect(begun).toEqual([]);
  while (begun.length === 0) await nextTurn();
});

test('one organisation does not wait for all that another one has', async () => {
  const { begun, run } = costly();
  for (const name of ['1', '2', '3', '4']) run(ONE, name);
  for (const name of ['a', 'b']) run(OTHER, name);
  while (begun.length < 6) await nextTurn();
  expect(begun).toEqual(['1', 'a', '2', 'b', '3', '4']);
});
