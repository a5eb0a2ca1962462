import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Worker } from '../../src/jobs/worker.js';
import { integrationTypes } from '../../src/connectors/index.js';
import { packagePath } from '../../src/package-path.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { endsOf } from '../../src/runs/states.js';
import { type Receiver, startReceiver } from '../support/events.js';
import { collectLog } from '../support/log-lines.js';
import { startTestSandbox } from '../support/sandbox.js';
import { callerOf, startApp } from '../support/service.js';
import { freePort } from '../support/nginx.js';
import { startCommand } from '../support/process.js';
import { until } from '../support/until.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';

const NAME = 'Petty cash of nobody else';
const { log, lines, saying } = collectLog();
let app: App;
let sandbox: Sandbox;
let worker: Worker;
let writing: Writing;
let receiver: Receiver;
let webhookId: string;
/** The process's metrics before this file did anything: they count for as long as it lives. */
let before: string;

beforeAll(async () => {
  app = await startApp();
  sandbox = await startTestSandbox();
  writing = await createWriting(app, sandbox);
  receiver = await startReceiver();
  worker = await startWorker(sandbox, { ALLOW_PRIVATE_ADDRESSES: 'true' }, log);
});
afterAll(async () => {
  await worker.stop();
  await receiver.close();
  await app.close();
  await sandbox.stop();
});

const line = (message: string) => until(`"${message}" in the log`, () => saying(message)[0]);

/** Everything that ends leaves something to look at. */
beforeAll(async () => {
  before = await scrape();
  const { caller, companyId } = writing;
  const webhook = { name: 'hook', type: 'DATA_MODEL_CHANGES', url: receiver.url };
  webhookId = (await caller.post('/v3/core/webhooks', { webhook })).body.id;
  await writing.write('/v3/accounting/accounts', [{ name: NAME, nominal_code: '1099', category: 'ASSET' }]);
  await writing.write('/accounting/accounts', [{ name: 1 }]);
  await caller.post('/v3/core/syncs', {
    company_id: companyId,
    integration_type: 'SVC_SANDBOX',
    full_sync: false,
    data_models_to_sync: ['CURRENCIES'],
  });
});

test('a finished sync, write and delivery each leave a line without content', async () => {
  const { companyId, tenant } = writing;
  const common = { organisationId: tenant.organisationId };
  expect(await line('a write ended')).toMatchObject({
    ...common,
    companyId,
    integrationType: 'SVC_SANDBOX',
    dataModel: 'ACCOUNTS',
    operation: 'CREATE',
    state: 'SUCCESS',
    items: 1,
    good: 1,
  });
  expect(await line('event sent')).toMatchObject({
    ...common,
    webhookId,
    verdict: 'delivered',
    status: 204,
    ms: expect.any(Number),
  });

  expect(await line('a sync ended')).toMatchObject({
    ...common,
    companyId,
    integrationType: 'SVC_SANDBOX',
    state: 'SUCCESS',
    code: null,
    ms: expect.any(Number),
  });
  expect(JSON.stringify(lines)).not.toContain(NAME);
});

const scrape = async () => (await callerOf(app, null).get('/metrics')).text;

/** The value of a series; null where there is none. */
const valueOf = (text: string, series: string): number | null => {
  const found = text.split('\n').find((one) => one.startsWith(`${series} `));
  return found === undefined ? null : Number(found.slice(series.length + 1));
};

describe('metrics', () => {
  test('tell of syncs, writes, platform calls and deliveries', async () => {
    await Promise.all([line('a sync ended'), line('a write ended'), line('event sent')]);
    const text = await scrape();
    const since = (series: string) => (valueOf(text, series) ?? NaN) - (valueOf(before, series) ?? 0);
    expect(since('writes_ended_total{platform="SVC_SANDBOX",state="SUCCESS"}')).toBe(1);
    // All its items were refused before they were sent.
    expect(since('writes_ended_total{platform="SVC_SANDBOX",state="FAILED"}')).toBe(1);
    expect(since('syncs_ended_total{platform="SVC_SANDBOX",state="SUCCESS"}')).toBeGreaterThan(0);
    expect(since('platform_calls_total{platform="SVC_SANDBOX",outcome="ok"}')).toBeGreaterThan(0);
    expect(since('webhook_deliveries_total{outcome="delivered"}')).toBeGreaterThan(0);
  });

  test('count from zero on what has not happened yet, so that its first time is an increase', () => {
    // Any count: other files may have run in this process before.
    const series = integrationTypes.flatMap((platform) => [
      ...endsOf('sync').map((state) => `syncs_ended_total{platform="${platform}",state="${state}"}`),
      ...endsOf('upload').map((state) => `writes_ended_total{platform="${platform}",state="${state}"}`),
    ]);
    expect(series.filter((one) => valueOf(before, one) === null)).toEqual([]);
  });

  test.each(['jobs', 'requests'])('tell how many connections are open for %s', async (pool) => {
    await until('an open connection', async () => {
      // One that nobody uses is closed after a while.
      await writing.caller.get('/v3/accounting/accounts?limit=1');
      return Number(valueOf(await scrape(), `database_connections{pool="${pool}",state="open"}`)) > 0;
    });
  });

  test('tell what is in the database', async () => {
    await line('a sync ended');
    const text = await scrape();
    expect(valueOf(text, 'connections{platform="SVC_SANDBOX",status="HEALTHY"}')).toBe(1);
    expect(valueOf(text, 'webhooks{state="working"}')).toBe(1);
    expect(valueOf(text, 'change_position')).toBeGreaterThan(100);
    const left = valueOf(text, 'platform_budget_left{platform="SVC_SANDBOX",window="minute"}');
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(1);
    const lag = valueOf(text, 'sync_lag_seconds{platform="SVC_SANDBOX"}') ?? NaN;
    expect(lag).toBeGreaterThanOrEqual(0);
    expect(lag).toBeLessThan(600);
  });
});

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}
const page = (name: string) => packagePath(`docs/observability/${name}`);
const dashboard = JSON.parse(readFileSync(page('dashboard.json'), 'utf8')) as Dashboard;
const queries = dashboard.panels.flatMap(({ targets }) =>
  targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '1m')),
);
const alerts = readFileSync(page('alerts.yml'), 'utf8');

describe('the dashboard and the alert rules', () => {
  test('ask for metrics that there are', async () => {
    const known = [...(await scrape()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    );
    const asked = [...queries, alerts.replaceAll(/^ *(summary|description|- alert|- name):.*$/gm, '')]
      .join('\n')
      .match(/\b[a-z]+(_[a-z0-9]+)+\b(?! ?\()/g);
    const ours = new Set(asked?.filter((name) => !NO_METRICS.has(name)));
    expect(ours.size).toBeGreaterThan(20);
    expect([...ours].filter((name) => !known.includes(name))).toEqual([]);
  });

  const hasPrometheus = spawnSync('promtool', ['--version']).status === 0;
  const withPrometheus = hasPrometheus ? test : test.skip;

  withPrometheus('are accepted by promtool', () => {
    const { status, stderr } = spawnSync('promtool', ['check', 'rules', page('alerts.yml')], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  withPrometheus('are answered by a Prometheus that reads the service', async () => {
    await line('a sync ended');
    const folder = mkdtempSync(join(tmpdir(), 'svc-prometheus-'));
    const config = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [page('alerts.yml')],
      scrape_configs: [
        {
          job_name: 'unified-financial-data-service',
          static_configs: [{ targets: [new URL(app.url).host] }],
        },
      ],
    };
    // YAML is JSON, too.
    writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
    const url = `http://127.0.0.1:${await freePort()}`;
    const prometheus = startCommand('prometheus', [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=${new URL(url).host}`,
    ]);
    const ask = async (path: string, parameters: Record<string, string> = {}) => {
      const answer = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters).toString()}`);
      return ((await answer.json()) as any).data;
    };
    try {
      await until('two scrapes', async () => {
        const found = await ask('query', { query: 'count_over_time(change_position[1m])' }).catch(() => null);
        return Number(found?.result[0]?.value[1]) >= 2;
      });
      const results = await Promise.all(
        queries.map(async (query) => ({ query, length: (await ask('query', { query }))?.result?.length })),
      );
      const silent = results.filter(({ length }) => !(length > 0)).map(({ query }) => query);
      // What is under way, and replicas: of both there is nothing here.
      expect(
        silent.filter(
          (query) => !/\bjobs\b|syncs_open|sync_oldest_seconds|write_items_open|_replica_/.test(query),
        ),
      ).toEqual([]);
      const { groups } = await until('the rules', async () => {
        const rules = await ask('rules');
        return rules.groups[0]?.rules.every((rule: any) => rule.health === 'ok') ? rules : null;
      });
      expect(groups[0].rules).toHaveLength(alerts.match(/- alert:/g)?.length ?? 0);
      expect(groups[0].rules.filter((rule: any) => rule.state === 'firing')).toEqual([]);
    } finally {
      await prometheus.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** Words of PromQL that look like metrics. */
const NO_METRICS = new Set(['by', 'on', 'or', 'and']);
