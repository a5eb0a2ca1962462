import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../dist/db/embedded/index.js';

/** Space for a database and its log; the rest is ballast when the disk has to be full. */
const DISK_MB = 600;
const BALLAST = 'ballast';

/** A PostgreSQL server of our own that can be harmed; if killed, it is restarted at the same address. */
export class Server {
  #folder;
  #embedded;
  #isDisk;

  /** With `disk`, on its own file system, if this user may mount one. */
  static async open({ disk = false } = {}) {
    const server = new Server(disk);
    await server.#start();
    return server;
  }

  constructor(disk) {
    this.#folder = mkdtempSync(join(tmpdir(), 'svc-chaos-'));
    this.#isDisk = disk && mount(this.#folder);
  }

  /** Stops this server and starts another one with its data. */
  async moved() {
    const next = new Server(this.#isDisk);
    await this.#embedded.stop();
    // Keep the owner, too: PostgreSQL insists on it.
    cpSync(this.#folder, next.#folder, { recursive: true });
    await next.#start();
    return next;
  }

  async #start() {
    this.#embedded = await startEmbedded({ dataDir: this.#folder });
  }

  get url() {
    return this.#embedded.url;
  }

  get hasDisk() {
    return this.#isDisk;
  }

  /** Signals the server process: SIGINT closes its sessions and stops it, SIGKILL leaves them to find out. */
  signal(name) {
    process.kill(this.#postmaster(), name);
  }

  /** Signals the server and all its sessions. */
  signalAll(name) {
    const parent = this.#postmaster();
    const children = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === parent);
    for (const pid of [parent, ...children.map(Number)]) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended since.
      }
    }
  }

  fillDisk() {
    const { bavail, bsize } = statfsSync(this.#folder);
    try {
      writeFileSync(join(this.#folder, BALLAST), Buffer.alloc(bavail * bsize));
    } catch (error) {
      // The server has used some of the space since.
      if (error.code !== 'ENOSPC') throw error;
    }
  }

  freeDisk() {
    rmSync(join(this.#folder, BALLAST));
  }

  async close() {
    await this.#embedded.stop();
    if (this.#isDisk) execFileSync('umount', [this.#folder]);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #postmaster() {
    return Number(readFileSync(join(this.#folder, 'pg/postmaster.pid'), 'utf8').split('\n', 1)[0]);
  }
}

function mount(folder) {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'none', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}
