import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { isAlive } from '../../src/db/embedded/processes.js';
import { migrate, migrationNames, migrationStatus } from '../../src/db/migrations/index.js';
import { migrateJobs } from '../../src/jobs/migrate-jobs.js';
import { refuseOtherKeys } from '../../src/operations/secrets/rotate-secrets.js';
import { packagePath } from '../../src/package-path.js';
import { createSecretBox } from '../../src/secrets/secret-box.js';
import { createEmptyDatabase } from '../support/database.js';
import { freePort } from '../support/nginx.js';
import { type Running, startProcess } from '../support/process.js';
import { until } from '../support/until.js';
import { gatewaysOf, keyIn, READY, runService, urlIn } from './running.js';

/** The service as `npm start` runs it, with a data folder of its own. */
const folder = mkdtempSync(join(tmpdir(), 'svc-start-'));
const dataDir = join(folder, 'data');

const run = (settings?: Readonly<Record<string, string>>) => runService({ folder, dataDir }, settings);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const metricsUrlIn = (output: string) => /Health, metrics (http:\S+)/.exec(output)?.[1] ?? '';

/** How often a route was answered with 200, by the metrics at an address. */
async function requestsIn(metricsUrl: string, route: string): Promise<number> {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  const series = `http_request_duration_seconds_count{method="GET",route="${route}",status="200"} `;
  return Number(text.split(series)[1]?.split('\n')[0] ?? 0);
}

describe('npm start', () => {
  let current: { readonly service: Running; readonly settings: string } | null = null;
  let key: string;

  /** The service with these settings on the data folder: the one that runs already, where they are its own. */
  async function serve(settings: Readonly<Record<string, string>> = {}): Promise<Running> {
    const wanted = JSON.stringify(settings);
    if (current?.settings === wanted) return current.service;
    await stop();
    const service = run(settings);
    current = { service, settings: wanted };
    await service.says(READY);
    return service;
  }
  async function stop(signal?: NodeJS.Signals): Promise<number | null | undefined> {
    const stopping = current?.service.stop(signal);
    current = null;
    return (await stopping)?.code;
  }

  beforeAll(async () => {
    key = keyIn((await serve()).output());
  });

  test('prints the address, a demo key, the playground and a first request that works', async () => {
    const output = (await serve()).output();
    const url = urlIn(output);
    expect(output).toContain(`Playground     ${url}/graphql`);
    expect(output).not.toContain('Waiting up to');
    expect(output).toContain(`curl -g -H 'api_key: ${key}' '${url}/v3/accounting/accounts?limit=2'`);
    const answer = await fetch(`${url}/v3/accounting/accounts?limit=2`, { headers: { api_key: key } });
    const body = (await answer.json()) as { data: unknown[] };
    expect({ status: answer.status, records: body.data.length }).toEqual({ status: 200, records: 2 });
  });

  test('shows the key as a bearer token where a proxy may drop the header api_key', async () => {
    const PUBLIC_URL = 'https://data.example.com';
    expect((await serve({ PUBLIC_URL })).output()).toContain(
      `curl -g -H 'Authorization: Bearer ${key}' '${PUBLIC_URL}/v3/accounting/accounts?limit=2'`,
    );
  });

  test('refuses a data folder that another start holds', async () => {
    await serve();
    const second = run();
    expect((await second.ended).code).toBe(1);
    expect(second.output()).toContain(`another start of the service is using ${dataDir}`);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'stops cleanly on %s, its database too, and keeps data and key for the next start',
    async (signal) => {
      await serve();
      const postmaster = Number(readFileSync(join(dataDir, 'pg', 'postmaster.pid'), 'utf8').split('\n')[0]);
      expect(isAlive(postmaster)).toBe(true);
      expect(await stop(signal)).toBe(0);
      expect(isAlive(postmaster)).toBe(false);
      const output = (await serve()).output();
      expect(keyIn(output)).toBe(key);
      const answer = await fetch(`${urlIn(output)}/graphql`, {
        method: 'POST',
        headers: { api_key: key, 'content-type': 'application/json' },
        body: '{"query":"{ companies { totalCount } accounts { totalCount } }"}',
      });
      expect(await answer.json()).toEqual({
        data: { companies: { totalCount: 7 }, accounts: { totalCount: 74 } },
      });
    },
  );

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'stops cleanly on %s that arrives twice, as Ctrl-C does through npm',
    async (signal) => {
      const service = await serve();
      const postmaster = Number(readFileSync(join(dataDir, 'pg', 'postmaster.pid'), 'utf8').split('\n')[0]);
      // To all processes of the group, the database's among them.
      void service.stop(signal);
      await service.says(`${signal}: stopping`);
      expect((await service.stop(signal)).code).toBe(0);
      current = null;
      expect(isAlive(postmaster)).toBe(false);
    },
  );

  test('stops cleanly, its database too, once its terminal has closed', async () => {
    const { process: started } = await serve();
    const postmaster = Number(readFileSync(join(dataDir, 'pg', 'postmaster.pid'), 'utf8').split('\n')[0]);
    started.stdout?.destroy();
    started.stderr?.destroy();
    expect(await stop('SIGHUP')).toBe(0);
    expect(isAlive(postmaster)).toBe(false);
  });

  test('says on SIGTERM that it is not ready while it takes requests, and then ends', async () => {
    const service = await serve({ DRAIN_SECONDS: '3' });
    const url = urlIn(service.output());
    const status = async (path: string) => (await fetch(url + path, { headers: { api_key: key } })).status;
    expect(await status('/health/ready')).toBe(200);
    service.process.kill('SIGTERM');
    await until('readiness to say 503', async () => (await status('/health/ready')) === 503);
    expect(await status('/v3/accounting/accounts?limit=1')).toBe(200);
    expect((await service.ended).code).toBe(0);
    current = null;
  });

  test('takes a fixed demo key, which opens the demo organisation', async () => {
    const fixed = 'a-fixed-key-for-the-demo-organisation';
    const output = (await serve({ DEMO_API_KEY: fixed })).output();
    expect(keyIn(output)).toBe(fixed);
    const answer = await fetch(`${urlIn(output)}/v3/ecommerce/transactions`, { headers: { api_key: fixed } });
    expect(answer.status).toBe(200);
  });

  test('answers from several processes with WORKERS; one that dies is replaced, and all end together', async () => {
    const several = await serve({ WORKERS: '2', METRICS_ADDRESS: '0' });
    const output = several.output();
    const url = urlIn(output);
    const ask = async () => {
      const headers = { api_key: keyIn(output), connection: 'close' };
      return (await fetch(`${url}/v3/accounting/accounts?limit=1`, { headers })).status;
    };
    expect(await Promise.all([ask(), ask(), ask(), ask()])).toEqual([200, 200, 200, 200]);
    // Of all processes together, whichever of them answered.
    const asked = () => requestsIn(metricsUrlIn(output), '/v3/accounting/accounts');
    await until('the metrics of both', async () => (await asked()) === 4);
    expect((await fetch(`${metricsUrlIn(output)}/health/ready`)).status).toBe(200);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    const before = gatewaysOf(several);
    expect(before).toHaveLength(2);
    process.kill(before[0] ?? 0, 'SIGKILL');
    await several.says('a gateway process ended');
    // The other one answers meanwhile.
    expect(await ask()).toBe(200);
    await until('another gateway process', () => gatewaysOf(several).length === 2);
    const after = gatewaysOf(several);
    expect(await stop()).toBe(0);
    expect(after.filter(isAlive)).toEqual([]);
  });

  test('tells of all processes at its own address, too, with WORKERS', async () => {
    const output = (await serve({ WORKERS: '2' })).output();
    const url = urlIn(output);
    const headers = { api_key: keyIn(output), connection: 'close' };
    const ask = () => fetch(`${url}/v3/accounting/items?limit=1`, { headers });
    await Promise.all([ask(), ask(), ask(), ask(), ask(), ask()]);
    await until('the metrics of both', async () => (await requestsIn(url, '/v3/accounting/items')) === 6);
  });

  test('reads a .env file; what the environment says wins', async () => {
    writeFileSync(join(folder, '.env'), 'DEMO_API_KEY=from-the-env-file-0123456789\nLOG_LEVEL=nonsense\n');
    try {
      const output = (await serve({ LOG_LEVEL: 'warn' })).output();
      expect(keyIn(output)).toBe('from-the-env-file-0123456789');
    } finally {
      rmSync(join(folder, '.env'));
    }
  });
});

test('two first starts on one empty database load the demo once, and both serve it', async () => {
  const settings = {
    DATABASE_URL: await createEmptyDatabase(),
    SECRET_KEYS: randomBytes(32).toString('base64'),
    DEMO_DATA: 'true',
    DEMO_API_KEY: 'one-key-for-both-of-two-first-starts',
  };
  const both = ['one', 'two'].map((name) => run({ ...settings, DATA_DIR: join(folder, name) }));
  const outputs = await Promise.all(both.map((service) => service.says(READY)));
  for (const output of outputs) {
    const answer = await fetch(`${urlIn(output)}/graphql`, {
      method: 'POST',
      headers: { api_key: settings.DEMO_API_KEY, 'content-type': 'application/json' },
      body: '{"query":"{ companies { totalCount } accounts { totalCount } }"}',
    });
    expect(await answer.json()).toEqual({
      data: { companies: { totalCount: 7 }, accounts: { totalCount: 74 } },
    });
  }
  for (const service of both) expect((await service.stop()).code).toBe(0);
});

test.each(['SIGINT', 'SIGTERM'] as const)('stops on %s while it waits for a database', async (signal) => {
  const port = await freePort();
  const service = run({
    DATABASE_URL: `postgresql://u@127.0.0.1:${port}/svc`,
    DATABASE_WAIT_SECONDS: '3600',
  });
  await service.says('Waiting up to');
  expect(await service.stop(signal)).toMatchObject({ code: 0, stderr: '' });
});

describe('npm start says in one message what is wrong and exits with 1', () => {
  let taken: Server;
  let port: number;
  beforeAll(async () => {
    taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    port = (taken.address() as { port: number }).port;
  });
  afterAll(() => void taken.close());

  const other = join(folder, 'other');
  test.each([
    [
      'bad settings, all at once',
      { PORT: 'x', LOG_LEVEL: 'loud', LIMIT_TAKE: '0' },
      /PORT must be.*\n.*LOG_LEVEL must be|LIMIT_TAKE must be/,
    ],
    [
      'a DATABASE_URL where nothing listens',
      { DATABASE_URL: 'postgresql://u:hidden@127.0.0.1:9/svc', DATABASE_WAIT_SECONDS: '0' },
      /DATABASE_URL: cannot use svc at 127\.0\.0\.1:9: .*ECONNREFUSED/,
    ],
  ])('%s', async (_title, settings, message) => {
    const started = run({ DATA_DIR: other, ...settings });
    expect((await started.ended).code).toBe(1);
    expect(started.output()).toMatch(message);
    expect(started.output()).not.toContain('hidden');
    expect(started.output()).not.toContain('    at ');
  });

  test('an argument, such as a port meant for PORT', async () => {
    const started = startProcess([packagePath('dist/main.js'), '--port', '5000'], {
      env: { ...process.env, DATABASE_URL: '', PORT: String(port), DATA_DIR: other },
      cwd: folder,
    });
    expect((await started.ended).code).toBe(1);
    expect(started.output()).toBe(
      'npm start does not accept the argument --port: settings are environment variables, such as PORT=5000 npm start\n',
    );
  });

  test('other keys than the database was used with, before it is migrated', async () => {
    const url = await createEmptyDatabase();
    const names = migrationNames().slice(0, -1);
    await migrate(url, { names });
    await migrateJobs(url);
    const owner = new pg.Pool({ connectionString: url, max: 1 });
    try {
      await refuseOtherKeys(owner, createSecretBox([randomBytes(32)]));
    } finally {
      await owner.end();
    }
    const started = run({
      DATA_DIR: other,
      DATABASE_URL: url,
      SECRET_KEYS: randomBytes(32).toString('base64'),
    });
    expect((await started.ended).code).toBe(1);
    expect(started.output()).toContain('SECRET_KEYS do not match this database');
    // The build that runs, with the right keys, can still be started.
    expect((await migrationStatus(url)).pending).toEqual(migrationNames().slice(-1));
  });

  test('a port in use, and leaves no database behind', async () => {
    const started = run({ DATA_DIR: other, PORT: String(port) });
    expect((await started.ended).code).toBe(1);
    expect(started.output()).toContain(
      `port ${port} is in use at 127.0.0.1: stop what runs there, or set PORT`,
    );
    expect(() => readFileSync(join(other, 'pg', 'postmaster.pid'))).toThrow();
  });

  test.each(['all', 'worker'])('a port of metrics in use, before ROLE=%s begins', async (ROLE) => {
    const started = run({ DATA_DIR: other, METRICS_ADDRESS: String(port), ROLE });
    expect((await started.ended).code).toBe(1);
    expect(started.output()).toContain(
      `port ${port} is in use at 127.0.0.1: stop what runs there, or set METRICS_ADDRESS`,
    );
    expect(() => readFileSync(join(other, 'pg', 'postmaster.pid'))).toThrow();
  });

  test('one port for requests and for metrics', async () => {
    const taken = await freePort();
    const started = run({ DATA_DIR: other, PORT: String(taken), METRICS_ADDRESS: String(taken) });
    expect((await started.ended).code).toBe(1);
    expect(started.output()).toContain(`port ${taken} is in use at 127.0.0.1`);
    expect(started.output()).toContain('set METRICS_ADDRESS');
  });

  test('a data folder made by another PostgreSQL version', async () => {
    const old = join(folder, 'old');
    mkdirSync(join(old, 'pg'), { recursive: true });
    writeFileSync(join(old, 'pg', 'PG_VERSION'), '14\n');
    const started = run({ DATA_DIR: old });
    expect((await started.ended).code).toBe(1);
    expect(started.output()).toMatch(/14/);
    expect(started.output()).toContain('DATA_DIR');
  });
});
