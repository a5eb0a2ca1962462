import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { App } from '../../src/app.js';
import type { Worker } from '../../src/jobs/worker.js';
import { packagePath } from '../../src/package-path.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { inBrowser, launchBrowser, watch } from '../support/browser.js';
import { startTestSandbox } from '../support/sandbox.js';
import { startApp } from '../support/service.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';

const run = promisify(execFile);
const EXAMPLES = packagePath('client/examples');
const examples = readdirSync(EXAMPLES).filter((name) => /^\d/.test(name));

/** What each says when it worked. */
const SAYS: Readonly<Record<string, RegExp>> = {
  '01-companies.js': /SVC_SANDBOX \(HEALTHY\)/,
  '02-chart-of-accounts.js': /^1010 .*\n[^]*^5 of \d+ accounts$/m,
  '03-every-invoice.js': /^[1-9]\d* invoices are open, \d+\.\d\d is due$/m,
  '04-errors.js': /^404 not-found at svc_id: there is no such record \(request [\w-]{36}\)$/m,
  '05-graphql.js': /: HEALTHY\n[^]*^latest invoice .+: \d+.*, .+$/m,
  '06-plan-a-write.js': /^PLANNED planned POST \//m,
  '07-write-once.js': /^SUCCESS Example customer\nthe same write: true$/m,
  '08-follow-changes.js': /^[1-9]\d* changes, up to position \d+$/m,
  '09-webhook-receiver.js': /^verified: TEST\ndelivery: DELIVERED, 204$/m,
  '10-invite-a-customer.js': /^send this to Example Pty Ltd: http.*\nPENDING, 0 connections so far$/m,
};

let sandbox: Sandbox;
let app: App;
let worker: Worker;
let books: Writing;
let browser: Browser | null;

beforeAll(async () => {
  await run(process.execPath, [packagePath('scripts/client.js')]);
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url, ALLOW_PRIVATE_ADDRESSES: 'true' });
  worker = await startWorker(sandbox);
  books = await createWriting(app, sandbox);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await worker?.stop();
  await app?.close();
  await sandbox?.stop();
});

describe('client/examples', () => {
  test('are ten', () => {
    expect(examples).toEqual(Object.keys(SAYS));
  });

  test.each(examples)('%s works', async (name) => {
    const env = { ...process.env, SERVICE_URL: app.url, API_KEY: books.caller.key };
    const { stdout, stderr } = await run(process.execPath, [`${EXAMPLES}/${name}`], { env });
    expect(stderr).toBe('');
    expect(stdout).toMatch(SAYS[name] ?? /^$/);
  });

  test('are in docs/client.md', () => {
    const document = readFileSync(packagePath('docs/client.md'), 'utf8');
    for (const name of examples) expect(document).toContain(`(../client/examples/${name})`);
  });
});

inBrowser('works in a browser: reads, walks pages, verifies a webhook', async () => {
  const page = await (browser as Browser).newPage();
  const { problems } = watch(page);
  // The built package, from the service's own address: pages of others need CORS.
  await page.route('**/client/**', (route) => {
    const path = packagePath(
      `client/dist/${new URL(route.request().url()).pathname.replace(/^\/client\//, '')}`,
    );
    return route.fulfill({ contentType: 'text/javascript', body: readFileSync(path, 'utf8') });
  });
  await page.route('**/page', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>page</title>' }),
  );
  await page.goto(`${app.url}/page`);
  const found = await page.evaluate(
    async ([url, apiKey]) => {
      const { createClient, verifyWebhook, CompaniesDocument } = await import(`${url}/client/index.js`);
      const client = createClient({ url, apiKey });
      const names: string[] = [];
      for await (const one of client.list('/v3/accounting/contacts', {
        query: { limit: 1, contact_type: { eq: 'VENDOR' } },
      })) {
        names.push(one.name);
        if (names.length === 3) break;
      }
      const { companies } = await client.graphql(CompaniesDocument, {});
      const now = new Date();
      const secret = `whsec_${btoa('0123456789abcdef')}`;
      const time = String(Math.floor(now.getTime() / 1000));
      const bytes = new TextEncoder();
      const key = await crypto.subtle.importKey(
        'raw',
        bytes.encode('0123456789abcdef'),
        { name: 'HMAC', hash: 'SHA-256' },
        false,
        ['sign'],
      );
      const sign = await crypto.subtle.sign('HMAC', key, bytes.encode(`e1.${time}.{"type":"TEST"}`));
      const headers = {
        'webhook-id': 'e1',
        'webhook-timestamp': time,
        'webhook-signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(sign)))}`,
      };
      const event = await verifyWebhook({ headers, body: '{"type":"TEST"}' }, { secret });
      return { names, isThere: companies.nodes.length > 0, event };
    },
    [app.url, books.caller.key] as const,
  );
  expect(found).toEqual({
    names: [expect.any(String), expect.any(String), expect.any(String)],
    isThere: true,
    event: { id: 'e1', type: 'TEST' },
  });
  expect(problems).toEqual([]);
  await page.close();
});
