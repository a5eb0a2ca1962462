import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import type { Ended, Running } from '../support/process.js';
import { control, startTestSandbox } from '../support/sandbox.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { startApp, TEST_SECRET_KEY, testDatabaseUrl } from '../support/service.js';
import { Folders, start } from './commands.js';
import { admin } from '../support/admin.js';
import { until } from '../support/until.js';
import { startWorker } from '../support/writing.js';

const ACCOUNT = `pull-${process.pid}`;

const folders = new Folders();
let app: App;
let sandbox: Sandbox;
let acme: Tenant;
let organisation: string;
let accessToken: string;

beforeAll(async () => {
  app = await startApp();
  sandbox = await startTestSandbox();
  acme = await createTenant(app, 'pull');
  const row = await admin.prisma.organisation.findUniqueOrThrow({
    where: { svcId: BigInt(acme.organisationId) },
  });
  organisation = row.name;
  await sandbox.createCompany({
    id: ACCOUNT,
    name: 'Pulled',
    platforms: ['payments'],
    seed: 7,
    trade: 'furniture',
    records: 5,
  });
  const tokens = await control(sandbox, 'POST', '/tokens', { platform: 'payments', account: ACCOUNT });
  accessToken = tokens.access_token;
});
afterAll(async () => {
  folders.remove();
  await sandbox.stop();
  await app.close();
});

const startPull = (company: string, options: Readonly<Record<string, string>>): Running => {
  const given = { integration: 'SVC_SANDBOX', account: ACCOUNT, organisation, company, ...options };
  const args = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
  const settings = { DATABASE_URL: testDatabaseUrl(), SECRET_KEYS: TEST_SECRET_KEY, LOG_LEVEL: 'silent' };
  return start('dist/cli/pull.js', args, settings, folders.make());
};
const pull = (company: string, options: Readonly<Record<string, string>>): Promise<Ended> =>
  startPull(company, options).ended;
const companyNamed = (name: string) =>
  admin.prisma.company.findFirst({
    where: { name, svcOrganisationId: BigInt(acme.organisationId) },
    include: { connections: { include: { syncs: { include: { jobs: true } } } } },
  });

test('is a full sync of the category that is named', async () => {
  const token = { category: 'PAYMENTS', 'base-url': sandbox.url, 'access-token': accessToken };
  const { code, stdout, stderr } = await pull('Pulled', token);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /Made the company Pulled \(svc_company_id \d+\)\n\d+ records read, \d+ of them stored/,
  );
  const [connection] = (await companyNamed('Pulled'))?.connections ?? [];
  expect(connection).toMatchObject({ category: 'PAYMENTS', status: 'HEALTHY', syncStatus: 'IDLE' });
  expect(connection?.syncs).toMatchObject([{ state: 'SUCCESS', fullSync: true }]);
  const [sync] = connection?.syncs ?? [];
  expect(sync?.jobs.some(({ created }) => created > 0)).toBe(true);
  const again = await pull('Pulled', token);
  expect(again.stdout).toMatch(/Company Pulled .*\nNothing changed: all \d+ records were here already/);
});

test.each([
  ['is nobody at the address', { 'base-url': 'http://127.0.0.1:9' }],
  ['is a token that the platform refuses', {}],
])('leaves no company behind where there %s', async (_what, options) => {
  const { code, stdout } = await pull('Nobody', {
    category: 'PAYMENTS',
    'base-url': sandbox.url,
    'access-token': 'wrong',
    ...options,
  });
  expect([code, stdout.includes('no company was made')]).toEqual([1, true]);
  expect(await companyNamed('Nobody')).toBeNull();
});

test('says of a company that was there that nothing could be read of it', async () => {
  const { companyId } = await acme.company('There before');
  const place = { category: 'PAYMENTS', 'base-url': 'http://127.0.0.1:1', 'access-token': 'x' };
  const { code, stdout } = await pull('There before', place);
  expect(code).toBe(1);
  expect(stdout).toContain('Nothing could be read: the company is as it was.\n');
  const left = await admin.prisma.connection.findMany({ where: { svcCompanyId: BigInt(companyId) } });
  expect(left.map(({ category }) => category)).toEqual(['ACCOUNTING']);
});

test('says which categories there are where none is named', async () => {
  const { code, stderr } = await pull('Nobody', {});
  expect([code, stderr]).toEqual([1, expect.stringContaining('ACCOUNTING, PAYMENTS, ECOMMERCE')]);
  expect(await companyNamed('Nobody')).toBeNull();
});

test.each(['SIGINT', 'SIGKILL'] as const)('leaves no sync that seems to run on after %s', async (signal) => {
  const gate = await startGate(sandbox.url);
  const company = `Ended by ${signal}`;
  const syncOf = async () => (await companyNamed(company))?.connections[0]?.syncs[0];
  const options = { category: 'PAYMENTS', 'base-url': gate.url, 'access-token': accessToken };
  const running = startPull(company, options);
  await until('a call that is held up', () => gate.held() > 0);
  await running.stop(signal);
  await gate.close();
  expect(await syncOf()).toMatchObject({ state: 'RUNNING' });

  // The time at which a worker takes it over has come.
  await admin.pool.query(
    "SELECT graphile_worker.reschedule_jobs(array_agg(id), now()) FROM graphile_worker.jobs WHERE key LIKE 'sync:%'",
  );
  const worker = await startWorker(sandbox);
  const hasEnded = async () => (await syncOf())?.state === 'FAILED';
  try {
    await until('the end of its sync', hasEnded);
  } finally {
    await worker.stop();
  }
  expect((await syncOf())?.errorMessage).toBe(
    'there are no credentials for SVC_SANDBOX yet: add the integration',
  );
});

/** A platform's address that passes the first call on and holds up the others. */
interface Gate {
  readonly url: string;
  held(): number;
  close(): Promise<unknown>;
}

async function startGate(target: string): Promise<Gate> {
  let calls = 0;
  const server = createServer((request, response) => {
    if (++calls > 1) return;
    const { authorization = '' } = request.headers;
    fetch(new URL(request.url ?? '', target), { headers: { authorization } })
      .then(async (answer) => {
        const contentType = answer.headers.get('content-type') ?? '';
        response.writeHead(answer.status, { 'content-type': contentType }).end(await answer.text());
      })
      .catch((error: Error) => response.destroy(error));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    held: () => calls - 1,
    close: () => {
      server.closeAllConnections();
      return once(server.close(), 'close');
    },
  };
}
