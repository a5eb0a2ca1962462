import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Answer, type Caller, createCaller, startApp } from '../support/service.js';
import { until } from '../support/until.js';

const PAGE = '/v3/accounting/accounts?limit=1000';
/** More than the system takes for a reader who takes nothing. */
const ROWS = 200;
const TEXT = 'x'.repeat(100_000);

let app: App;
let acme: Tenant;
let caller: Caller & { readonly key: string };
let neighbour: Caller;

beforeAll(async () => {
  // Room for four such pages, two of them of one organisation.
  app = await startApp({ LIMIT_HELD_ROW_BYTES: '84000000', LIMIT_SLOW_READER_MILLISECONDS: '10000' });
  acme = await createTenant(app, 'slow readers');
  const other = await createTenant(app, 'other readers');
  for (const [tenant, count] of [
    [acme, ROWS],
    [other, 1],
  ] as const) {
    const records = Array.from({ length: count }, (_, index) => ({
      platformId: `${index}`,
      values: { description: TEXT },
    }));
    await tenant.store('Account', records);
  }
  caller = await createCaller(app, acme.organisationId);
  neighbour = await createCaller(app, other.organisationId);
});
afterAll(() => app.close());

/** Asks for a page, and reads no more of it than its beginning. */
async function leaveUnread(): Promise<Socket> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1').on('error', () => undefined);
  socket.write(`GET ${PAGE} HTTP/1.1\r\nhost: localhost\r\napi_key: ${caller.key}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

const statusOf = ({ status }: Answer) => status;

describe('answers that are left unread', () => {
  test('are bounded, leave others theirs, and are cut off', async () => {
    const sockets = [await leaveUnread(), await leaveUnread()];
    try {
      const refused = await caller.get(PAGE);
      expect(refused.body.error).toMatchObject({
        code: 'service-unavailable',
        message: 'the service holds as many bytes of answers as it may; try again soon',
      });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
      expect(statusOf(await neighbour.get(PAGE))).toBe(200);
      // What a mutation has done is told all the same.
      const text =
        'mutation ($id: SvcId!) { updateCompany(input: { svcId: $id, name: "As told" }) { company { name } } }';
      expect(statusOf(await caller.graphql(text, { id: acme.companyId }))).toBe(200);

      await until('room again', async () => statusOf(await caller.get(PAGE)) === 200);
      const ends = sockets.map((socket) => once(socket.resume(), 'close'));
      await Promise.all(ends);
    } finally {
      sockets.forEach((socket) => socket.destroy());
    }
  });

  test('are kept for who reads slowly', async () => {
    const socket = await leaveUnread();
    let bytes = 0;
    const reading = setInterval(() => {
      bytes += (socket.read() as Buffer | null)?.length ?? 0;
    }, 20);
    await until('all of it', () => bytes > ROWS * TEXT.length);
    clearInterval(reading);
    socket.destroy();
  });
});
