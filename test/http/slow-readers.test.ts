import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { admin } from '../support/admin.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Answer, type Caller, callerOf, createCaller, startApp } from '../support/service.js';
import { until } from '../support/until.js';

const PAGE = '/v3/accounting/accounts?limit=1000';
/** More than the system takes for a reader who takes nothing. */
const ROWS = 200;
const TEXT = 'x'.repeat(100_000);

let app: App;
let acme: Tenant;
let caller: Caller & { readonly key: string };
let neighbour: Caller & { readonly key: string };

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

/** Asks for a path, and reads nothing. */
function ask(at: App, path: string, accept = '*/*'): Socket {
  const socket = connect(Number(new URL(at.url).port), '127.0.0.1').on('error', () => undefined);
  const headers = `host: localhost\r\naccept: ${accept}\r\napi_key: ${caller.key}`;
  socket.write(`GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
  return socket;
}

/** Asks for a page, and reads no more of it than its beginning. */
async function leaveUnread(): Promise<Socket> {
  const socket = ask(app, PAGE);
  await once(socket, 'readable');
  return socket;
}

async function sessions(): Promise<readonly number[]> {
  const { rows } = await admin.pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity
     WHERE application_name = 'unified-financial-data-service' AND datname = current_database()`,
  );
  return rows.map(({ pid }) => pid);
}

const statusOf = ({ status }: Answer) => status;

describe('answers that are left unread', () => {
  test('are bounded, leave others theirs, and are cut off', async () => {
    const sockets = [await leaveUnread(), await leaveUnread()];
    try {
      const refused = await caller.get(PAGE);
      expect(refused.body.error).toMatchObject({
        code: 'service-unavailable',
        message: 'the service holds too many bytes of answers; try again soon',
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

describe('long answers that are left unread', () => {
  let patient: App;
  beforeAll(async () => {
    patient = await startApp({
      LIMIT_HELD_ROW_BYTES: '84000000',
      LIMIT_SLOW_READER_MILLISECONDS: '3600000',
    });
  });
  afterAll(() => patient.close());

  test('are refused to others over connections that are good for more', async () => {
    const sockets = [ask(patient, PAGE), ask(patient, PAGE)];
    try {
      await Promise.all(sockets.map((socket) => once(socket, 'readable')));
      const others = callerOf(patient, caller.key);
      const refused = async () => expect(statusOf(await others.get(PAGE))).toBe(503);
      await refused();
      const before = await sessions();
      for (let again = 0; again < 10; again += 1) await refused();
      expect((await sessions()).filter((pid) => before.includes(pid))).not.toEqual([]);
    } finally {
      sockets.forEach((socket) => socket.destroy());
    }
  });

  test.each([
    ['exports', '/v3/core/export?data_models=ACCOUNTS', '*/*'],
    ['change feeds', '/v3/core/changes?next=0&limit=1000', 'text/event-stream'],
  ])(
    'hold some pages at a time: %s of one organisation wait, those of others do not',
    async (_name, path, accept) => {
      const sockets = Array.from({ length: 6 }, () => ask(patient, path, accept));
      const begun = new Set<Socket>();
      // On a slow machine some have waited for as long as they may.
      const refused = new Set<Socket>();
      for (const socket of sockets) {
        socket.once('readable', () => {
          const status = String(socket.read('HTTP/1.1 200'.length));
          (status === 'HTTP/1.1 200' ? begun : refused).add(socket);
        });
      }
      try {
        const others = callerOf(patient, neighbour.key);
        await until('those for whom there is room', () => begun.size >= 2);
        // Time enough for all, if they did not wait.
        for (let turn = 0; turn < 5; turn += 1)
          expect(statusOf(await others.get('/v3/core/export?data_models=ACCOUNTS'))).toBe(200);
        expect(begun.size).toBeLessThan(sockets.length);
        await until('all of them', () => {
          begun.forEach((socket) => socket.destroy());
          return begun.size + refused.size === sockets.length;
        });
      } finally {
        sockets.forEach((socket) => socket.destroy());
      }
    },
  );
});
