import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { createTenant } from '../support/seed.js';
import { startApp } from '../support/service.js';

let app: App;

beforeAll(async () => {
  app = await startApp();
  // The first news is that the session listens.
  const first = app.database.wakes.watch(1, ['syncs']);
  await first.news(new AbortController().signal);
  first.end();
});
afterAll(() => app.close());

test('news between two waits is not missed', async () => {
  const acme = await createTenant(app, 'wakes');
  const { signal } = new AbortController();
  const watch = () => app.database.wakes.watch(acme.organisationId, ['change_heads']);
  const [waiting, busy] = [watch(), watch()];
  const heard = waiting.news(signal);
  await acme.store('Account', [{ platformId: 'a', values: {} }]);
  await heard;
  await busy.news(signal);
  waiting.end();
  busy.end();
});

test('a wait ends when it is aborted', async () => {
  const stop = new AbortController();
  const watch = app.database.wakes.watch(1, ['syncs']);
  const waiting = watch.news(stop.signal);
  stop.abort();
  await expect(waiting).resolves.toBeUndefined();
  watch.end();
});
