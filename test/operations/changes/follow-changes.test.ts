import { expect, test } from '@jest/globals';
import type { Context } from '../../../src/context.js';
import { AppError } from '../../../src/errors.js';
import { followChanges } from '../../../src/operations/changes/follow-changes.js';

test('waits out an outage of the database before it is known where the changes begin', async () => {
  let reads = 0;
  const rows = async () => {
    reads += 1;
    if (reads === 1) throw new AppError('service-unavailable', 'the database is away');
    return [{ position: 7 }];
  };
  const context = {
    sql: { query: () => ({}), rows },
    stopping: new AbortController().signal,
    pages: {
      read: async (_stopping: AbortSignal, read: (held: null) => Promise<unknown>) => ({
        result: await read(null),
        release: () => undefined,
      }),
    },
    renew: () => ({}),
  } as unknown as Context;
  const changes = await followChanges(context, {});
  expect(reads).toBe(2);
  await changes.return(undefined);
});
