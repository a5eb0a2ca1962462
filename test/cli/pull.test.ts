import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import type { Ended } from '../support/process.js';
import { control, startTestSandbox } from '../support/sandbox.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { startApp, TEST_SECRET_KEY, testDatabaseUrl } from '../support/service.js';
import { Folders, start } from './commands.js';
import { admin } from '../support/admin.js';

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

const pull = (company: string, options: Readonly<Record<string, string>>): Promise<Ended> => {
  const given = { integration: 'SVC_SANDBOX', account: ACCOUNT, organisation, company, ...options };
  const args = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
  const settings = { DATABASE_URL: testDatabaseUrl(), SECRET_KEYS: TEST_SECRET_KEY, LOG_LEVEL: 'silent' };
  return start('dist/cli/pull.js', args, settings, folders.make()).ended;
};
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

test('says which categories there are where none is named', async () => {
  const { code, stderr } = await pull('Nobody', {});
  expect([code, stderr]).toEqual([1, expect.stringContaining('ACCOUNTING, PAYMENTS, ECOMMERCE')]);
  expect(await companyNamed('Nobody')).toBeNull();
});
