import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Worker } from '../../src/jobs/worker.js';
import { clientSecretPlace } from '../../src/platforms/client-credentials.js';
import { giveToken, type Heard, type OddPlatform, startOddPlatform } from '../support/platform.js';
import { admin } from '../support/admin.js';
import { collectLog } from '../support/log-lines.js';
import { testSecrets } from '../support/sandbox.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { until } from '../support/until.js';
import { startWorker } from '../support/writing.js';

const { log, saying } = collectLog();
let platform: OddPlatform;
let app: App;
let worker: Worker;
let acme: Tenant;
let caller: Caller;

beforeAll(async () => {
  platform = await startOddPlatform();
  app = await startApp({ SANDBOX_URL: platform.url });
  worker = await startWorker({ url: platform.url }, { WORKER_CONCURRENCY: '1' }, log);
  acme = await createShop('any');
  caller = await createCaller(app, acme.organisationId);
});
afterAll(async () => {
  await worker?.stop();
  await app?.close();
  await platform?.close();
});

/** A company whose connection calls the platform with this token. */
async function createShop(token: string): Promise<Tenant> {
  const tenant = await createTenant(app, `odd answers ${token}`);
  await giveToken(app, tenant, token);
  const { organisationId } = tenant;
  await app.database.client(tenant.scope).integration.create({
    data: {
      svcOrganisationId: BigInt(organisationId),
      integrationType: 'SVC_SANDBOX',
      clientId: 'an app',
      clientSecret: testSecrets.seal('its secret', clientSecretPlace('SVC_SANDBOX', organisationId)),
    },
  });
  return tenant;
}

interface Product {
  readonly Guid: string;
  readonly Title: string;
}
let products: Product[];
beforeEach(async () => {
  products = [];
  await admin.pool.query('UPDATE connections SET paused_until = NULL WHERE svc_id = $1', [acme.connectionId]);
});

function make({ method, body, url }: Heard): object {
  if (method === 'GET') return { Products: products.filter(({ Guid }) => url.includes(Guid)) };
  const given = JSON.parse(body) as Product;
  const made = { ...given, Guid: randomUUID(), State: 'open' };
  products.push(made);
  return { Products: [made] };
}

test.each([
  ['a NUL', `oops ${'\0'}`],
  ['half of a character where its words are cut', `${'x'.repeat(1999)}😀`],
])('an answer with %s delays no other item, and its own item is retried', async (_what, words) => {
  let refusals = 1;
  platform.answer((heard, response) => {
    const isBad = heard.method === 'POST' && heard.body.includes('"bad"') && (refusals -= 1) >= 0;
    if (isBad) response.writeHead(500, { 'content-type': 'text/html' }).end(words);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(make(heard)));
  });
  const items = ['good', 'bad', 'better', 'best'].map((name) => ({ name, code: name, type: 'SERVICE' }));
  const { body } = await caller.post('/accounting/items', { company_id: acme.companyId, data: items });
  expect(body.data.data.map((one: { status: string }) => one.status)).toEqual(items.map(() => 'success'));
  expect(products.map(({ Title }) => Title).sort()).toEqual(['bad', 'best', 'better', 'good']);
});

test('an item that is tried again leaves a line in the log, without the words of the platform', async () => {
  let faults = 2;
  platform.answer((heard, response) => {
    if (heard.method === 'POST' && (faults -= 1) >= 0) response.writeHead(500).end('secret words');
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(make(heard)));
  });
  const data = [1, 2, 3].map((one) => ({ name: `again ${one}`, code: `again ${one}`, type: 'SERVICE' }));
  const { body } = await caller.post('/accounting/items', { company_id: acme.companyId, data });
  const told = saying('a platform could not take a write: it is tried again').filter(
    ({ uploadId }) => uploadId === body.data.upload_job_id,
  );
  const { organisationId, companyId, connectionId } = acme;
  expect(told[0]).toMatchObject({
    level: 40,
    organisationId,
    companyId,
    connectionId,
    integrationType: 'SVC_SANDBOX',
  });
  expect(JSON.stringify(told)).not.toContain('secret words');
});

/** Until when the platform is left alone, in hours from now; null where it is not. */
async function pausedHours(): Promise<number | null> {
  const { rows } = await admin.pool.query(
    'SELECT EXTRACT(EPOCH FROM paused_until - now())::float8 / 3600 AS hours FROM connections WHERE svc_id = $1',
    [acme.connectionId],
  );
  return rows[0].hours;
}

test.each([
  ['seconds since 1970', () => String(Math.round(Date.now() / 1000) + 60)],
  ['milliseconds since 1970', () => String(Date.now() + 60_000)],
  ['more than any clock has', () => '9'.repeat(400)],
  ['a day of another century', () => 'Sat, 25 Nov 2126 12:00:00 GMT'],
])('waits at most a day for a requested pause of %s', async (_what, retryAfter) => {
  platform.answer((_heard, response) => {
    response.writeHead(429, { 'retry-after': retryAfter() }).end();
  });
  const data = [{ name: 'late', code: 'late', type: 'SERVICE' }];
  const { body } = await caller.post('/accounting/items', {
    company_id: acme.companyId,
    data,
    run_async: true,
  });
  const { upload_job_id: id } = body.data;
  await until('the pause', async () => (await pausedHours()) !== null);
  expect(await pausedHours()).toBeLessThanOrEqual(24);
  expect((await caller.get(`/v3/core/uploads/${id}`)).body.data.status).toBe('PENDING');
});

/** Writes of another company. */
async function createWriter(token: string) {
  const { organisationId, companyId } = await createShop(token);
  const own = await createCaller(app, organisationId);
  return {
    write: async (name: string): Promise<string> => {
      const data = [{ name, code: name, type: 'SERVICE' }];
      const wanted = { company_id: companyId, data, run_async: true };
      return (await own.post('/accounting/items', wanted)).body.data.upload_job_id;
    },
    untilWritten: async (uploadId: string) => {
      const ended = await until('the end of a write', async () => {
        const { body } = await own.get(`/v3/core/uploads/${uploadId}`);
        return body.data.status === 'PENDING' ? null : body.data;
      });
      expect(ended.status).toBe('SUCCESS');
    },
  };
}

test('an upload whose platform keeps asking for short pauses leaves its worker to others, and ends once it is taken', async () => {
  const [busy, free] = [await createWriter('busy'), await createWriter('free')];
  let refusals = 0;
  let isBusy = true;
  platform.answer((heard, response) => {
    if (isBusy && heard.headers.authorization?.endsWith('busy')) {
      refusals += 1;
      response.writeHead(429).end();
    } else {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(make(heard)));
    }
  });
  const uploadId = await busy.write('throttled');
  await until('a pause', async () => refusals > 0);
  await free.untilWritten(await free.write('free'));
  expect((await admin.prisma.upload.findFirstOrThrow({ where: { uploadId } })).state).toBe('SLEEPING');
  isBusy = false;
  await busy.untilWritten(uploadId);
  expect(products.map(({ Title }) => Title).sort()).toEqual(['free', 'throttled']);
});
