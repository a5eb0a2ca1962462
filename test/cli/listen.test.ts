import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { createClock, createDelivering } from '../support/events.js';
import { createTenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';
import { openStrictProxy } from '../support/strict-proxy.js';
import { until } from '../support/until.js';
import { Folders, freePort, start } from './commands.js';

const folders = new Folders();
let app: App;

beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  folders.remove();
});

test('listen makes a webhook, verifies and prints what arrives, and removes it at its end', async () => {
  const tenant = await createTenant(app, 'listen');
  const caller = await createCaller(app, tenant.organisationId);
  const port = String(await freePort());
  const args = ['--service', app.url, '--key', caller.key, '--port', port];
  const listening = start('dist/cli/listen.js', args, {}, folders.make());
  await listening.says('Receiving all changes of records');
  const [webhook] = (await caller.get('/v3/core/webhooks')).body.data;
  expect(webhook.url).toBe(`http://127.0.0.1:${port}/events`);
  const delivering = createDelivering(app, { clock: createClock() });
  await tenant.store('Account', [{ platformId: 'cash', values: { name: 'Cash' } }]);
  await delivering.settle();
  await listening.says(` verified chg_${tenant.organisationId}_1\n{"type":"CREATE"`);
  const forged = await fetch(webhook.url, { method: 'POST', body: '{}' });
  expect(forged.status).toBe(401);
  await listening.says('NOT VERIFIED');
  // Whoever leaves in the middle of an event ends nothing.
  const leaving = connect(Number(port), '127.0.0.1');
  leaving.write('POST /events HTTP/1.1\r\nhost: here\r\ncontent-length: 9\r\n\r\n{');
  leaving.resetAndDestroy();
  await once(leaving, 'close');
  expect((await fetch(webhook.url, { method: 'POST', body: '{}' })).status).toBe(401);
  const { code } = await listening.stop('SIGINT');
  expect(code).toBe(0);
  expect((await caller.get('/v3/core/webhooks')).body.data).toEqual([]);
  await delivering.close();
});

test('listen switches the webhooks of its address on, and off again at its end', async () => {
  const tenant = await createTenant(app, 'listen again');
  const caller = await createCaller(app, tenant.organisationId);
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}/events`;
  const webhook = { name: 'mine', type: 'SYNC_COMPLETED', url, enabled: false };
  await caller.post('/v3/core/webhooks', { webhook });
  const args = ['--service', app.url, '--key', caller.key, '--port', port];
  const listening = start('dist/cli/listen.js', args, {}, folders.make());
  await listening.says('Receiving what the webhook "mine" watches');
  const [on] = (await caller.get('/v3/core/webhooks')).body.data;
  expect(on.enabled).toBe(true);
  const { body } = await caller.post(`/v3/core/webhooks/${on.id}/test`, {});
  expect(body.data).toMatchObject({ status: 'DELIVERED', response_status: 204 });
  await listening.stop('SIGINT');
  expect((await caller.get('/v3/core/webhooks')).body.data).toMatchObject([{ enabled: false }]);
});

test('listen removes its webhook, too, where nobody reads its output any more', async () => {
  const tenant = await createTenant(app, 'listen unread');
  const caller = await createCaller(app, tenant.organisationId);
  const port = String(await freePort());
  const args = ['--service', app.url, '--key', caller.key, '--port', port];
  const listening = start('dist/cli/listen.js', args, {}, folders.make());
  await listening.says('Receiving all changes of records');
  listening.process.stdout?.destroy();
  await fetch(`http://127.0.0.1:${port}/events`, { method: 'POST', body: '{}' }).catch(() => undefined);
  expect((await listening.ended).code).toBe(0);
  expect((await caller.get('/v3/core/webhooks')).body.data).toEqual([]);
});

test('listen works where nobody reads its progress', async () => {
  const tenant = await createTenant(app, 'listen quietly');
  const caller = await createCaller(app, tenant.organisationId);
  const args = ['--service', app.url, '--key', caller.key, '--port', String(await freePort())];
  const listening = start('dist/cli/listen.js', args, {}, folders.make());
  listening.process.stderr?.destroy();
  const webhooks = async () => (await caller.get('/v3/core/webhooks')).body.data.length as number;
  const isOver = () => listening.process.exitCode !== null;
  await until('its webhook', async () => isOver() || (await webhooks()) === 1);
  expect(isOver()).toBe(false);
  expect((await listening.stop('SIGINT')).code).toBe(0);
  expect(await webhooks()).toBe(0);
});

test('listen says what it lacks', async () => {
  const run = (...args: string[]) => start('dist/cli/listen.js', args, {}, folders.make()).ended;
  const port = String(await freePort());
  const none = await run('--port', port);
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('--key is needed')]);
  const away = await run('--port', port, '--key', 'k', '--service', 'http://127.0.0.1:9');
  expect([away.code, away.stderr]).toEqual([1, expect.stringContaining('npm start starts one')]);
});

test('listen finds the webhooks of a service behind a proxy that drops headers with underscores', async () => {
  const tenant = await createTenant(app, 'listen behind a proxy');
  const caller = await createCaller(app, tenant.organisationId);
  const proxy = await openStrictProxy(app.url);
  const args = ['--service', proxy.url, '--key', caller.key, '--port', String(await freePort())];
  const listening = start('dist/cli/listen.js', args, {}, folders.make());
  await listening.says('Receiving');
  await listening.stop('SIGINT');
  proxy.close();
});

test('listen says what a proxy in between answers', async () => {
  const proxy = createServer((_request, response) => {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>');
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const args = ['--service', `http://127.0.0.1:${port}`, '--key', 'any'];
  const listening = start('dist/cli/listen.js', args, {}, folders.make());
  await listening.says(`127.0.0.1:${port} answered 502 Bad Gateway`);
  proxy.close();
});
