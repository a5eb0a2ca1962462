import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { App } from '../../src/app.js';
import { AppError } from '../../src/errors.js';
import { Random } from '../../src/sandbox/world/random.js';
import { admin } from '../support/admin.js';
import { openProxy } from '../../chaos/proxy.js';
import { createFollower } from '../support/follower.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp, testDatabaseUrl } from '../support/service.js';

const SEED = Number(process.env['FOLLOW_SEED'] ?? 1);
const WRITERS = 4;
const BATCHES = 25;
const IDS = 40;

/** Stores by its own way to the database; requests are answered by another, which can be taken away. */
let writing: App;
let app: App;
let proxy: Awaited<ReturnType<typeof openProxy>>;
let acme: Tenant;
let caller: Caller;

beforeAll(async () => {
  writing = await startApp();
  proxy = await openProxy(testDatabaseUrl());
  app = await startApp({ DATABASE_URL: proxy.url });
  acme = await createTenant(writing, 'follow');
  caller = await createCaller(app, acme.organisationId);
});
afterAll(async () => {
  await app.close();
  await writing.close();
  proxy.close();
});

/** Random batches of two record types, one after the other. What breaks off is stored again, as a worker does. */
async function write(tenant: Tenant, random: Random, between: () => Promise<void>): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const model = random.pick(['Account', 'Item']);
    const records = Array.from({ length: random.integer(1, 12) }, () => ({
      platformId: `${model} ${random.integer(1, IDS)}`,
      deleted: random.integer(1, 5) === 1,
      values: { name: `name ${random.integer(1, 1_000_000)}` },
    }));
    await stored(() => tenant.store(model, records));
    await between();
  }
}

const LOST: ReadonlySet<string> = new Set(['service-unavailable', 'outcome-unknown']);

/** Tries again for as long as the connection is ended, also that of a commit: what was stored is then stored unchanged. */
async function stored(store: () => Promise<unknown>): Promise<void> {
  for (let isLost = true; isLost;) {
    isLost = await store().then(
      () => false,
      (error: unknown) => {
        if (error instanceof AppError && LOST.has(error.code)) return true;
        throw error;
      },
    );
  }
}

/** What the lists show, by data model and svc_id. */
async function listed(): Promise<Map<string, unknown>> {
  const all = new Map<string, unknown>();
  for (const [path, dataModel] of [
    ['accounts', 'ACCOUNTS'],
    ['items', 'ITEMS'],
  ]) {
    const { body } = await caller.get(`/v3/accounting/${path}?limit=1000`);
    for (const one of body.data) all.set(`${dataModel} ${one.svc_id}`, one);
  }
  return all;
}

/** Ends the transactions that are under way in the middle, as the death of their process does. */
const killWriters = () =>
  admin.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'idle in transaction' AND pid <> pg_backend_pid()`,
  );

test(`one who follows ${WRITERS} writers that die, over a database that goes away, has every change once and in order (seed ${SEED})`, async () => {
  const random = new Random(SEED);
  const companies = [acme, await acme.company('second')];
  let batches = 0;
  const writers = Array.from({ length: WRITERS }, (_, index) =>
    write(companies[index % 2] ?? acme, new Random(SEED * 100 + index), async () => {
      batches += 1;
      if (batches % 10 === 0) await killWriters();
      if (batches % 15 === 0) proxy.drop();
    }),
  );
  let isWriting = true;
  const written = Promise.all(writers).finally(() => (isWriting = false));
  const follower = createFollower(caller, { parameters: `limit=${random.integer(3, 30)}` });
  while (isWriting) await follower.step();
  await written;
  await follower.catchUp();

  const { rows } = await admin.pool.query<{ position: string; head: string }>(
    `SELECT position, (SELECT position FROM change_heads h WHERE h.svc_organisation_id = $1) AS head
     FROM record_changes WHERE svc_organisation_id = $1 ORDER BY position`,
    [acme.organisationId],
  );
  expect(rows.length).toBeGreaterThan(BATCHES * WRITERS);
  // Gap-free up to the head, each told once, in order, although transactions ended in the middle.
  const all = Array.from({ length: Number(rows[0]?.head) }, (_, index) => index + 1);
  expect(rows.map(({ position }) => Number(position))).toEqual(all);
  expect(follower.positions).toEqual(all);
  expect(new Map([...follower.copy].sort())).toEqual(new Map([...(await listed())].sort()));
});

test('a reader never finds something before a position that it has seen', async () => {
  const tenant = await createTenant(writing, 'order');
  const owner = new pg.Client({ connectionString: testDatabaseUrl() });
  await owner.connect();
  let isWriting = true;
  const writers = [1, 2, 3].map((index) => write(tenant, new Random(index), () => Promise.resolve()));
  const written = Promise.all(writers).finally(() => (isWriting = false));
  let seen: number[] = [];
  while (isWriting) {
    // The whole log each time: nothing but its end may differ.
    const { rows } = await owner.query<{ position: string }>(
      'SELECT position FROM record_changes WHERE svc_organisation_id = $1 ORDER BY position',
      [tenant.organisationId],
    );
    const now = rows.map(({ position }) => Number(position));
    expect(now.slice(0, seen.length)).toEqual(seen);
    seen = now;
  }
  await written;
  await owner.end();
});
