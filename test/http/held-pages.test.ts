import { expect, test } from '@jest/globals';
import type { HeldPage } from '../../src/db/rows/held-pages.js';
import { HeldBytes } from '../../src/http/limits/held-bytes.js';
import { HeldPages } from '../../src/http/limits/held-pages.js';

const { signal } = new AbortController();
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Reads pages of one size, each of which ends when told to. */
function createReader(pages: HeldPages, owner: string, bytes: number) {
  const ends: (() => void)[] = [];
  const got: HeldPage<string>[] = [];
  return {
    ends,
    got,
    ask: () =>
      void pages
        .of(owner)
        .read(signal, async (held) => {
          await new Promise<void>((resolve) => ends.push(resolve));
          held?.add(bytes);
          return owner;
        })
        .then((page) => page && got.push(page)),
    /** Ends reads one by one, as long as others begin. */
    endAll: async () => {
      for (let end = ends.shift(); end; end = ends.shift()) {
        end();
        await settled();
      }
    },
  };
}

test('pages of one owner leave room for others, however late their size is known', async () => {
  const rows: HeldBytes = new HeldBytes(80, () => pages.next());
  const pages: HeldPages = new HeldPages(rows);
  const one = createReader(pages, 'one', 19);
  const other = createReader(pages, 'other', 19);
  for (let count = 0; count < 6; count += 1) one.ask();
  await settled();
  await one.endAll();
  expect(one.got).toHaveLength(2);

  other.ask();
  await settled();
  await other.endAll();
  expect(other.got.map(({ result }) => result)).toEqual(['other']);

  // A page that is sent makes room for the next.
  while (one.got.length < 6) {
    const before = one.got.length;
    for (const { release } of one.got) release();
    await settled();
    await one.endAll();
    expect(one.got.length).toBeGreaterThan(before);
  }
});

test('an owner with many reads does not keep others waiting for theirs', async () => {
  const rows: HeldBytes = new HeldBytes(80, () => pages.next());
  const pages: HeldPages = new HeldPages(rows);
  const many = createReader(pages, 'many', 1);
  const one = createReader(pages, 'one', 1);
  // Then it is known that pages are small.
  const request = rows.open('many');
  many.ask();
  await settled();
  await many.endAll();
  for (let count = 0; count < 8; count += 1) many.ask();
  await settled();
  expect(many.ends).toHaveLength(4);
  one.ask();
  await settled();
  expect(one.ends).toHaveLength(0);
  many.ends.shift()?.();
  await settled();
  expect(one.ends).toHaveLength(1);
  await one.endAll();
  await many.endAll();
  expect([one.got.length, many.got.length]).toEqual([1, 9]);
  request.release();
});

test('small pages of one owner are read at the same time', async () => {
  const rows: HeldBytes = new HeldBytes(80, () => pages.next());
  const pages: HeldPages = new HeldPages(rows);
  const request = rows.open('one');
  const { ask, ends, endAll, got } = createReader(pages, 'one', 1);
  ask();
  await settled();
  await endAll();
  for (let count = 0; count < 6; count += 1) ask();
  await settled();
  expect(ends).toHaveLength(4);
  await endAll();
  expect(got).toHaveLength(7);
  request.release();
});
