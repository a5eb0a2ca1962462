import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { listen } from '../../src/sandbox/http/server.js';

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
