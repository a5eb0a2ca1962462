// One way of misbehaving, in a process of its own so that it does not slow down the measuring process. URL, keys and
// the case's name come from the environment. Ends when its parent says so, and reports the answers it got.
import { once } from 'node:events';
import { Agent, request as openRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

const { TARGET, READER, WRITER, CASE } = process.env;
const url = new URL(TARGET);
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
const answers = {};
let isOver = false;
process.once('message', () => (isOver = true));
process.on('disconnect', () => process.exit(1));

const count = (what) => (answers[what] = (answers[what] ?? 0) + 1);
const repeat = (times, text) => Array.from({ length: times }, (_, index) => text(index)).join(' ');

/** Sends a request and counts its answer; with `after`, disconnects after that many milliseconds. */
function send(path, { body, headers = {}, key = READER, after } = {}) {
  return new Promise((resolve) => {
    const request = openRequest(new URL(path, url), {
      agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        api_key: key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    const end = (what) => {
      count(what);
      resolve();
    };
    request.on('response', (response) => {
      response.on('error', () => undefined).resume();
      response.on('close', () => end(response.complete ? response.statusCode : 'left'));
    });
    request.on('error', (error) => end(after === undefined ? error.code : 'left'));
    request.end(body);
    if (after !== undefined) setTimeout(() => request.destroy(), after);
  });
}

const query = (text, options) => send('/graphql', { ...options, body: JSON.stringify({ query: text }) });
const LIST = '/v3/accounting/bill_payments?limit=10';
const COUNTS = `{ ${repeat(19, (n) => `a${n}: billPayments(first: 1, filter: { memo: { contains: "${n}x" } }) { totalCount }`)} }`;
const ONE_COUNT = '{ billPayments(first: 1, filter: { memo: { contains: "zz" } }) { totalCount } }';

/** By case: the number of concurrent callers, and the request that each repeats. */
const CASES = {
  counts: [12, () => query(COUNTS)],
  'empty objects': [6, () => send('/graphql', { body: `{"a":[${'{},'.repeat(3_200_000)}{}]}` })],
  fragments: [
    6,
    () =>
      query(`{ ...F0 } ${repeat(300, (n) => `fragment F${n} on Query { ...F${(n + 1) % 301} __typename }`)}`),
  ],
  introspection: [
    6,
    () => query(`{ ${repeat(95, (n) => `a${n}: __schema { types { fields { type { name } } } }`)} }`),
  ],
  depth: [
    6,
    () => query(`{ accounts { nodes ${'{ parentAccount '.repeat(200)}{ svcId }${' }'.repeat(200)} } }`),
  ],
  breadth: [6, () => query(`{ accounts { nodes { ${repeat(900, () => 'svcId name')} } } }`)],
  aliases: [6, () => query(`{ ${repeat(3000, (n) => `a${n}:__typename`)} }`)],
  'one long number': [
    6,
    () => send('/graphql', { key: WRITER, body: `{"variables":{"a":${'1'.repeat(9_900_000)}}}` }),
  ],
  bombs: [6, () => send('/graphql', { body: BOMB, headers: { 'content-encoding': 'gzip' } })],
  'slow bodies': [200, dribble],
  '1,500 sockets': [1500, () => send(LIST)],
  leavers: [40, () => query(ONE_COUNT, { after: Math.random() * 40 })],
};
const BOMB = gzipSync(Buffer.alloc(200_000_000, '{'));

/** A body sent byte by byte, with long pauses. */
async function dribble() {
  const headers = { api_key: READER, 'content-type': 'application/json', 'content-length': '900000' };
  const request = openRequest(new URL('/graphql', url), { method: 'POST', headers });
  const closed = once(request, 'close').catch(() => undefined);
  request.on('error', () => undefined).on('response', (response) => count(response.statusCode));
  while (!isOver && !request.destroyed) {
    request.write('[');
    await sleep(100);
  }
  request.destroy();
  await closed;
}

const [callers, act] = CASES[CASE];
await Promise.all(
  Array.from({ length: callers }, async () => {
    while (!isOver) await act();
  }),
);
process.send(answers);
process.disconnect();
