import { expect, test } from '@jest/globals';
import type { Context } from '../../../src/context.js';
import { AppError } from '../../../src/errors.js';
import { followConnections } from '../../../src/operations/live/follow-progress.js';

test('a change of a connection is told, although the read that found it failed', async () => {
  const row = { svcId: 7n, svcCompanyId: 1n, status: 'HEALTHY', syncStatus: 'IDLE' };
  let failures = 0;
  const connections = async () => {
    if (failures > 0) {
      failures -= 1;
      throw new AppError('service-unavailable', 'the database is away');
    }
    return [{ ...row, svcId: 7 }];
  };
  // One notification; a follower that waits for a second one missed what the first was about.
  const stop = new AbortController();
  let notifications = 1;
  const news = async () => {
    if (notifications === 0) stop.abort();
    notifications -= 1;
  };
  const context = {
    sql: { scope: { organisationId: 1 } },
    stopping: stop.signal,
    wakes: { watch: () => ({ news, end: () => undefined }) },
    pages: {
      read: async (_stopping: AbortSignal, read: (held: null) => Promise<unknown>) => ({
        result: await read(null),
        release: () => undefined,
      }),
    },
    renew: () => ({}),
    client: { connection: { findMany: async () => [{ ...row }] } },
    loaders: { connections: () => ({ load: connections }) },
  } as unknown as Context;
  const events = followConnections(context, null);
  expect(await events.next()).toMatchObject({ value: [{ status: 'HEALTHY' }] });
  row.status = 'EXPIRED';
  failures = 1;
  expect(await events.next()).toMatchObject({ value: [{ status: 'EXPIRED' }] });
  expect(failures).toBe(0);
  expect(await events.next()).toEqual({ done: true, value: undefined });
});
