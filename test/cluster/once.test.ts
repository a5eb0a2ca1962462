import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { startEmbedded } from '../../src/db/embedded/index.js';
import type { Worker } from '../../src/jobs/worker.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { Random } from '../../src/sandbox/world/random.js';
import type { Writing } from '../support/writing.js';
import { killNode, startNode } from './citus.js';
import { bin, cluster } from './own-cluster.js';

// They ask which database there is, which is another one from here on.
const { startTestSandbox } = await import('../support/sandbox.js');
const { startApp } = await import('../support/service.js');
const { until } = await import('../support/until.js');
const { createWriting, startWorker } = await import('../support/writing.js');

/** More by hand: ONCE_KILLS=40. */
const KILLS = Number(process.env['ONCE_KILLS'] ?? 8);
const SEED = Number(process.env['ONCE_SEED'] ?? 1);
const WRITERS = 3;
const ITEMS = 4;
const PATH = '/accounting/journal_entries';

let platform: Awaited<ReturnType<typeof startEmbedded>>;
let sandbox: Sandbox;
let app: App;
let workers: Worker[];
let books: Writing;
beforeAll(async () => {
  // The platform is elsewhere, and stays.
  platform = await startEmbedded({ dataDir: mkdtempSync(join(tmpdir(), 'svc-platform-')) });
  sandbox = await startTestSandbox({ databaseUrl: platform.url });
  app = await startApp({ SANDBOX_URL: sandbox.url, WRITE_WAIT_MS: '2000' });
  workers = [await startWorker(sandbox), await startWorker(sandbox)];
  books = await createWriting(app, sandbox);
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await app.close();
  await sandbox.stop();
  await platform.stop();
  await cluster.stop();
});

const bodyOf = (text: string) => ({
  company_id: books.companyId,
  data: Array.from({ length: ITEMS }, (_, item) => books.journal(1, { description: `${text} ${item}` })),
});

/** Sends a write with its key until it is answered as taken, as a client does. */
async function send(text: string): Promise<any[]> {
  for (;;) {
    const { status, body } = await books.caller.post(PATH, bodyOf(text), { 'idempotency-key': text });
    if (status === 200) return body.data.data;
    if (status !== 503 && status !== 504) throw new Error(JSON.stringify(body));
    await sleep(200);
  }
}

test(`an item is written once, while ${KILLS} nodes die (seed ${SEED})`, async () => {
  const random = new Random(SEED);
  const sent: string[] = [];
  let isOver = false;
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let count = 0; !isOver; count += 1) {
      const text = `once-${writer}-${count}`;
      sent.push(text);
      await send(text);
    }
  });
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(random.integer(300, 2000));
    const node = random.pick(cluster.nodes);
    await killNode(node);
    await sleep(random.integer(0, 1000));
    await startNode(bin, node);
  }
  isOver = true;
  await Promise.all(writers);
  for (const text of sent) {
    await until(`the end of ${text}`, async () => {
      const outcomes = (await send(text)).map(({ status }: { status: string }) => status);
      return outcomes.every((status) => status === 'success') ? outcomes : null;
    });
  }
  const answer = await fetch(
    `${sandbox.url}/_sandbox/objects?account=${books.tenant.account}&platform=accounting&kind=Journals`,
  );
  const written = (await answer.text()).match(/"Text":"once-\d+-\d+ \d+"/g) ?? [];
  const wanted = sent.flatMap((text) =>
    Array.from({ length: ITEMS }, (_, item) => `"Text":"${text} ${item}"`),
  );
  // Each line has its journal's text, too, where it has none of its own.
  expect([...new Set(written)].sort()).toEqual(wanted.sort());
  expect(written.length).toBe(wanted.length);
});
