import { type LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createOutboundCaller, NoAnswer, type OutboundCaller } from '../../src/outbound/caller.js';
import type { Lookup } from '../../src/outbound/careful-lookup.js';
import { type OddPlatform, startOddPlatform } from '../support/platform.js';

let receiver: OddPlatform;
let port: string;
let caller: OutboundCaller | null = null;

beforeAll(async () => {
  receiver = await startOddPlatform();
  ({ port } = new URL(receiver.url));
});
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.heard.length = 0;
  receiver.answer((_heard, response) => void response.end('fine'));
});
afterEach(async () => {
  await caller?.close();
  caller = null;
});

/** Answers the addresses of each look-up in turn, and the last ones from then on. */
function answering(...answers: (readonly string[])[]): { lookup: Lookup; asked: string[] } {
  const asked: string[] = [];
  const lookup: Lookup = (hostname, _options, callback) => {
    const found = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(hostname);
    const addresses = found.map((address): LookupAddress => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
    callback(addresses.length === 0 ? new Error('ENOTFOUND') : null, addresses);
  };
  return { lookup, asked };
}

/** Posts to an address; the message of what is thrown in place of an answer. */
async function post(
  url: string,
  options: { allowPrivate?: boolean; lookup?: Lookup; timeoutMs?: number } = {},
) {
  caller ??= createOutboundCaller({ allowPrivate: true, timeoutMs: 20_000, ...options });
  try {
    return await caller.post({ url, headers: { 'x-own': 'yes' }, body: '{"a":1}' });
  } catch (error) {
    expect(error).toBeInstanceOf(NoAnswer);
    return (error as Error).message;
  }
}

const SAME_WORDS = 'the address did not answer';

test('posts what it is given and answers what came', async () => {
  receiver.answer((_heard, response) => void response.writeHead(429, { 'retry-after': '7' }).end('slower'));
  expect(await post(`${receiver.url}/hook?x=1`)).toEqual({
    status: 429,
    text: 'slower',
    retryAfterSeconds: 7,
  });
  const [heard] = receiver.heard;
  expect(heard).toMatchObject({ method: 'POST', url: '/hook?x=1', body: '{"a":1}' });
  expect(heard?.headers).toMatchObject({ 'x-own': 'yes', host: `127.0.0.1:${port}` });
});

test.each([
  ['a date', () => new Date(Date.now() + 600_000).toUTCString(), [300, 600]],
  ['a date that is over', () => new Date(0).toUTCString(), [0, 0]],
  ['more seconds than anyone waits', () => '99999999', [99_999_999, 99_999_999]],
])('is told when to come back by %s', async (_, until, [least = 0, most = 0]) => {
  receiver.answer((_heard, response) => void response.writeHead(503, { 'retry-after': until() }).end());
  const answer = await post(receiver.url);
  const { retryAfterSeconds } = answer as { retryAfterSeconds: number };
  expect(retryAfterSeconds).toBeGreaterThanOrEqual(least);
  expect(retryAfterSeconds).toBeLessThanOrEqual(most);
});

test('connects to what one look-up found, by the name that was typed in', async () => {
  const { lookup, asked } = answering(['127.0.0.1'], ['169.254.169.254']);
  expect(await post(`http://hooks.example.com:${port}/`, { lookup })).toMatchObject({ status: 200 });
  expect(asked).toEqual(['hooks.example.com']);
  expect(receiver.heard[0]?.headers.host).toBe(`hooks.example.com:${port}`);
});

describe('refuses, in the same words as for an address that is gone,', () => {
  test.each([
    ['a name of this machine', ['127.0.0.1'], false],
    ['a name of a private network', ['10.0.0.1'], false],
    ['a name that is public and private', ['93.184.216.34', '127.0.0.1'], false],
    ['a name of the metadata of a cloud', ['169.254.169.254'], true],
    ['a name whose last address is link-local', ['127.0.0.1', 'fe80::1'], true],
    ['a public name without TLS', ['93.184.216.34'], true],
    ['a name that leads nowhere', [], true],
  ])('%s', async (_what, addresses, allowPrivate) => {
    const { lookup, asked } = answering(addresses);
    expect(await post(`http://hooks.example.com:${port}/`, { lookup, allowPrivate })).toBe(SAME_WORDS);
    expect(asked).toEqual(['hooks.example.com']);
    expect(receiver.heard).toEqual([]);
  });

  test('a literal that was allowed when it was typed in', async () => {
    expect(await post(`http://127.0.0.1:${port}/`, { allowPrivate: false })).toBe(SAME_WORDS);
    expect(await post('http://169.254.169.254/')).toBe(SAME_WORDS);
    expect(receiver.heard).toEqual([]);
  });

  test('a name that answers another address to the next connection', async () => {
    const { lookup } = answering(['127.0.0.1'], ['169.254.169.254']);
    receiver.answer((_heard, response) => void response.writeHead(200, { connection: 'close' }).end());
    expect(await post(`http://hooks.example.com:${port}/`, { lookup })).toMatchObject({ status: 200 });
    expect(await post(`http://hooks.example.com:${port}/`)).toBe(SAME_WORDS);
    expect(receiver.heard).toHaveLength(1);
  });

  test('a port where nobody listens', async () => {
    const free = createTcpServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port: closed } = free.address() as AddressInfo;
    free.close();
    await once(free, 'close');
    expect(await post(`http://127.0.0.1:${closed}/`)).toBe(SAME_WORDS);
  });

  test('a server that does not speak TLS', async () => {
    expect(await post(`https://127.0.0.1:${port}/`)).toBe(SAME_WORDS);
  });
});

test('follows no redirect: it is the answer', async () => {
  receiver.answer(
    (_heard, response) => void response.writeHead(302, { location: `${receiver.url}/b` }).end(),
  );
  expect(await post(`${receiver.url}/a`)).toMatchObject({ status: 302 });
  expect(receiver.heard.map(({ url }) => url)).toEqual(['/a']);
});

test('waits no longer than it may, for headers or for the end of a body', async () => {
  receiver.answer(() => undefined);
  expect(await post(`${receiver.url}/`, { timeoutMs: 100 })).toBe(SAME_WORDS);
  receiver.answer((_heard, response) => void response.writeHead(200).write('never'));
  expect(await post(`${receiver.url}/`)).toMatch('did not answer');
});

test('reads the beginning of a body that never ends, and shows 1 KB of it', async () => {
  receiver.answer((_heard, response) => {
    const more = () => {
      while (response.write('x\0é'.repeat(4096)));
    };
    response.on('drain', more);
    more();
  });
  const answer = await post(`${receiver.url}/`);
  expect(answer).toMatchObject({ status: 200 });
  const { text } = answer as { text: string };
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024);
  expect(text).toMatch(/^(xé)+x?$/);
});
