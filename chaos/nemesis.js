import { setTimeout as sleep } from 'node:timers/promises';
import { FAIL_POINTS } from '../dist/writes/fail-points.js';

/** Points passed by the process that answers requests; senders pass the others. */
const GATEWAY_POINTS = ['before upload is stored', 'after upload is stored'];
/** Points passed once per item; the others are passed about once per batch. */
const ITEM_POINTS = ['before send', 'after send'];
/** Mean time between random kills; on a busy machine, half of the time that a process needs to start. */
const MEAN_MS = 1100;
const REACHED_MS = 40_000;
/**
 * Batches that must end after a kill at a point, before the next kill: otherwise the same items would be hit until
 * their attempts are used up.
 */
const PROGRESS = 1;
const PROGRESS_MS = 30_000;

export { FAIL_POINTS };

/** Harms the service, and records what happened. */
export class Nemesis {
  /** How often each point was hit. */
  points = new Map();
  randomKills = 0;
  zombies = 0;
  /** Points that no process passed in time. */
  missed = [];
  /** The awaited point, and the function to call when it is reached. */
  #awaited = null;

  constructor(random, history) {
    this.random = random;
    this.history = history;
  }

  /** Called when a process stops at a point. */
  onPoint = (point, process) => {
    this.points.set(point, (this.points.get(point) ?? 0) + 1);
    const awaited = this.#awaited;
    // A second process reached the point, or the previous one, before it could be disarmed.
    if (awaited?.point !== point) return process.resume();
    this.#awaited = null;
    awaited.resolve(process);
  };

  /** Kills processes at random times. */
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

  /** Kills `perPoint` times at each point, in random order. */
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

  /** Sends a signal to the first process that passes the point; null if none does in time. */
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
   * Stops a worker at a point until another one has taken over its uploads, then resumes it: what it does late must
   * have no effect.
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
    // A worker's liveness is a lock of its session; a remote machine would lose it by itself.
    await sql.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks, unnest($1::text[]) w (id)
       WHERE locktype = 'advisory' AND objid::bigint = hashtext(w.id)::bigint & 4294967295`,
      [zombie.workerIds],
    );
    // In turns, the worker wakes up while the other one works, or afterwards.
    this.zombies += 1;
    const whose = this.zombies % 2 === 0 ? 'true' : 'worker_id = ANY ($2)';
    const isWaiting = async () => {
      const { rows } = await sql.query(
        `SELECT FROM uploads WHERE svc_id = ANY ($1) AND ended_at IS NULL AND $2::text[] IS NOT NULL AND ${whose}`,
        [held.map((row) => row.svc_id), zombie.workerIds],
      );
      return rows.length > 0;
    };
    // If it stopped inside a transaction, it holds its rows until it resumes.
    const patience = Date.now() + TAKEOVER_MS;
    while ((await isWaiting()) && Date.now() < patience) await sleep(100);
    zombie.resume();
    await sleep(LATE_MS);
  }
}

const TAKEOVER_MS = 15_000;
/** Time in which a resumed process does whatever it still does. */
const LATE_MS = 4000;
