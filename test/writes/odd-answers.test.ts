import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Worker } from '../../src/jobs/worker.js';
import { clientSecretPlace } from '../../src/platforms/client-credentials.js';
import { giveToken, type Heard, type OddPlatform, startOddPlatform } from '../support/platform.js';
import { testSecrets } from '../support/sandbox.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { startWorker } from '../support/writing.js';

let platform: OddPlatform;
let app: App;
let worker: Worker;
let acme: Tenant;
let caller: Caller;

beforeAll(async () => {
  platform = await startOddPlatform();
  app = await startApp({ SANDBOX_URL: platform.url });
  worker = await startWorker({ url: platform.url });
  acme = await createTenant(app, 'odd answers');
  await giveToken(app, acme, 'any');
  caller = await createCaller(app, acme.organisationId);
  await app.database.client(acme.scope).integration.create({
    data: {
      svcOrganisationId: BigInt(acme.organisationId),
      integrationType: 'SVC_SANDBOX',
      clientId: 'an app',
      clientSecret: testSecrets.seal('its secret', clientSecretPlace('SVC_SANDBOX', acme.organisationId)),
    },
  });
});
afterAll(async () => {
  await worker?.stop();
  await app?.close();
  await platform?.close();
});

interface Product {
  readonly Guid: string;
  readonly Title: string;
}
let products: Product[];
beforeEach(() => {
  products = [];
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
])('an answer with %s keeps no other item out, and its own item is tried again', async (_what, words) => {
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
