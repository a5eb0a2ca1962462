import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdirSync, readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import type { TraceSettings } from '../../src/config/observability.js';
import { integrationTypes } from '../../src/connectors/index.js';
import type { Worker } from '../../src/jobs/worker.js';
import { startTracing } from '../../src/telemetry/otel.js';
import { packagePath } from '../../src/package-path.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { startReceiver } from '../support/events.js';
import { collectLog } from '../support/log-lines.js';
import { createSandboxTenant, engineOf, type SandboxTenant, startTestSandbox } from '../support/sandbox.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { until } from '../support/until.js';
import { startWorker } from '../support/writing.js';

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CLIENT = 'b7ad6b7169203331';
const CANARY = 'canary-of-a-filter';
const { log, saying } = collectLog();

let collector: Server;
/** Between the worker and the sandbox platforms. */
let proxy: Server;
let sandbox: Sandbox;
let app: App;
let worker: Worker;
let tenant: SandboxTenant;
let caller: Caller & { readonly key: string };
let stopTracing: () => Promise<void>;
let settings: TraceSettings;
const spans: SentSpan[] = [];
const resources: unknown[] = [];
const collected: IncomingMessage['headers'][] = [];
const forwarded: IncomingMessage['headers'][] = [];

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  const collect = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = JSON.parse((await buffer(request)).toString());
    if (request.url !== '/v1/traces') return void response.writeHead(404).end();
    collected.push(request.headers);
    for (const { resource, scopeSpans } of body.resourceSpans) {
      resources.push(resource);
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  collector = createServer((request, response) => void collect(request, response));
  sandbox = await startTestSandbox();
  proxy = createServer((request, response) => {
    forwarded.push(request.headers);
    const { method = 'GET', url = '/', headers } = request;
    const further = httpRequest(sandbox.url + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(further);
  });
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: await listen(collector),
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=for-the-collector',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_SERVICE_NAME: 'books',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_EXPORTER_OTLP_TIMEOUT: '500',
  };
  Object.assign(process.env, environment);
  const { traces } = readConfig(environment, integrationTypes);
  if (!traces) throw new Error('nothing is traced');
  settings = traces;
  app = await startApp({ SANDBOX_URL: sandbox.url }, { log });
  tenant = await createSandboxTenant(engineOf(app, sandbox.url), sandbox, { records: 50 });
  caller = await createCaller(app, tenant.organisationId);
  stopTracing = startTracing(settings);
  worker = await startWorker({ ...sandbox, url: await listen(proxy) });
});
afterAll(async () => {
  await worker.stop();
  await app.close();
  // The worker process that runs this file runs others after it.
  await stopTracing();
  await sandbox.stop();
  proxy.closeAllConnections();
  proxy.close();
  collector.close();
});

const attributesOf = ({ attributes }: SentSpan): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
const sent = (what: string, fits: (span: SentSpan) => boolean): Promise<SentSpan> =>
  until(what, () => spans.find(fits));

async function ask(path: string, init: RequestInit = {}, trace = TRACE): Promise<Response> {
  const headers = {
    api_key: caller.key,
    'content-type': 'application/json',
    traceparent: `00-${trace}-${CLIENT}-01`,
  };
  return fetch(app.url + path, { ...init, headers });
}

describe('a request', () => {
  test('of GraphQL is a span below that of its client, above that of its operation and its statements', async () => {
    const query = `query Books { accounts(first: 1, filter: { name: { eq: "${CANARY}" } }) { nodes { id } } }`;
    const trace = TRACE.replace('0a', '4e');
    const answer = await ask('/graphql', { method: 'POST', body: JSON.stringify({ query }) }, trace);
    expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
    const server = await sent('the request', ({ traceId, kind }) => traceId === trace && kind === 2);
    expect(server).toMatchObject({ name: 'POST /graphql', parentSpanId: CLIENT });
    expect(attributesOf(server)).toMatchObject({
      'http.route': '/graphql',
      'http.response.status_code': 200,
      'svc.organisation_id': tenant.organisationId,
    });
    const operation = await sent('the operation', ({ name }) => name === 'query Books');
    expect(operation).toMatchObject({ traceId: trace, parentSpanId: server.spanId });
    const statement = await sent(
      'the statement',
      (one) =>
        one.traceId === trace &&
        one.name === 'SELECT' &&
        /FROM accounts/.test(String(attributesOf(one)['db.query.text'])),
    );
    expect(statement).toMatchObject({ parentSpanId: operation.spanId, kind: 3 });
    expect(attributesOf(statement)['db.system.name']).toBe('postgresql');
  });

  test('of REST has its route and not its address, and its trace in its line of the log', async () => {
    const trace = TRACE.replace('0a', '1b');
    const answer = await ask(`/v3/accounting/accounts/7?select=raw_data`, {}, trace);
    expect(answer.status).toBe(404);
    const server = await sent('the request', ({ traceId, kind }) => traceId === trace && kind === 2);
    expect(server).toMatchObject({ name: 'GET /v3/accounting/accounts/:svc_id', parentSpanId: CLIENT });
    await sent('its operation', (one) => one.traceId === trace && one.parentSpanId === server.spanId);
    const line = await until('its line', () =>
      saying('request').find(({ requestId }) => requestId === answer.headers.get('x-request-id')),
    );
    expect(line['traceId']).toBe(trace);
  });

  test('keeps its trace while others wait for their turn beside it', async () => {
    const traces = Array.from({ length: 30 }, (_, index) => (index + 1).toString(16).padStart(32, 'c'));
    const answers = await Promise.all(traces.map((trace) => ask('/v3/accounting/accounts', {}, trace)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    for (const trace of traces) {
      const server = await sent('the request', ({ traceId, kind }) => traceId === trace && kind === 2);
      const operation = await sent('its operation', ({ parentSpanId }) => parentSpanId === server.spanId);
      const statement = await sent('its statement', ({ parentSpanId }) => parentSpanId === operation.spanId);
      expect([operation.traceId, statement.traceId]).toEqual([trace, trace]);
    }
  });
});

test('a job is linked to the request that caused it, and platforms get the context of each call', async () => {
  await tenant.connect('ACCOUNTING');
  const trace = TRACE.replace('0a', '2c');
  const body = JSON.stringify({
    company_id: tenant.companyId,
    integration_type: 'SVC_SANDBOX',
    full_sync: true,
    data_models_to_sync: ['CURRENCIES'],
  });
  const answer = await ask('/v3/core/syncs', { method: 'POST', body }, trace);
  expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
  const job = await sent(
    'the job',
    ({ name, links }) => name === 'job sync' && links?.[0]?.traceId === trace,
  );
  expect(job.traceId).not.toBe(trace);
  await sent('what the job was added in', ({ spanId }) => spanId === job.links?.[0]?.spanId);
  const call = await sent(
    'a call of the platform',
    ({ traceId, name, kind }) => traceId === job.traceId && kind === 3 && /^GET /.test(name),
  );
  expect(attributesOf(call)).toMatchObject({
    'server.address': '127.0.0.1',
    'http.response.status_code': 200,
  });
  expect(forwarded.map(({ traceparent }) => traceparent)).toContain(`00-${call.traceId}-${call.spanId}-01`);
  let above: SentSpan | undefined = call;
  while (above && above.spanId !== job.spanId) {
    const { parentSpanId }: SentSpan = above;
    above = spans.find(({ spanId }) => spanId === parentSpanId);
  }
  expect(above).toBe(job);
});

test('the calls for tokens are spans, and so are the events that webhooks are sent', async () => {
  await tenant.connect('PAYMENTS');
  await sent('the exchange of a code', ({ name, kind }) => kind === 3 && /^POST .* OAuth$/.test(name));
  const receiver = await startReceiver();
  const webhook = {
    name: 'traced',
    type: 'DATA_MODEL_CHANGES',
    data_models: ['CONTACTS'],
    url: receiver.url,
  };
  const made = await ask('/v3/core/webhooks', { method: 'POST', body: JSON.stringify({ webhook }) });
  const { id } = (await made.json()) as { id: string };
  const trace = TRACE.replace('0a', '3d');
  const tried = await ask(`/v3/core/webhooks/${id}/test`, { method: 'POST', body: '{}' }, trace);
  expect(tried.status).toBe(200);
  const call = await sent('the event', ({ traceId, name }) => traceId === trace && name === 'POST');
  expect(attributesOf(call)).toMatchObject({
    'server.address': '127.0.0.1',
    'http.response.status_code': 204,
  });
  expect(receiver.got.map(({ headers }) => headers['traceparent'])).toEqual([
    `00-${trace}-${call.spanId}-01`,
  ]);
  await receiver.close();
});

test('spans say what service they are of, and nothing of keys, tokens, filters or records', async () => {
  const query = `{ accounts(filter: { name: { eq: "${CANARY}" } }) { totalCount nodes { name } } }`;
  await until('spans', async () => {
    await ask('/graphql', { method: 'POST', body: JSON.stringify({ query }) });
    await tenant.connect('PAYMENTS');
    return spans.length > 50;
  });
  expect(collected[0]?.['x-collector-key']).toBe('for-the-collector');
  const text = JSON.stringify(resources);
  expect(text).toContain('"books"');
  expect(text).toContain('deployment.environment.name');
  const all = JSON.stringify(spans);
  expect(spans.length).toBeGreaterThan(50);
  for (const secret of [caller.key, CANARY, 'Bearer', tenant.account]) expect(all).not.toContain(secret);
});

test('a collector that is away stops nobody, and what it was not sent is given up at the end', async () => {
  const { port } = collector.address() as AddressInfo;
  collector.closeAllConnections();
  await new Promise((resolve) => collector.close(resolve));
  for (let round = 0; round < 5; round += 1) {
    expect((await ask('/v3/accounting/accounts')).status).toBe(200);
  }
  await stopTracing();
  const before = spans.length;
  expect((await ask('/v3/accounting/accounts')).status).toBe(200);
  expect(spans).toHaveLength(before);
  // For whichever test comes next.
  await new Promise<void>((resolve) => collector.listen(port, '127.0.0.1', resolve));
  stopTracing = startTracing(settings);
});

test('nothing of OpenTelemetry is loaded unless it is wanted', () => {
  const sources = readdirSync(packagePath('src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('__generated__'))
    .map((name) => ({ name, text: readFileSync(packagePath(`src/${name}`), 'utf8') }));
  const using = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ name }) => name);
  expect(using(/from '@opentelemetry/)).toEqual(['telemetry/otel.ts']);
  expect(using(/otel\.js/)).toEqual(['main.ts']);
  expect(using(/from '.*otel\.js'/)).toEqual([]);
  expect(readConfig({}, integrationTypes).traces).toBeNull();
  const wanted = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  expect(readConfig({ ...wanted, OTEL_SDK_DISABLED: 'true' }, integrationTypes).traces).toBeNull();
  expect(
    readConfig(
      { ...wanted, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' },
      integrationTypes,
    ).traces,
  ).toMatchObject({ sampler: 'traceidratio', ratio: 0.1 });
});
