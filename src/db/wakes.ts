import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { clientOf } from './pool/client.js';
import { CLUSTER_SETTINGS, leadsToCluster } from './pool/cluster-scope.js';
import type { Login } from './pool/login.js';
import type { Nodes } from './pool/nodes.js';
import { PREPARE_SCOPE, runScoped } from './scoped-query.js';
import { organisationScope } from './scope.js';
import { checkWritable } from './pool/writable.js';

/** Channel of notifications sent by triggers at commit: `<organisation> <table>`. */
export const WAKE_CHANNEL = 'svc_wake';

/** Tables whose changes wake their followers. */
export type Followed = 'change_heads' | 'syncs' | 'sync_jobs' | 'uploads' | 'upload_items' | 'connections';

/** A follower's subscription. Changes between two waits are not missed: the next wait ends immediately. */
interface Watch {
  /** Waits for changes since the last wait; also ends when aborted. */
  news(signal: AbortSignal): Promise<void>;
  readonly end: () => void;
}

const RETRY_MS = 1000;
const CHECK_MS = 5000;
const PATIENCE_MS = 5000;
/** Polling interval for the change logs of a cluster. */
const LOOK_MS = 500;
const LOOK_PATIENCE_MS = 2000;

const headOf = (organisationId: number): pg.QueryConfig => ({
  text: 'SELECT h.position FROM change_heads h WHERE h.svc_organisation_id = $1',
  values: [organisationId],
});

interface Place {
  readonly organisationId: number;
  readonly node: number;
}

/** On which node each of these change logs is. */
const PLACES = `SELECT o.id::float8 AS "organisationId", p.groupid AS node
  FROM unnest($1::bigint[]) AS o (id)
    JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('public.change_heads', o.id)`;

/**
 * Notifies followers of table changes in any process, by LISTEN over a dedicated session that is opened for the first
 * follower. After a lost session all followers are woken, so that they miss nothing.
 */
export class Wakes {
  readonly #watches = new Map<string, Set<() => void>>();
  readonly #closing = new AbortController();
  #listening: Promise<void> | null = null;

  constructor(
    private readonly login: Login,
    /** A cluster's change log sends no notifications: it is polled while there are followers. */
    private readonly nodes: Nodes | null = null,
  ) {}

  watch(organisationId: number, tables: readonly Followed[]): Watch {
    this.#listening ??= this.#listen();
    let isNew = false;
    let waiting: (() => void) | null = null;
    const wake = () => {
      isNew = true;
      waiting?.();
    };
    const keys = tables.map((table) => `${organisationId} ${table}`);
    for (const key of keys) {
      const watches = this.#watches.get(key) ?? new Set();
      this.#watches.set(key, watches.add(wake));
    }
    return {
      news: async (signal) => {
        if (!isNew && !signal.aborted) {
          await new Promise<void>((resolve) => {
            waiting = () => {
              signal.removeEventListener('abort', waiting as () => void);
              waiting = null;
              resolve();
            };
            signal.addEventListener('abort', waiting);
          });
        }
        isNew = false;
      },
      end: () => {
        for (const key of keys) {
          const watches = this.#watches.get(key);
          watches?.delete(wake);
          if (watches?.size === 0) this.#watches.delete(key);
        }
      },
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#listening;
  }

  async #listen(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#session(signal).catch(() => undefined);
      await sleep(RETRY_MS, null, { signal }).catch(() => undefined);
    }
  }

  /** Polls the heads of followed change logs, and wakes the followers of those that have moved. */
  async #looker(client: pg.Client, nodes: Nodes): Promise<() => Promise<void>> {
    leadsToCluster(client);
    for (const [name, value] of Object.entries(CLUSTER_SETTINGS))
      await client.query(`SET ${name} = ${value}`);
    // Limited by the server: a client-side timeout would end the session.
    await client.query(`SET statement_timeout = ${LOOK_PATIENCE_MS}`);
    await client.query(PREPARE_SCOPE);
    const heads = new Map<number, string>();
    return async () => {
      const followed = [...this.#watches.keys()].flatMap(
        (key) => /^(\d+) change_heads$/.exec(key)?.[1] ?? [],
      );
      if (followed.length === 0) return;
      const { rows } = await client.query<Place>(PLACES, [followed]);
      // The others would wait for each organisation of a node that does not answer.
      const away = new Set(nodes.away());
      let isOneAway = false;
      for (const { organisationId, node } of rows) {
        if (away.has(node)) continue;
        const scope = organisationScope(organisationId);
        const found = await runScoped(client, headOf(organisationId), scope).catch(() => null);
        if (!found) {
          isOneAway = true;
          away.add(node);
          continue;
        }
        const head = String((found.rows[0] as { position: string } | undefined)?.position);
        if (heads.get(organisationId) !== head) this.#wake(`${organisationId} change_heads`);
        heads.set(organisationId, head);
      }
      // The worker of one organisation's log, unless the session is lost.
      if (isOneAway) await checkWritable(client);
    };
  }

  #wake(key: string): void {
    this.#watches.get(key)?.forEach((wake) => wake());
  }

  /** Listens until the session is lost. */
  async #session(signal: AbortSignal): Promise<void> {
    const tried = this.login.url;
    const Client = clientOf(this.login);
    const client = new Client({
      application_name: 'svc wakes',
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
      keepAlive: true,
      // On a cluster the scope is set in the same write.
      pipeline: this.nodes !== null,
    });
    const lost = new AbortController();
    client.on('end', () => lost.abort());
    client.on('notification', ({ payload }) => this.#wake(payload ?? ''));
    try {
      await client.connect();
      await checkWritable(client);
      await client.query(`LISTEN ${WAKE_CHANNEL}`);
      for (const watches of this.#watches.values()) watches.forEach((wake) => wake());
      const over = AbortSignal.any([signal, lost.signal]);
      const look = this.nodes ? await this.#looker(client, this.nodes) : () => checkWritable(client);
      while (!over.aborted) {
        await sleep(this.nodes ? LOOK_MS : CHECK_MS, null, { signal: over }).catch(() => undefined);
        // A network that drops packets reports nothing.
        if (!over.aborted) await look();
      }
    } catch (error) {
      this.login.isWorthRetrying(error, tried);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
