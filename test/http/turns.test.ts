import { once } from 'node:events';
import { request as openRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { takeTurns } from '../../src/http/limits/turns.js';

/** Longer than any test. */
const FOR_EVER = 3_600_000;

let server: FastifyInstance;
afterEach(() => server.close());

/** A server whose requests end when they are let go; `begun` has those that are worked on, in their order. */
async function start(atOnce: number, milliseconds: number) {
  const begun: string[] = [];
  const waiting = new Map<string, () => void>();
  server = Fastify({ forceCloseConnections: true });
  takeTurns(server, { atOnce, milliseconds, maxWaiting: 4 });
  server.get<{ Params: { name: string } }>('/:name', async ({ params: { name } }) => {
    begun.push(name);
    await new Promise<void>((resolve) => waiting.set(name, resolve));
    if (name.startsWith('bad')) throw new Error(name);
    return name;
  });
  await server.listen({ port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const ask = (name: string) => fetch(`http://127.0.0.1:${port}/${name}`).then((answer) => answer.text());
  /** Asks, and comes back when the request is in. */
  const arrive = async (name: string): Promise<{ readonly answer: Promise<string> }> => {
    const arrived = once(server.server, 'request');
    const answer = ask(name);
    await arrived;
    return { answer };
  };
  const letGo = async (name: string) => {
    while (!waiting.has(name)) await new Promise(setImmediate);
    waiting.get(name)?.();
  };
  return { begun, arrive, letGo, port };
}

describe('requests take turns', () => {
  test('a limited number at a time, in the order they came, whether they end well or not', async () => {
    const { begun, arrive, letGo } = await start(2, FOR_EVER);
    const first = await arrive('first');
    const bad = await arrive('bad');
    const third = await arrive('third');
    const fourth = await arrive('fourth');
    expect(begun).toEqual(['first', 'bad']);
    await letGo('bad');
    await bad.answer;
    await letGo('third');
    expect(begun).toEqual(['first', 'bad', 'third']);
    expect(await third.answer).toBe('third');
    await letGo('first');
    await letGo('fourth');
    expect(await Promise.all([first.answer, fourth.answer])).toEqual(['first', 'fourth']);
  });

  test('and one that waits for something else holds nobody up', async () => {
    const { arrive, letGo } = await start(1, 10);
    const slow = await arrive('slow');
    const quick = await arrive('quick');
    await letGo('quick');
    expect(await quick.answer).toBe('quick');
    // Its turn has ended, and ends no other's.
    await letGo('slow');
    expect(await slow.answer).toBe('slow');
  });

  test('and one whose client has gone is not worked on', async () => {
    const { begun, arrive, letGo, port } = await start(1, FOR_EVER);
    const first = await arrive('first');
    const arrived = once(server.server, 'request') as Promise<[{ socket: NodeJS.EventEmitter }]>;
    const gone = openRequest({ port, path: '/gone' });
    gone.on('error', () => undefined);
    gone.end();
    const [{ socket }] = await arrived;
    const closed = once(socket, 'close');
    gone.destroy();
    await closed;
    const last = await arrive('last');
    await letGo('first');
    await letGo('last');
    expect(await Promise.all([first.answer, last.answer])).toEqual(['first', 'last']);
    expect(begun).toEqual(['first', 'last']);
  });

  test('unless there is no number', async () => {
    const { begun, arrive, letGo } = await start(0, FOR_EVER);
    const names = ['a', 'b', 'c'];
    const all = [await arrive('a'), await arrive('b'), await arrive('c')];
    for (const name of names) await letGo(name);
    expect(begun).toEqual(names);
    expect(await Promise.all(all.map(({ answer }) => answer))).toEqual(names);
  });
});
