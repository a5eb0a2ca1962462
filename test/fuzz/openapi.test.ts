import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import type { App } from '../../src/app.js';
import type { Worker } from '../../src/jobs/worker.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { type Operation, operations, problemOf, resolve, type Schema } from '../support/openapi.js';
import { startTestSandbox } from '../support/sandbox.js';
import { startApp } from '../support/service.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';
import { FUZZ_FACTOR } from './fire.js';
import { nasty } from './pools.js';

/** Requests of each operation. */
const RUNS = 6 * FUZZ_FACTOR;

let sandbox: Sandbox;
let app: App;
let worker: Worker;
let books: Writing;
/** What names of parameters and fields stand for, as far as it is there. */
let ids: Record<string, readonly unknown[]>;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url, WRITE_WAIT_MS: '5000', ALLOW_PRIVATE_ADDRESSES: 'false' });
  worker = await startWorker(sandbox);
  books = await createWriting(app, sandbox);
  for (const category of ['PAYMENTS', 'ECOMMERCE'] as const) {
    await books.tenant.sync(await books.tenant.connect(category));
  }
  ids = await existing();
});
afterAll(async () => {
  await worker?.stop();
  await app?.close();
  await sandbox?.stop();
});

/** Something of everything that paths lead to. */
async function existing(): Promise<Record<string, readonly unknown[]>> {
  const { caller, companyId } = books;
  const paths = operations.flatMap(({ path }) => (path.endsWith('s/{svc_id}') ? [path] : []));
  const records = await Promise.all(
    [...new Set(paths)].map(async (path) => {
      const { body } = await caller.get(`${path.replace('/{svc_id}', '')}?limit=3`);
      return [path, body.data.map((one: any) => one.svc_id)] as const;
    }),
  );
  const integrations: any[] = (await caller.get('/integrations')).body.data.data;
  const accounts: any[] = (await caller.get('/v3/accounting/accounts?limit=3')).body.data;
  const documents: any[] = (await caller.get('/v3/accounting/documents?limit=3')).body.data;
  const syncs: any[] = (await caller.get('/v3/core/syncs')).body.data;
  const jobs: any[] = (await caller.get(`/v3/core/syncs/${syncs[0].sync_id}/jobs`)).body.data;
  const link = { integration_categories: ['ACCOUNTING'], company_name: 'Linked' };
  const invited: any = (await caller.post('/v3/core/invite_links', link)).body.data;
  const webhook = { name: 'all', type: 'DATA_MODEL_CHANGES', url: 'https://hooks.example.com/events' };
  const hook: any = (await caller.post('/v3/core/webhooks', { webhook })).body;
  const written = await books.write('/accounting/journal_entries', [books.journal('12.50')]);
  return {
    ...Object.fromEntries(records),
    document_id: documents.map((one) => one.svc_id),
    company_id: [companyId],
    svc_company_id: [companyId],
    'svc_company_id[eq]': [companyId],
    sync_id: syncs.map((one) => one.sync_id),
    job_id: jobs.map((one) => one.job_id),
    upload_job_id: [written.body.data.upload_job_id],
    invite_link_id: [invited.invite_link_id],
    webhook_id: [hook.id],
    integration_id: integrations.map((one) => one.svc_id),
    platform_id: accounts.map((one) => one.platform_id),
    account_id: [books.ids.bank, books.ids.sales],
    contact_id: [books.ids.customer, books.ids.vendor],
    integration_type: ['SVC_SANDBOX'],
  };
}

const decimal = fc.integer({ min: 0, max: 10_000_000 }).map((cents) => (cents / 100).toFixed(2));
const time = fc
  .integer({ min: 0, max: 4_000_000_000 })
  .map((second) => new Date(second * 1000).toISOString());

/** Values that fit a schema. */
function fitting(given: Schema, name = '', depth = 0): fc.Arbitrary<unknown> {
  const schema = resolve(given);
  const known = ids[name];
  if (known?.length && depth < 6) {
    return fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...known) }, fittingType(schema, depth));
  }
  return fittingType(schema, depth);
}

function fittingType(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (schema['enum']) return fc.constantFrom(...(schema['enum'] as unknown[]));
  if (schema['anyOf'])
    return fc.oneof(...(schema['anyOf'] as Schema[]).map((one) => fitting(one, '', depth)));
  const types: string[] = [schema['type'] ?? []].flat();
  if (types.length === 0) return fc.jsonValue({ maxDepth: 1 });
  return fc.oneof(...types.map((type) => ofType(type, schema, depth)));
}

function ofType(type: string, schema: Schema, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({
        min: schema['minimum'] ?? -1000,
        max: Math.min(schema['maximum'] ?? 1000, 2 ** 31 - 1),
      });
    case 'number':
      return decimal.map(Number);
    case 'array':
      return depth > 4
        ? fc.constant([])
        : fc.array(fitting(schema['items'] ?? {}, '', depth + 1), {
            minLength: schema['minItems'] ?? 0,
            maxLength: Math.max(2, schema['minItems'] ?? 0),
          });
    case 'object':
      return object(schema, depth);
    default:
      if (schema['format'] === 'date-time') return time;
      if (schema['format'] === 'date') return time.map((text) => text.slice(0, 10));
      if (schema['pattern']) return decimal;
      return fc.string({ maxLength: Math.min(schema['maxLength'] ?? 12, 12) });
  }
}

function object(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const properties: Record<string, Schema> = schema['properties'] ?? {};
  const required: string[] = schema['required'] ?? [];
  const names = Object.keys(properties);
  const optional = names.filter((name) => !required.includes(name));
  return fc
    .subarray(optional, { maxLength: depth > 4 ? 0 : Math.min(optional.length, 4) })
    .chain((chosen) =>
      fc.record(
        Object.fromEntries(
          [...required, ...chosen].map((name) => [name, fitting(properties[name] ?? {}, name, depth + 1)]),
        ),
      ),
    );
}

interface Request {
  readonly path: string;
  readonly body: string | null;
  /** Whether the document allows it. */
  readonly isValid: boolean;
}

function requestsOf(operation: Operation): fc.Arbitrary<Request> {
  const inPath = operation.parameters.filter((one) => one.in === 'path');
  const inQuery = operation.parameters.filter((one) => one.in === 'query');
  const values = fc.tuple(
    ...inPath.map(({ name, schema }) =>
      fitting(idSchema(operation, name) ?? schema, pathName(operation, name)),
    ),
  );
  const needed = inQuery.filter(({ required }) => required);
  const query = fc
    .subarray(
      inQuery.filter(({ required }) => !required),
      { maxLength: Math.min(4, inQuery.length - needed.length) },
    )
    .chain((chosen) =>
      fc.tuple(
        ...[...needed, ...chosen].map((one) =>
          fitting(one.schema, one.name).map((value) => ({ ...one, value })),
        ),
      ),
    );
  const good = operation.body
    ? fitting(operation.body).map((body) => JSON.stringify(body))
    : fc.constant(null);
  const bad = operation.body
    ? fc.oneof(spoilt(operation.body), nasty).map((body) => JSON.stringify(body) ?? '')
    : fc.constant(null);
  const queryText = query.map((parameters) => parameters.flatMap(writeParameter).join('&'));
  const spoiltQuery = fc
    .tuple(
      fc.constantFrom(
        'limit',
        'next',
        'svc_id[eq]',
        'sort[nothing]',
        'colour',
        'expand',
        ...inQuery.map(({ name }) => name),
      ),
      nasty,
    )
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(value))}`);
  const make = (isValid: boolean) =>
    fc.tuple(values, isValid ? queryText : spoiltQuery, isValid ? good : bad).map(([parts, text, body]) => {
      const named = Object.fromEntries(inPath.map(({ name }, index) => [name, parts[index]]));
      const path = operation.path.replace(
        /\{(\w+)\}/g,
        (_all, name: string) => encodeURIComponent(textOf(named[name])).slice(0, 100) || '0',
      );
      return { path: text === '' ? path : `${path}?${text}`, body, isValid };
    });
  return fc.oneof({ weight: 3, arbitrary: make(true) }, make(false));
}

/** The company stays: all others live in it. */
const idSchema = ({ id }: Operation, name: string): Schema | null =>
  id === 'deleteCompany' && name === 'svc_id'
    ? { type: 'integer', minimum: 900_000_000, maximum: 999_999_999 }
    : null;

/** What an id in a path is of. */
function pathName({ id, path }: Operation, name: string): string {
  if (id === 'deleteCompany') return '';
  if (name === 'svc_id') return path;
  if (name !== 'id') return name;
  if (path.includes('webhook')) return 'webhook_id';
  return path.includes('integration') ? 'integration_id' : 'invite_link_id';
}

/** Without something that is needed, or with something of another type. */
function spoilt(schema: Schema): fc.Arbitrary<unknown> {
  const names = Object.keys(resolve(schema)['properties'] ?? {});
  if (names.length === 0) return nasty;
  return fc.tuple(fitting(schema), fc.constantFrom(...names), nasty).map(([body, name, value]) => {
    const fields = body as Record<string, unknown>;
    return name in fields && value === null ? { ...fields, [name]: undefined } : { ...fields, [name]: value };
  });
}

const textOf = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toString();

function writeParameter({
  name,
  style,
  value,
}: Operation['parameters'][number] & { readonly value: unknown }): string[] {
  const write = (key: string, one: unknown) =>
    `${encodeURIComponent(key)}=${encodeURIComponent(textOf(one))}`;
  if (style === 'deepObject')
    return Object.entries(value as object).map(([key, one]) => write(`${name}[${key}]`, one));
  return [write(name, Array.isArray(value) ? value.join(',') : value)];
}

async function send(operation: Operation, { path, body }: Request) {
  const answer = await fetch(app.url + path, {
    method: operation.method,
    headers: { api_key: books.caller.key, ...(body === null ? {} : { 'content-type': 'application/json' }) },
    body,
  });
  const text = await answer.text();
  return {
    status: answer.status,
    type: answer.headers.get('content-type')?.split(';')[0] ?? '',
    warning: answer.headers.get('x-svc-warning'),
    text,
  };
}

/** What the document does not say. */
function undocumented(
  operation: Operation,
  { isValid, path }: Request,
  answer: Awaited<ReturnType<typeof send>>,
): string | null {
  const { status, type, text, warning } = answer;
  const content = operation.answers.get(status);
  if (!content) return `status ${status}`;
  const schema = content[type] ?? content['*/*'];
  if (!schema) return `content type ${type} of status ${status}`;
  const problem = type === 'application/json' ? problemOf(schema, JSON.parse(text)) : null;
  // `fields` leaves out what a record has otherwise.
  const isNarrowed = path.includes('fields=') && problem?.includes('must have required property');
  if (problem && !isNarrowed) return `${status}: ${problem}`;
  return isValid && warning?.startsWith('ignored')
    ? `a documented name that means nothing: ${warning}`
    : null;
}

const statuses = new Map<string, Set<number>>();

describe('every answer to requests made from the document is in it', () => {
  test.each(operations.map((one) => [one.id, one] as const))('%s', async (id, operation) => {
    const seen = new Set<number>();
    statuses.set(id, seen);
    await fc.assert(
      fc.asyncProperty(requestsOf(operation), async (request) => {
        const answer = await send(operation, request);
        seen.add(answer.status);
        const problem = undocumented(operation, request, answer);
        if (problem)
          throw new Error(
            `${problem}\n${operation.method} ${request.path}\n${request.body ?? ''}\n${answer.text.slice(0, 1000)}`,
          );
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});

test('most operations were answered, and not only refused', () => {
  const refused = [...statuses].filter(([, seen]) => !seen.has(200)).map(([id]) => id);
  expect(refused.length < operations.length * 0.4 ? [] : refused).toEqual([]);
});
