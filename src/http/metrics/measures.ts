import { Gauge, Registry } from 'prom-client';
import type { Database } from '../../db/database.js';

interface Measure {
  readonly help: string;
  /** Label names for `label` and `other` of `svc_measure`. */
  readonly labels: readonly string[];
}

/** Metrics that `svc_measure` reads from the database, over all organisations. The same in every process. */
const MEASURES: Readonly<Record<string, Measure>> = {
  jobs: { help: 'Queued jobs by state: due, running, later or failed', labels: ['task', 'state'] },
  syncs_open: { help: 'Open syncs', labels: ['platform', 'state'] },
  sync_oldest_seconds: { help: 'Age of the oldest open sync', labels: ['platform'] },
  sync_lag_seconds: {
    help: 'Time since the end of the last sync, for the scheduled connection that has waited longest; less any interval beyond a day',
    labels: ['platform'],
  },
  write_items_open: { help: 'Write items without a result yet', labels: ['platform', 'state'] },
  write_oldest_seconds: { help: 'Age of the oldest open write', labels: ['platform'] },
  work_given_up: {
    help: 'Syncs and writes given up after several workers died while running them, until they are retried',
    labels: ['kind'],
  },
  connections: { help: 'Connections by status', labels: ['platform', 'status'] },
  platform_budget_left: {
    help: "Smallest remaining share of a platform's limit among its connections",
    labels: ['platform', 'window'],
  },
  platform_paused: {
    help: 'Connections whose platform asked for a pause or is unavailable',
    labels: ['platform'],
  },
  change_position: { help: 'Changes logged so far', labels: [] },
  webhooks: {
    help: 'Webhooks by state: working, failing, disabled by the service, or off',
    labels: ['state'],
  },
  webhook_failing_seconds: { help: 'How long the longest-failing receiver has been failing', labels: [] },
  webhook_lag_positions: { help: 'Change log positions by which the slowest webhook is behind', labels: [] },
  webhook_records_held: { help: 'Records whose events wait because one was refused', labels: [] },
};

interface Row {
  readonly metric: string;
  readonly label: string | null;
  readonly other: string | null;
  readonly value: number;
}

/** Reads them as text for Prometheus; empty without the database, as the process still reports the rest. */
export function createMeasures({ pool, nodes }: Pick<Database, 'pool' | 'nodes'>): () => Promise<string> {
  const registry = new Registry();
  const gauges = new Map(
    Object.entries(MEASURES).map(([name, { help, labels }]) => {
      const gauge = new Gauge({ name, help, labelNames: [...labels], registers: [registry] });
      // One without labels begins with 0, which nobody has measured.
      if (labels.length === 0) gauge.remove();
      return [name, { labels, gauge }];
    }),
  );
  return async () => {
    const { rows } = await pool
      .query<Row>('SELECT metric, label, other, value FROM svc_measure($1)', [nodes?.away() ?? []])
      .catch((): { rows: Row[] } => ({ rows: [] }));
    // Without labels there is one value, which stays while it cannot be read.
    for (const { labels, gauge } of gauges.values()) if (labels.length > 0) gauge.reset();
    for (const { metric, label, other, value } of rows) {
      const found = gauges.get(metric);
      const values = [label, other].flatMap((one) => one ?? []);
      found?.gauge.labels(...values).set(value);
    }
    return rows.length === 0 ? '' : registry.metrics();
  };
}
