import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { knownFlags } from '../scripts/flags.js';

const FOLDER = dirname(fileURLToPath(import.meta.url));
/** As in `npm start`: memory depends on them. */
const FLAGS = knownFlags();

const children = new Set();
// A last resort, if the regular stop did not happen.
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));

/** Starts a script of this project in its own process, without `.env` files. */
export function startProcess(script, { args = [], env }) {
  const child = spawn(process.execPath, [...FLAGS, resolve(FOLDER, script), ...args], {
    cwd: tmpdir(),
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    // Without its own process group, a stopped child would end the group of an exiting shell.
    detached: true,
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** A port that is currently free. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** Waits for a line in a process's output; throws if the process ends first. */
export function lineOf(child, pattern) {
  return new Promise((resolve, reject) => {
    let text = '';
    const look = (chunk) => {
      text += chunk;
      const found = pattern.exec(text);
      if (!found) return;
      child.stdout.off('data', look);
      resolve(found[0]);
    };
    child.stdout.on('data', look);
    child.once('exit', (code, signal) =>
      reject(new Error(`a process ended with ${signal ?? code}: ${text}`)),
    );
  });
}

/**
 * A process of the service that is restarted whenever it ends. `kills` counts kills by our signal; any other end is
 * listed in `faults`.
 */
export class ServiceProcess {
  kills = 0;
  faults = [];
  isReady = false;
  /** Duration of the last start. */
  startMs = 0;
  /** Ids of the workers in it. */
  workerIds = [];
  #stopping = false;
  #child = null;
  #order = null;

  constructor(name, { script, env, onPoint }) {
    this.name = name;
    this.launch = () => startProcess(script, { env });
    this.onPoint = onPoint;
    this.#start();
  }

  #start() {
    const began = Date.now();
    const child = this.launch();
    this.#child = child;
    this.isReady = false;
    this.workerIds = [];
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
        const line = text.slice(0, end);
        text = text.slice(end + 1);
        if (line === 'ready') {
          this.isReady = true;
          this.startMs = Date.now() - began;
        }
        const workerId = /^worker (.*)$/.exec(line)?.[1];
        if (workerId !== undefined) this.workerIds.push(workerId);
        const point = /^at (.*)$/.exec(line)?.[1];
        if (point === undefined) continue;
        this.#order = null;
        this.onPoint(point, this);
      }
    });
    // The process may be killed before it reads an order.
    child.on('error', () => undefined);
    if (this.#order) child.send(this.#order, () => undefined);
    child.once('exit', (code, signal) => {
      this.isReady = false;
      if (signal === 'SIGKILL') this.kills += 1;
      else if (!this.#stopping) this.faults.push(`${this.name} ended with ${signal ?? code}`);
      if (!this.#stopping) this.#start();
    });
  }

  get pid() {
    return this.#child.pid;
  }

  /** Makes the process send itself a signal at a point, after a number of passes; null disarms it. */
  arm(order) {
    this.#order = order;
    if (this.#child.connected) this.#child.send(order, () => undefined);
  }

  async kill() {
    const child = this.#child;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  resume() {
    this.#child.kill('SIGCONT');
  }

  async stop() {
    this.#stopping = true;
    if (this.#child.exitCode === null && this.#child.signalCode === null) await this.kill();
  }
}
