import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { packagePath } from '../../src/package-path.js';

const RULES = packagePath('docs/observability/alerts.yml');
const hasPrometheus = spawnSync('promtool', ['--version']).status === 0;
const withPrometheus = hasPrometheus ? test : test.skip;

/** Series, each a value a minute in the notation of promtool. */
type Series = Readonly<Record<string, string>>;

const count = (method: string, route: string, status: string): string =>
  `http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`;
/** So many reads a minute, none of which takes a second or less where they are slow. */
const reads = (route: string, perMinute: number, isSlow: boolean): Series =>
  Object.fromEntries(
    ['1', '5', '+Inf'].map((le) => [
      `http_request_duration_seconds_bucket{method="GET",route="${route}",status="200",le="${le}"}`,
      `0+${isSlow && le === '1' ? 0 : perMinute}x120`,
    ]),
  );
const UP = 'up{job="unified-financial-data-service",instance="a"}';
const PROBES: Series = {
  [count('GET', '/health/ready', '200')]: '0+30x120',
  [count('GET', '/metrics', '200')]: '0+4x120',
};

const FIRING: readonly [alert: string, when: string, series: Series][] = [
  ['ServiceDown', 'it does not answer', { [UP]: '0x120' }],
  ['DatabaseUnreachable', 'nobody measures', { [UP]: '1x120', webhook_failing_seconds: '0 0 stale' }],
  [
    'RequestErrors',
    '3 % fail',
    { [count('GET', '/a', '200')]: '0+97x120', [count('GET', '/a', '500')]: '0+3x120' },
  ],
  [
    'RequestErrors',
    'few callers beside probes all fail',
    { ...PROBES, [count('GET', '/a', '500')]: '0+0.2x120' },
  ],
  ['RequestsSlow', 'reads are slow', reads('/a', 10, true)],
  [
    'RequestsSlow',
    'few callers beside probes wait',
    { ...reads('/health/ready', 300, false), ...reads('/a', 2, true) },
  ],
  [
    'StatementsWait',
    'many wait',
    { 'database_connections{instance="a",pool="requests",state="waiting"}': '50x120' },
  ],
  ['ReplicaLeftOut', 'it is', { 'database_replica_used{replica="r"}': '0x120' }],
  ['JobsWait', 'many are due', { 'jobs{task="sync",state="due"}': '500x120' }],
  ['WritesStuck', 'one is old', { 'write_oldest_seconds{platform="P"}': '1000x120' }],
  ['WritesUncertain', 'an item is', { 'write_items_open{platform="P",state="UNCERTAIN"}': '1x120' }],
  ['SyncsLate', 'one is', { 'sync_lag_seconds{platform="P"}': '200000x120' }],
  [
    'SyncsFail',
    'all of a night fail at once',
    {
      'syncs_ended_total{platform="P",state="SUCCESS"}': '40x120',
      'syncs_ended_total{platform="P",state="FAILED"}': '0x60 20x60',
    },
  ],
  ['WorkGivenUp', 'a sync is', { 'work_given_up{kind="sync"}': '1x120' }],
  [
    'PlatformFails',
    'half of the calls fail',
    {
      'platform_calls_total{platform="P",outcome="ok"}': '0+3x120',
      'platform_calls_total{platform="P",outcome="failed"}': '0+3x120',
    },
  ],
  ['PlatformBudgetLow', 'it is', { 'platform_budget_left{platform="P",window="day"}': '0.05x120' }],
  ['ConnectionsExpired', 'one is', { 'connections{platform="P",status="EXPIRED"}': '1x120' }],
  ['WebhookReceiverFails', 'it does', { webhook_failing_seconds: '4000x120' }],
  ['WebhooksLag', 'one is behind', { webhook_failing_seconds: '0x120', webhook_lag_positions: '20000x120' }],
  ['EventLoopBlocked', 'it is', { 'nodejs_eventloop_lag_p99_seconds{instance="a"}': '0.9x120' }],
];

const AT_REST: Series = {
  [UP]: '1x120',
  change_position: '5x120',
  ...PROBES,
  [count('GET', '/a', '200')]: '0+60x120',
  [count('GET', '/a', '404')]: '0+60x120',
  ...reads('/a', 10, false),
  // An event stream and an export last as long as their reader wants.
  ...reads('/v3/core/changes', 10, true),
  ...reads('/v3/core/export', 10, true),
  'database_connections{instance="a",pool="requests",state="waiting"}': '0x120',
  'jobs{task="sync",state="later"}': '500x120',
  'write_items_open{platform="P",state="PENDING"}': '500x120',
  'sync_lag_seconds{platform="P"}': '86400x120',
  'syncs_ended_total{platform="P",state="SUCCESS"}': '0+1x120',
  'syncs_ended_total{platform="P",state="FAILED"}': '0x120',
  'work_given_up{kind="sync"}': '0x120',
  'platform_calls_total{platform="P",outcome="ok"}': '0+3x120',
  'platform_budget_left{platform="P",window="minute"}': '0x120',
  'connections{platform="P",status="HEALTHY"}': '9x120',
  // Ended by the company or through the API: nothing is left to do.
  'connections{platform="P",status="DISCONNECTED"}': '2x120',
  webhook_failing_seconds: '0x120',
  webhook_lag_positions: '10x120',
};

/** Complaints of promtool: what fires an hour and a half later is only, or all of, what should. */
function complaints(name: string, series: Series, expr: string, firing: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-alerts-'));
  try {
    const file = join(folder, 'test.yml');
    const sample = { labels: '{}', value: firing };
    const one = {
      name,
      interval: '1m',
      input_series: Object.entries(series).map(([key, values]) => ({ series: key, values })),
      promql_expr_test: [{ expr, eval_time: '90m', exp_samples: [sample] }],
    };
    // YAML is JSON, too.
    writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests: [one] }));
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
    return status === 0 ? '' : stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
const firingOf = (labels: string): string => `count(ALERTS{alertstate="firing"${labels}}) or vector(0)`;

withPrometheus.each(FIRING)('%s fires when %s', (alert, when, series) => {
  expect(complaints(when, series, firingOf(`,alertname="${alert}"`), 1)).toBe('');
});

withPrometheus('each alert is among these', () => {
  const alerts = [...readFileSync(RULES, 'utf8').matchAll(/- alert: (\S+)/g)].map(([, name]) => name);
  expect([...new Set(FIRING.map(([alert]) => alert))]).toEqual(alerts);
});

withPrometheus('none fires at rest', () => {
  expect(complaints('at rest', AT_REST, firingOf(''), 0)).toBe('');
});
