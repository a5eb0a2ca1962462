import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';

/** First half of the key of the advisory lock; any number that nothing else in this project uses. */
const LOCK_CLASS = 0x5356_4301;
const OWNER = 1;

/** The session of a start that was killed ends a moment after its process. */
const PATIENCE_MS = 1_000;

export type Ownership = { release(): Promise<void> };

/**
 * Marks this start as the owner of a running server: two services on one folder would share it, and the first
 * to stop would stop it for both. A session's lock, so that it ends with the process that holds it.
 * Null when another start is the owner.
 */
export async function takeOwnership(url: string): Promise<Ownership | null> {
  const first = await holdLock(url);
  if (!first) return null;
  let client = first;
  let released = false;
  const watch = () => client.once('end', () => void regain());
  // When one of its processes is killed, PostgreSQL drops all sessions and continues; the lock must be taken again.
  const regain = async () => {
    while (!released) {
      await sleep(250, undefined, { ref: false });
      const again = released ? null : await holdLock(url).catch(() => null);
      if (!again) continue;
      client = again;
      if (released) await close(client);
      else watch();
      return;
    }
  };
  watch();
  return {
    async release() {
      released = true;
      await close(client);
    },
  };
}

async function holdLock(url: string): Promise<pg.Client | null> {
  const client = new pg.Client({ connectionString: url, application_name: 'svc owner' });
  // The event `end` reports the server's end; without a listener an error would end this process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const deadline = Date.now() + PATIENCE_MS;
    do {
      const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS held', [
        LOCK_CLASS,
        OWNER,
      ]);
      if (rows[0]?.held) return client;
      await sleep(50);
    } while (Date.now() < deadline);
  } catch (error) {
    await close(client);
    throw error;
  }
  await close(client);
  return null;
}

async function close(client: pg.Client): Promise<void> {
  await client.end().catch(() => undefined);
}
