import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { get, type ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { listen } from '../../src/sandbox/http/server.js';
import { startTestSandbox } from './support.js';

test('a long answer that waits for its reader adds no listener with every part', async () => {
  let response: ServerResponse | undefined;
  const remember = (message: unknown) => {
    ({ response } = message as { response: ServerResponse });
  };
  const counts: (number | undefined)[] = [];
  async function* parts() {
    for (let part = 0; part < 20; part += 1) {
      // More than is buffered: each part waits until it was taken.
      yield 'x'.repeat(100_000);
      counts.push(response?.listenerCount('close'));
    }
  }
  const answer = () => Promise.resolve({ status: 200, headers: {}, body: parts() });
  subscribe('http.server.request.start', remember);
  const server = await listen({ host: '127.0.0.1', port: 0, answer });
  try {
    expect(await (await fetch(server.url)).text()).toHaveLength(2_000_000);
    expect(counts[0]).toBeGreaterThan(0);
    expect(counts).toEqual(counts.map(() => counts[0]));
  } finally {
    unsubscribe('http.server.request.start', remember);
    await server.stop();
  }
});

test('what needs no token is not for a web page whose name resolves to this machine', async () => {
  const statusOf = (url: string, host?: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      get(url, { headers: host === undefined ? {} : { host } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).on('error', reject);
    });
  const sandbox = await startTestSandbox();
  const open = await sandbox.restart({ host: '0.0.0.0' });
  try {
    const { port } = new URL(sandbox.url);
    for (const path of ['/_sandbox/accounts', '/accounting/oauth/authorize']) {
      const usual = await statusOf(sandbox.url + path);
      expect(usual).not.toBe(403);
      expect(await statusOf(sandbox.url + path, `localhost:${port}`)).toBe(usual);
      expect(await statusOf(sandbox.url + path, `page.example:${port}`)).toBe(403);
      expect(await statusOf(open.url + path, 'sandbox.example')).toBe(usual);
    }
    expect(await statusOf(`${sandbox.url}/accounting/api/2/Products`, 'page.example')).toBe(401);
    expect(await statusOf(`${sandbox.url}/ecommerce/shops/demo-1/oauth/authorize`, 'page.example')).toBe(403);
  } finally {
    await open.stop();
    await sandbox.remove();
  }
});
