import { setTimeout as sleep } from 'node:timers/promises';
import { keptAlive, withClient } from '../db/pool/client.js';

/** Held by the process that starts its demo: the others wait, and find it loaded. */
const LOCK = 'svc demo';

const PAUSE_MS = 100;

/**
 * Runs `work` while no other process of the database does. The lock is that of a session of its own, so that it ends
 * with this process. Polls: a blocked statement would hold a snapshot, and CREATE INDEX CONCURRENTLY would wait for it.
 */
export async function withDemoLock<Result>(
  databaseUrl: string,
  tell: (line: string) => void,
  work: () => Promise<Result>,
): Promise<Result> {
  const [result] = await withClient(keptAlive(databaseUrl), async (session) => {
    for (let isFirst = true; ; isFirst = false) {
      const { rows } = await session.query<{ held: boolean }>(
        'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held',
        [LOCK],
      );
      // Its errors are not those of the session.
      if (rows[0]?.held) return Promise.allSettled([work()]);
      if (isFirst) tell('Waiting for another process, which loads the demo data');
      await sleep(PAUSE_MS);
    }
  });
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
