import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../../telemetry/log.js';
import { watchReplica } from '../../telemetry/meters.js';
import type { Connections, SharingOptions } from '../pool/connections.js';
import type { Login } from '../pool/login.js';
import { createPool, type PoolReports } from '../pool/pool.js';
import { readServerState, type ServerState } from './address.js';
import { Heads } from './heads.js';
import { Lag, parseLsn } from './lag.js';
import { Replica, REPLICA_PATIENCE_MS, type ReplicaCondition } from './replica.js';
import { ReplicaReads } from './replica-reads.js';

interface ReplicasOptions {
  readonly addresses: readonly string[];
  /** The login of requests at the primary. */
  readonly login: Login;
  readonly primary: Connections;
  readonly sharing: SharingOptions;
  readonly statementMilliseconds: number;
  /** A replica that lags more is skipped. */
  readonly maxLagSeconds: number;
  readonly reports: PoolReports;
  readonly log: Logger;
}

const WATCH_MS = 1000;

const WORDS: Readonly<Record<ReplicaCondition, string>> = {
  used: 'lists are read at a replica',
  lagging: 'a replica lags and is skipped: lists are read elsewhere',
  away: 'a replica does not answer, or refuses connections, and is skipped: lists are read elsewhere',
  promoted: 'a replica is no longer a standby and is skipped: lists are read elsewhere',
  another: 'a replica is of another database and is skipped: lists are read elsewhere',
  forked:
    'a replica does not follow the primary since a promotion, as far as it knows, and is skipped: lists are read elsewhere',
};

/** Standbys of the primary, for lists: each is checked every second. */
export class Replicas {
  readonly #all: readonly Replica[];
  readonly #heads: Heads;
  readonly #lag = new Lag();
  /** At the primary. */
  readonly #pool: pg.Pool;
  readonly #closing = new AbortController();
  readonly #unwatch: (() => void)[];
  #watching: Promise<void> = Promise.resolve();
  #turn = 0;

  private constructor(private readonly options: ReplicasOptions) {
    const { addresses, login, reports } = options;
    this.#all = addresses.map((address) => new Replica({ ...options, ...reports, address }));
    this.#pool = createPool({
      ...reports,
      login: login.direct,
      size: 1,
      statementMilliseconds: REPLICA_PATIENCE_MS,
    });
    // The primary may be another server now, from which replicas may have diverged.
    this.#pool.on('connect', () => this.#all.forEach((replica) => (replica.isDoubted = true)));
    this.#heads = new Heads(this.#pool);
    this.#unwatch = this.#all.map(watchReplica);
  }

  /** Resolves when each was checked once: unavailable ones are checked again. */
  static async open(options: ReplicasOptions): Promise<Replicas> {
    const replicas = new Replicas(options);
    await replicas.#notePrimary();
    await replicas.#look();
    replicas.#watching = replicas.#watch();
    return replicas;
  }

  /** How many replicas there are, and how many serve lists. */
  get counts(): { readonly used: number; readonly all: number } {
    return { used: this.#used().length, all: this.#all.length };
  }

  /** Reads for a caller that named a position of the change log, or 0. */
  readsFor(position: number): ReplicaReads {
    return new ReplicaReads({
      primary: this.options.primary,
      heads: this.#heads,
      next: () => this.#next(),
      position,
      statementMilliseconds: this.options.statementMilliseconds,
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#watching;
    this.#unwatch.forEach((end) => end());
    await Promise.all([this.#pool.end(), ...this.#all.map((replica) => replica.close())]);
  }

  #used(): readonly Replica[] {
    return this.#all.filter(({ condition, isDoubted }) => condition === 'used' && !isDoubted);
  }

  #next(): Replica | null {
    const used = this.#used();
    this.#turn = (this.#turn + 1) % Math.max(1, used.length);
    return used[this.#turn] ?? null;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await sleep(WATCH_MS, null, { signal }).catch(() => undefined);
      if (!signal.aborted) await this.#look();
    }
  }

  /** The primary is checked last: no replica can have replayed more than it has written by then. */
  async #look(): Promise<void> {
    const states = await Promise.all(
      this.#all.map((replica) => replica.ask().catch((error: Error) => error)),
    );
    const primary = await this.#notePrimary();
    const now = performance.now();
    this.#all.forEach((replica, index) => {
      const state = states[index];
      if (state) this.#judge(replica, state, { primary, now });
    });
  }

  async #notePrimary(): Promise<ServerState | null> {
    const primary = await readServerState(this.#pool).catch(() => null);
    if (!primary || primary.isStandby) return null;
    this.#lag.note({ at: performance.now(), lsn: parseLsn(primary.lsn) });
    return primary;
  }

  #judge(
    replica: Replica,
    state: ServerState | Error,
    { primary, now }: { readonly primary: ServerState | null; readonly now: number },
  ): void {
    const isAway = state instanceof Error;
    const lsn = isAway ? 0n : parseLsn(state.lsn);
    const seconds = isAway ? null : this.#lag.secondsOf(lsn, now);
    const condition = (): ReplicaCondition | null => {
      if (isAway) return 'away';
      if (!state.isStandby) return 'promoted';
      if (!primary) return replica.condition === 'away' ? null : replica.condition;
      if (state.database !== primary.database) return 'another';
      if (state.timeline !== primary.timeline || this.#lag.isAhead(lsn)) return 'forked';
      const isLate = seconds === null || seconds > this.options.maxLagSeconds;
      return isLate || !this.#lag.hasBeginning(lsn) ? 'lagging' : 'used';
    };
    const isNew = replica.turn(condition(), seconds);
    if (primary) replica.isDoubted = false;
    if (!isNew) return;
    const { log } = this.options;
    const fields = { replica: replica.name, lagSeconds: seconds, ...(isAway && { err: state }) };
    if (replica.condition === 'used') log.info(fields, WORDS.used);
    else if (replica.condition) log.warn(fields, WORDS[replica.condition]);
  }
}
