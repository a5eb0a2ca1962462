// One process at a time installs and builds in a folder. Plain Node, and synchronous, as what it is for.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PAUSE_MS = 100;

/** Whether the process lives; one of another user does. */
const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

const pause = () => {
  // Of different lengths, so that two do not step back for each other again and again.
  const milliseconds = PAUSE_MS * (1 + Math.random());
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

/** Longer than anything is installed or built for: the id is another process's by now. */
const OLD_MS = 20 * 60_000;

const isOld = (file) => {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined || Date.now() - stats.mtimeMs > OLD_MS;
};

/** The other living processes that hold the lock or try to; files of dead ones are removed. */
function others(folder) {
  const pids = existsSync(folder) ? readdirSync(folder).map(Number) : [];
  return pids.filter((pid) => {
    const file = join(folder, String(pid));
    if (pid === process.pid) return false;
    if (isAlive(pid) && !isOld(file)) return true;
    rmSync(file, { force: true });
    return false;
  });
}

/**
 * Waits for the lock and holds it until this process ends. Each process has a file named by its id, and steps back if it
 * finds another one after making its own: so there is no moment at which two take over from a dead one.
 */
export function lockUntilExit(folder) {
  const own = join(folder, String(process.pid));
  const release = () => rmSync(own, { force: true });
  for (let isTold = false; ; pause()) {
    const [first] = others(folder);
    if (first === undefined) {
      try {
        mkdirSync(folder, { recursive: true });
        writeFileSync(own, '');
      } catch (error) {
        // On a read-only disk nothing is installed or built, either: what has to be says so.
        if (['EROFS', 'EACCES', 'EPERM'].includes(error.code)) return;
        throw error;
      }
      if (others(folder).length === 0) break;
      release();
    } else if (!isTold) {
      console.error(
        `waiting for process ${first}, which installs or builds here (if not, remove ${join(folder, String(first))}) ...`,
      );
      isTold = true;
    }
  }
  process.once('exit', release);
}
