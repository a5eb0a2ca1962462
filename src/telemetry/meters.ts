import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const registry = new Registry();
const registers = [registry];

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** This process's own metrics, for Prometheus. */
export const meters = {
  requests: new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Response time by route, method and status',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  }),
  statements: new Histogram({
    name: 'database_statement_duration_seconds',
    help: 'Duration of SQL statements of requests and jobs, without the wait for a connection',
    buckets: SECONDS,
    registers,
  }),
  platformCalls: new Counter({
    name: 'platform_calls_total',
    help: 'Calls to platforms by outcome: ok, throttled, refused, failed, or none if there was no response',
    labelNames: ['platform', 'outcome'],
    registers,
  }),
  platformHooks: new Counter({
    name: 'platform_hooks_total',
    help: 'Webhook requests from platforms by outcome: taken, limited or refused',
    labelNames: ['platform', 'outcome'],
    registers,
  }),
  platformEvents: new Counter({
    name: 'platform_events_total',
    help: 'Changes announced by platforms',
    labelNames: ['platform'],
    registers,
  }),
  syncs: new Counter({
    name: 'syncs_ended_total',
    help: 'Ended syncs by platform and state',
    labelNames: ['platform', 'state'],
    registers,
  }),
  syncSeconds: new Histogram({
    name: 'sync_duration_seconds',
    help: 'Duration of syncs from the first start to the end',
    labelNames: ['platform'],
    buckets: [1, 5, 15, 60, 300, 900, 3600, 14_400],
    registers,
  }),
  writes: new Counter({
    name: 'writes_ended_total',
    help: 'Ended writes by platform and state',
    labelNames: ['platform', 'state'],
    registers,
  }),
  replicaReads: new Counter({
    name: 'database_replica_reads_total',
    help: 'List statements by replica and outcome: answered there, or by the primary because the replica was behind, had a replay conflict, failed, or was left out',
    labelNames: ['replica', 'outcome'],
    registers,
  }),
  deliveries: new Counter({
    name: 'webhook_deliveries_total',
    help: 'Delivery attempts by outcome: delivered, refused, away or gone',
    labelNames: ['outcome'],
    registers,
  }),
} as const;

/** A pool of database connections, for as long as it is open. */
interface WatchedPool {
  /** Its user: `requests` or `jobs`. */
  readonly name: string;
  readonly pool: { readonly totalCount: number; readonly idleCount: number };
  /** Number of statements waiting for a connection. */
  readonly waiting: () => number;
}

const pools = new Set<WatchedPool>();

/** Reports a pool until the returned function is called. */
export function watchPool(pool: WatchedPool): () => void {
  pools.add(pool);
  return () => void pools.delete(pool);
}

new Gauge({
  name: 'database_connections',
  help: 'Pool connections by state',
  labelNames: ['pool', 'state'],
  registers,
  collect() {
    this.reset();
    for (const { name, pool, waiting } of pools) {
      this.inc({ pool: name, state: 'open' }, pool.totalCount);
      this.inc({ pool: name, state: 'idle' }, pool.idleCount);
      this.inc({ pool: name, state: 'waiting' }, waiting());
    }
  },
});

/** A standby of the database, for as long as lists may be read there. */
interface WatchedReplica {
  readonly name: string;
  /** Why it is skipped; `used` if it is not; null before that is known. */
  readonly condition: string | null;
  /** Null if unknown. */
  readonly lagSeconds: number | null;
}

const replicas = new Set<WatchedReplica>();

/** Reports a replica until the returned function is called. */
export function watchReplica(replica: WatchedReplica): () => void {
  replicas.add(replica);
  return () => void replicas.delete(replica);
}

new Gauge({
  name: 'database_replica_used',
  help: '1 if all processes read lists from the replica; 0 if one of them leaves it out',
  labelNames: ['replica'],
  aggregator: 'min',
  registers,
  collect() {
    this.reset();
    for (const { name, condition } of replicas) this.set({ replica: name }, condition === 'used' ? 1 : 0);
  },
});

new Gauge({
  name: 'database_replica_lag_seconds',
  help: 'Replication lag; absent while the replica does not answer',
  labelNames: ['replica'],
  aggregator: 'max',
  registers,
  collect() {
    this.reset();
    for (const { name, lagSeconds } of replicas) {
      if (lagSeconds !== null) this.set({ replica: name }, lagSeconds);
    }
  },
});

let hasDefaults = false;

/** A process's metrics, in a form that can be sent to another process. */
export type ReadMeters = readonly object[];

/** All metrics of this process. */
export async function readMeters(): Promise<ReadMeters> {
  if (!hasDefaults) collectDefaultMetrics({ register: registry });
  hasDefaults = true;
  return registry.getMetricsAsJSON();
}
