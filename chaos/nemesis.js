import { setTimeout as sleep } from 'node:timers/promises';
import { FAIL_POINTS } from '../dist/writes/fail-points.js';

/** These are passed by the process that answers requests, the others by those that send. */
const GATEWAY_POINTS = ['before upload is stored', 'after upload is stored'];
/** These are passed once an item, the others once a batch or so. */
const ITEM_POINTS = ['before send', 'after send'];
/** On average, from one random kill to the next; on a busy machine half of what a process needs to start. */
const MEAN_MS = 1100;
const REACHED_MS = 40_000;
/** After a kill at a point, a batch ends before the next one: else the same items would be hit until given up. */
const PROGRESS = 1;
const PROGRESS_MS = 30_000;

export { FAIL_POINTS };

/** What is done to the service, and what came of it. */
export class Nemesis {
  /** How often each point was hit. */
  points = new Map();
  randomKills = 0;
  zombies = 0;
  /** Points that nobody passed in time. */
  missed = [];
  /** The point that somebody shall come to, and who is told. */
  #awaited = null;

  constructor(random, history) {
    this.random = random;
    this.history = history;
  }

  /** For the processes to tell that they stand at a point. */
  onPoint = (point, process) => {
    this.points.set(point, (this.points.get(point) ?? 0) + 1);
    const awaited = this.#awaited;
    // A second one came to the point, or to the one before it, before it could be told not to.
    if (awaited?.point !== point) return process.resume();
    this.#awaited = null;
    awaited.resolve(process);
  };

  /** Kills processes at times that nobody chose. */
  async killAtRandom({ all }, kills) {
    for (let kill = 0; kill < kills;) {
      const mean = Math.max(MEAN_MS, Math.min(...all.map(({ startMs }) => startMs)) / 2);
      await sleep(this.random.next() * 2 * mean);
      const ready = all.filter(({ isReady }) => isReady);
      if (ready.length === 0) continue;
      await this.random.pick(ready).kill();
      kill += 1;
      this.randomKills += 1;
    }
  }

  /** Kills at each point so often, in any order. */
  async killAtPoints(service, perPoint, points = FAIL_POINTS) {
    const order = this.random.shuffled(
      points.flatMap((point) => Array.from({ length: perPoint }, () => point)),
    );
    for (const point of order) {
      if (!(await this.stopAt(service, point, 'SIGKILL'))) this.missed.push(point);
      const { done } = this.history;
      const patience = Date.now() + PROGRESS_MS;
      while (this.history.done < done + PROGRESS && Date.now() < patience) await sleep(20);
    }
  }

  /** Lets the process that passes the point first get the signal there; null where none does in time. */
  async stopAt(service, point, signal) {
    const targets = GATEWAY_POINTS.includes(point) ? [service.gateway] : service.workers;
    const passes = this.random.integer(0, ITEM_POINTS.includes(point) ? 12 : 1);
    const reached = new Promise((resolve) => (this.#awaited = { point, resolve }));
    for (const target of targets) target.arm({ point, passes, signal });
    const process = await Promise.race([reached, sleep(REACHED_MS, null, { ref: false })]);
    this.#awaited = null;
    for (const target of targets) if (target !== process) target.arm(null);
    return process;
  }

  /**
   * Stops a worker at a point until another one has taken over what it held, then lets it go on: what it does late must
   * not count.
   */
  async zombie({ sql }, service, point) {
    const zombie = await this.stopAt(service, point, 'SIGSTOP');
    if (!zombie) {
      this.missed.push(point);
      return;
    }
    const { rows: held } = await sql.query(
      'SELECT svc_id FROM uploads WHERE worker_id = ANY ($1) AND ended_at IS NULL',
      [zombie.workerIds],
    );
    // Its place among the living is a lock of its session; from another machine that would be lost by itself.
    await sql.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks, unnest($1::text[]) w (id)
       WHERE locktype = 'advisory' AND objid::bigint = hashtext(w.id)::bigint & 4294967295`,
      [zombie.workerIds],
    );
    // It wakes up while the other one works, or afterwards, in turns.
    this.zombies += 1;
    const whose = this.zombies % 2 === 0 ? 'true' : 'worker_id = ANY ($2)';
    const isWaiting = async () => {
      const { rows } = await sql.query(
        `SELECT FROM uploads WHERE svc_id = ANY ($1) AND ended_at IS NULL AND $2::text[] IS NOT NULL AND ${whose}`,
        [held.map((row) => row.svc_id), zombie.workerIds],
      );
      return rows.length > 0;
    };
    // What stands in a transaction holds its rows until it goes on.
    const patience = Date.now() + TAKEOVER_MS;
    while ((await isWaiting()) && Date.now() < patience) await sleep(100);
    zombie.resume();
    await sleep(LATE_MS);
  }
}

const TAKEOVER_MS = 15_000;
/** What a process does that wakes up, it does within so long. */
const LATE_MS = 4000;
