import { setTimeout as sleep } from 'node:timers/promises';

import { errorMessage } from './data-folder-error.js';
import type { DataFolder } from './data-folder.js';
import { findPostmaster, type Postmaster } from './postmaster.js';

export interface KeptServer {
  /** The current server process; just after a crash, the dead one. */
  current(): Postmaster;
  /** Stops restarting it; waits for a start in progress. */
  letGo(): Promise<void>;
}

const LOOK_MS = 200;
const MAX_PAUSE_MS = 5000;

/**
 * Restarts the server when it dies, on the same port, as the service's connections expect. `onEnd` is called at every
 * exit, every failed start and every failed look; the failed ones are retried.
 */
export function keepRunning(
  folder: DataFolder,
  first: Postmaster,
  relaunch: (port: number) => Promise<Postmaster | null>,
  onEnd: (message: string) => void,
): KeptServer {
  let server = first;
  const over = new AbortController();
  const { signal } = over;
  const watched = (async () => {
    let pause = LOOK_MS;
    while (!signal.aborted) {
      await sleep(pause, undefined, { ref: false, signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        // Throws while it is unknown, as when this process has no file descriptor left.
        if (findPostmaster(folder)) {
          pause = LOOK_MS;
          continue;
        }
        onEnd(
          `the embedded database (process ${server.pid}) has ended: it is started again; see ${folder.log}`,
        );
        const next = await relaunch(server.port);
        // Another process owns it now.
        if (next === null) return;
        server = next;
        pause = LOOK_MS;
      } catch (error) {
        onEnd(errorMessage(error));
        pause = Math.min(2 * pause, MAX_PAUSE_MS);
      }
    }
  })();
  return {
    current: () => server,
    letGo: async () => {
      over.abort();
      await watched;
    },
  };
}
