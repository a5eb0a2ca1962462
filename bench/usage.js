import { existsSync, readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** CPU milliseconds used by a process and its children; NaN if the system does not report it. */
export const cpuOf = (pid) => sum(treeOf(pid).map(ownCpu));

/** The same for each process of a PostgreSQL server, by pid; `data` is its data directory. */
export function cpuOfServer(data) {
  const postmaster = read(`${data}/postmaster.pid`).split('\n')[0];
  return treeOf(postmaster).map((pid) => [pid, ownCpu(pid)]);
}

function ownCpu(pid) {
  const fields = statOf(pid);
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

/** Resident memory in MB of a process, or of its largest child; NaN if the system does not report it. */
export function memoryOf(pid) {
  return Math.max(...treeOf(pid).map(residentOf));
}

const residentOf = (pid) => Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1]) / 1024;

/** For a PostgreSQL session, this is the server. */
export const parentOf = (pid) => Number(statOf(pid)[1]);

/** A service is one process or, with WORKERS, one with children. */
function treeOf(pid) {
  if (!existsSync('/proc')) return [pid];
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return [pid, ...all.filter((one) => statOf(one)[1] === String(pid)).map(Number)];
}

/** The fields of a process from its state on: [1] is its parent, [11] and [12] are its CPU; empty if it has ended. */
function statOf(pid) {
  const text = read(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
