import { expect, test } from '@jest/globals';
import { readAhead } from '../../src/sync/reading/read-ahead.js';

/** Pages 1, 2 and so on, with what became of them. */
function source(pages: number, failsAt: number | null = null) {
  const log: string[] = [];
  async function* read() {
    try {
      for (let page = 1; page <= pages; page += 1) {
        log.push(`asked ${page}`);
        if (page === failsAt) throw new Error(`no page ${page}`);
        yield Promise.resolve(page);
      }
    } finally {
      log.push('closed');
    }
  }
  return { log, pages: read() };
}

/** Everything that waits for nothing has run by then. */
const soon = () => new Promise((resolve) => setImmediate(resolve));

test('requests the next page, and no further one, while a page is processed', async () => {
  const { log, pages } = source(4);
  const seen: unknown[] = [];
  let received = 0;
  const made = (page: number) => [page, (received += 1)] as const;
  for await (const [page, count] of readAhead(pages, made)) {
    await soon();
    seen.push([page, count, log.at(-1)]);
  }
  expect(seen).toEqual([
    [1, 1, 'asked 2'],
    [2, 2, 'asked 3'],
    [3, 3, 'asked 4'],
    [4, 4, 'closed'],
  ]);
});

test('throws an error of the source only after the pages before it were processed', async () => {
  const { pages } = source(4, 3);
  const seen: number[] = [];
  const work = async () => {
    for await (const page of readAhead(pages, (one) => one)) {
      await soon();
      seen.push(page);
    }
  };
  await expect(work()).rejects.toThrow('no page 3');
  expect(seen).toEqual([1, 2]);
});

test('closes the source when its reader stops early', async () => {
  const { log, pages } = source(4);
  for await (const page of readAhead(pages, (one) => one)) if (page === 1) break;
  await soon();
  expect(log).toEqual(['asked 1', 'asked 2', 'closed']);
});
