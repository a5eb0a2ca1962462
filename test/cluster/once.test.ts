import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { startEmbedded } from '../../src/db/embedded/index.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { Random } from '../../src/sandbox/world/random.js';
import type { Running } from '../support/process.js';
import { TIME_FACTOR } from '../support/time-factor.js';
import type { Writing } from '../support/writing.js';
import { killNode, startNode } from './citus.js';
import { bin, cluster } from './own-cluster.js';

// They ask which database there is, which is another one from here on.
const { startTestSandbox } = await import('../support/sandbox.js');
const { startApp } = await import('../support/service.js');
const { until } = await import('../support/until.js');
const { startWorkerProcess } = await import('../support/worker-process.js');
const { createWriting } = await import('../support/writing.js');

/** More by hand: ONCE_KILLS=40. */
const KILLS = Number(process.env['ONCE_KILLS'] ?? 8);
const SEED = Number(process.env['ONCE_SEED'] ?? 1);
/** Of each kill, with what waits for it and comes after it. */
const SECONDS = 20;
const WRITERS = 3;
const ITEMS = 4;
const PATH = '/accounting/journal_entries';
/** A database that is away, and a request before that is still being answered. */
const TRANSIENT: ReadonlySet<number> = new Set([409, 503, 504]);

let platform: Awaited<ReturnType<typeof startEmbedded>>;
let sandbox: Sandbox;
let app: App;
/** Processes of the service that work. */
const workers = new Set<Running>();
let isClosing = false;
let books: Writing;
beforeAll(async () => {
  // The platform is elsewhere, and stays.
  platform = await startEmbedded({ dataDir: mkdtempSync(join(tmpdir(), 'svc-platform-')) });
  sandbox = await startTestSandbox({ databaseUrl: platform.url });
  app = await startApp({ SANDBOX_URL: sandbox.url, WRITE_WAIT_MS: '2000' });
  startService();
  startService();
  books = await createWriting(app, sandbox);
});
afterAll(async () => {
  isClosing = true;
  await Promise.all([...workers].map((worker) => worker.stop()));
  await app.close();
  await sandbox.stop();
  await platform.stop();
  await cluster.stop();
});

/** Whatever ends it, another one is started, as a supervisor does. */
function startService(): void {
  const worker = startWorkerProcess({
    env: { SANDBOX_URL: sandbox.url, LOG_LEVEL: 'warn' },
    seconds: 180 + KILLS * SECONDS,
  });
  workers.add(worker);
  void worker.ended.finally(() => {
    workers.delete(worker);
    if (!isClosing) startService();
  });
}

const bodyOf = (text: string) => ({
  company_id: books.companyId,
  data: Array.from({ length: ITEMS }, (_, item) => books.journal(1, { description: `${text} ${item}` })),
});

/** Sends a write with its key until it is answered as taken, as a client does. */
async function send(text: string): Promise<any[]> {
  for (;;) {
    const { status, body } = await books.caller.post(PATH, bodyOf(text), { 'idempotency-key': text });
    if (status === 200) return body.data.data;
    if (!TRANSIENT.has(status)) throw new Error(JSON.stringify(body));
    await sleep(200);
  }
}

async function kill(random: Random): Promise<void> {
  const node = cluster.nodes[random.integer(0, cluster.nodes.length)];
  if (node) {
    await killNode(node);
    await sleep(random.integer(0, 1000));
    await startNode(bin, node);
  } else await random.pick([...workers]).stop('SIGKILL');
}

const title = `an item is written once, while nodes and workers of the service die (${KILLS} kills, seed ${SEED})`;
const limit = (180 + KILLS * SECONDS) * 1000 * TIME_FACTOR;
test(
  title,
  async () => {
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
    for (let kills = 0; kills < KILLS; kills += 1) {
      await sleep(random.integer(300, 2000));
      await kill(random);
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
  },
  limit,
);
