import { existsSync, readFileSync } from 'node:fs';

import { codeOf } from '../../errors.js';

/** False on macOS and Windows. */
export const hasProc = existsSync('/proc/self/stat');

/** A zombie answers `kill(pid, 0)` although it is dead; only its empty command line tells. */
export function isAlive(pid: number): boolean {
  if (hasProc) return commandLine(pid).length > 0;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Program and arguments; empty for a zombie and for a process that does not exist. */
export function commandLine(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
  } catch {
    return [];
  }
}

/** Process id and, where the system tells, start time: an id alone is given out again, above all in containers. */
export function processIdentity(pid: number): string {
  if (!hasProc) return String(pid);
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name is in parentheses and may contain spaces; the start time is the 20th field after it.
    const startTime = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return `${pid} ${startTime}`;
  } catch {
    return String(pid);
  }
}

/** Does the process written down by `processIdentity` still live? */
export function isRunning(identity: string): boolean {
  const pid = Number.parseInt(identity, 10);
  return pid > 0 && isAlive(pid) && processIdentity(pid) === identity;
}
