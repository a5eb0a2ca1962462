import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { Lexer, Source, TokenKind } from 'graphql';
import { WebSocket } from 'ws';
import type { App } from '../src/app.js';
import { readConfig } from '../src/config/config.js';
import { integrationTypes } from '../src/connectors/index.js';
import { sendError } from '../src/http/errors.js';
import { takeTurns } from '../src/http/limits/turns.js';
import { LIMIT_TABLE, type LimitName } from '../src/limits.js';
import { createXeroHook } from './support/hooks.js';
import { giveToken, type OddPlatform, startOddPlatform } from './support/platform.js';
import { createTenant, type Tenant } from './support/seed.js';
import { type Answer, type Caller, callerOf, createCaller, startApp } from './support/service.js';
import { admin } from './support/admin.js';
import { until } from './support/until.js';

/** How something that is limited is asked for. */
interface Edge {
  readonly at: string;
  /** Asks for that number of it. */
  ask(count: number): Promise<Answer>;
  /** What one too many is answered. */
  readonly refused: (most: number) => {
    readonly code: string;
    readonly field?: string;
    readonly message: string | RegExp;
    readonly status?: number;
  };
}

/** A size that holds when nothing is asked for: that many come, although there is more. */
interface Default {
  readonly at: string;
  count(): Promise<number>;
}

const MANY = 1001;
const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));
const invalid = (field: string, message: string) => ({ code: 'invalid-params', field, message });
const complex = (message: string, field?: string) => ({
  code: 'query-too-complex',
  message,
  ...(field ? { field } : {}),
});

const tooCostly = (most: number) =>
  complex(
    `the query costs ${most + 1}, at most ${most} is allowed: ask for smaller pages, or for less in one query`,
  );

const tooManyBodyValues = (most: number) => ({
  status: 413,
  code: 'payload-too-large',
  field: 'body',
  message: `the body holds more than ${most} values`,
});

const LIST = '/v3/accounting/accounts';
const ALL = '/accounting/accounts/all';
const ACCOUNTS = `query ($filter: AccountFilter, $orderBy: [AccountOrderBy!], $first: Int, $skip: Int) {
  accounts(filter: $filter, orderBy: $orderBy, first: $first, skip: $skip) { totalCount } }`;
const NESTED = `query ($filter: DocumentFilter) {
  bills(first: 1) { nodes { documents(first: 1, filter: $filter) { totalCount } } } }`;

/** The limits that some tests lower; all others are tested as they are. */
const LOWERED: Partial<Record<LimitName, number>> = {
  subscriptions: 3,
  slowReaderMilliseconds: 2000,
  requestsPerMinute: 3,
  organisationRequestsPerMinute: 3,
  failedKeysPerMinute: 3,
  hooksPerMinute: 3,
  maxWebhooks: 2,
  fieldMappings: 2,
  indexedFields: 2,
  heldBodyBytes: 2000,
  heldRowBytes: 20_000,
  waitingRequests: 4,
  waitingStatements: 4,
  queryMilliseconds: 2000,
  statementMilliseconds: 2000,
  mutationMilliseconds: 2000,
  passthroughMilliseconds: 2000,
  writeWaitMilliseconds: 300,
  fileMilliseconds: 2000,
};

let platform: OddPlatform;
let acme: Tenant;
let app: App;
let caller: Caller;
let asked = 0;
const lowered = new Map<LimitName, App>();
/** By which addresses of files expire, while a test sets it. */
let clock: Date | null = null;
/** The `svc_id` of the record with too many invoices, by the path of its list. */
const tooRich = { contacts: 0, invoice_credit_notes: 0 };

beforeAll(async () => {
  platform = await startOddPlatform();
  // Answers what it is asked for; in silence, when it is asked to hang.
  platform.answer(({ url }, response) => {
    const [, hangs, size] = /\/Attachments\/(hang-)?(\d+)-/.exec(url) ?? [];
    if (hangs) return;
    if (size) return void response.end(Buffer.alloc(Number(size)));
    const asked = new URL(url, platform.url).searchParams;
    if (asked.has('hang')) return;
    if (asked.has('bytes')) response.end(bytes(Number(asked.get('bytes'))));
    else response.end(brackets(Number(asked.get('depth'))));
  });
  const settings = { SANDBOX_URL: platform.url };
  app = await startApp(settings, { now: () => clock ?? new Date() });
  for (const [name, value] of Object.entries(LOWERED) as [LimitName, number][]) {
    const more = name === 'waitingStatements' ? { POOL_SIZE: '3' } : {};
    lowered.set(name, await startApp({ ...settings, ...more, [LIMIT_TABLE[name].variable]: String(value) }));
  }
  acme = await createTenant(app, 'limits');
  await giveToken(app, acme, 'a token of the tests');
  const store = async (model: string, records: Parameters<Tenant['store']>[1]) => {
    for (let from = 0; from < records.length; from += 1000) {
      await acme.store(model, records.slice(from, from + 1000));
    }
  };
  await store(
    'Account',
    times(MANY, (index) => ({ platformId: `account-${index}`, values: { name: `${index}` } })),
  );
  await store(
    'Contact',
    [1000, 1001].map((count) => ({ platformId: `of-${count}`, values: { name: `of ${count}` } })),
  );
  const invoiceIds = (count: number) => times(count, (index) => `of-${count}-${index}`);
  for (const count of [1000, 1001]) {
    const values = { contactId: `of-${count}` };
    await store(
      'Invoice',
      invoiceIds(count).map((platformId) => ({ platformId, values })),
    );
  }
  await store(
    'InvoiceCreditNote',
    [1000, 1001].map((count) => ({
      platformId: `of-${count}`,
      values: { invoiceIds: invoiceIds(count), documentNumber: `of ${count}` },
    })),
  );
  await store('Bill', [{ platformId: 'bill', values: {} }]);
  caller = await createCaller(app, acme.organisationId);
  for (const path of Object.keys(tooRich) as (keyof typeof tooRich)[]) {
    const { body } = await caller.get(`/v3/accounting/${path}?platform_id[eq]=of-1001`);
    tooRich[path] = body.data[0].svc_id;
  }
});
afterAll(async () => {
  for (const one of [app, ...lowered.values()]) await one.close();
  await platform.close();
});

const pageOf = async (path: string) => (await caller.get(path)).body.data.length;
const first = (count: number, rest = 'nodes { svcId }') =>
  caller.graphql(`{ accounts(first: ${count}) { ${rest} } }`);
const comparisons = (field: string, count: number) => ({
  or: times(count, (index) => ({ [field]: { eq: `${index}` } })),
});
/** Different parameters of the list, one comparison each. */
const parameters = (count: number) =>
  ['name', 'description', 'nominal_code', 'sub_category', 'currency_id']
    .flatMap((field) =>
      ['eq', 'ne', 'in', 'notIn', 'gt', 'gte', 'lt', 'lte', 'contains', 'startsWith'].map(
        (operator) => `${field}[${operator}]=a`,
      ),
    )
    .concat('name[isNull]=false')
    .slice(0, count)
    .join('&');
const SORTED = ['name', 'status', 'category', 'description', 'currency_id', 'nominal_code'];
const nested = (depth: number) =>
  `{ accounts(first: 1) { nodes ${'{ parentAccount '.repeat(depth - 2)}{ svcId }${' }'.repeat(depth - 2)} } }`;
const brackets = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

/** A query of that many tokens: conditions take the numbers. */
function tokens(count: number): string {
  const query = (numbers: number) => {
    const lists = times(4, (list) => times(Math.ceil((numbers - list) / 4), () => '1').join(' '));
    const conditions = lists.map((list) => `{ svcId: { in: [${list}] } }`).join(' ');
    return `{ accounts(filter: { or: [${conditions}] }) { totalCount } }`;
  };
  const text = query(count - tokensIn(query(0)));
  expect(tokensIn(text)).toBe(count);
  return text;
}
/** Each of these fields in turn, up to that number. */
const repeated = (fields: readonly string[], count: number): string =>
  times(count, (index) => fields[index % fields.length]).join(' ');

/** A query of that many fields once its fragment is written out wherever it is spread. */
function writtenOut(count: number): string {
  const fields = repeated(['name', 'svcId', 'status', 'category', 'currencyId'], 490);
  const spreads = Math.floor((count - 2) / 491);
  const rest = count - 2 - spreads * 491;
  const parents = times(spreads, (index) => `a${index}: parentAccount { ...Many }`).join(' ');
  return `{ accounts(first: 1) { nodes { ${parents} ${repeated(['name', 'svcId', 'status', 'category'], rest)} } } }
    fragment Many on Account { ${fields} }`;
}
function tokensIn(text: string): number {
  const lexer = new Lexer(new Source(text));
  let count = 0;
  while (lexer.advance().kind !== TokenKind.EOF) count += 1;
  return count;
}

/** Text of that many bytes in UTF-8, which are fewer letters. */
const bytes = (count: number) => 'é'.repeat(Math.floor(count / 2)) + 'x'.repeat(count % 2);
const padded = (before: string, count: number, after: string) =>
  before + bytes(count - before.length - after.length) + after;

/** A filter that holds that many values, each object counted as 100. */
function filterOfValues(count: number) {
  const objects = 101;
  const own = objects + 50 + 50 * 2 * objects;
  const values = (list: number) => times(Math.ceil((count - own - list) / 50), () => 1);
  return { or: times(50, (list) => ({ svc_id: { in: values(list) } })) };
}

/** Asks the app whose limit is lowered; one more than the limit meets a locked table, and waits. */
async function patiently(name: LimitName, count: number, ask: (caller: Caller) => Promise<Answer>) {
  const hurried = await callerWith(name);
  if (count === LOWERED[name]) return ask(hurried);
  const blocker = await admin.pool.connect();
  try {
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE');
    return await ask(hurried);
  } finally {
    await blocker.query('ROLLBACK');
    blocker.release(true);
  }
}

/** The answer to the last of several requests that wait for their turn behind one that lasts. */
async function lineUp(waiting: number): Promise<Answer> {
  const server = Fastify({ forceCloseConnections: true }) as unknown as FastifyInstance;
  server.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  const most = LOWERED.waitingRequests ?? 0;
  takeTurns(server, { atOnce: 1, maxWaiting: most, milliseconds: 3_600_000 });
  let end = () => {};
  const over = new Promise<void>((resolve) => (end = resolve));
  server.get('/', () => over.then(() => ({})));
  const url = await server.listen();
  const answers: Promise<Response>[] = [];
  for (let sent = 0; sent <= waiting; sent += 1) {
    const arrived = once(server.server, 'request');
    answers.push(fetch(url));
    await arrived;
  }
  end();
  const last = (await Promise.all(answers)).at(-1) as Response;
  const { status, headers } = last;
  const text = await last.text();
  await server.close();
  return { status, headers, text, body: JSON.parse(text) };
}

/** The same of statements, which wait for the one connection that an organisation may have. */
async function waitForTable(waiting: number): Promise<Answer> {
  const one = lowered.get('waitingStatements') as App;
  const mine = await callerWith('waitingStatements');
  const blocker = await admin.pool.connect();
  try {
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE');
    const answers: Promise<Answer>[] = [mine.get(LIST)];
    await until(
      'a statement that meets the lock',
      () => one.database.pool.totalCount > one.database.pool.idleCount,
    );
    let ended = 0;
    for (let sent = 1; sent <= waiting; sent += 1) {
      answers.push(mine.get(LIST).finally(() => (ended += 1)));
      await until('a statement that waits', () => one.database.waiting() === sent || ended > 0);
    }
    await blocker.query('ROLLBACK');
    return (await Promise.all(answers)).at(-1) as Answer;
  } finally {
    blocker.release(true);
  }
}

/** Opens that many event streams of one key together; the answer of the last one. */
async function followTimes(count: number): Promise<Answer> {
  const { key } = await callerWith('subscriptions');
  const url = `${lowered.get('subscriptions')?.url}/v3/core/changes?limit=1`;
  const stop = new AbortController();
  const open = () =>
    fetch(url, { headers: { api_key: key, accept: 'text/event-stream' }, signal: stop.signal });
  try {
    for (let opened = 1; opened < count; opened += 1) expect((await open()).status).toBe(200);
    const last = await open();
    const { status, headers } = last;
    const text = status === 200 ? '{}' : await last.text();
    return { status, headers, text, body: JSON.parse(text) };
  } finally {
    stop.abort();
  }
}

/** Of a row of one value, beside it: its length, how many values it has, and the length of the value. */
const ROW_BYTES = 10;

/** Asks for a record that comes in a row of half as many bytes, or one more. */
async function askForBytes(count: number): Promise<Answer> {
  const tenant = await createTenant(app, 'long rows');
  const description = 'x'.repeat(Math.ceil(count / 2) - ROW_BYTES);
  await tenant.store('Account', [{ platformId: 'long', values: { description } }]);
  const { key } = await createCaller(lowered.get('heldRowBytes') ?? app, tenant.organisationId);
  return callerOf(lowered.get('heldRowBytes') ?? app, key).graphql('{ accounts { nodes { description } } }');
}

/** Reads large events over a WebSocket as they come or, beyond the limit, each after some time. */
async function readSlowly(count: number): Promise<Answer> {
  const slow = lowered.get('slowReaderMilliseconds');
  const tenant = await createTenant(app, 'slow reader');
  const description = 'x'.repeat(200_000);
  const store = times(30, (index) => ({ platformId: String(index), values: { description } }));
  await tenant.store('Account', store);
  const { key } = await createCaller(slow ?? app, tenant.organisationId);
  const copies = times(5, (index) => `copy${index}: description`).join(' ');
  const query = `subscription { changes(after: "0") { record { ... on Account { ${copies} } } } }`;
  const socket = new WebSocket(`${slow?.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const send = (message: object) => socket.send(JSON.stringify(message));
  let read = 0;
  socket.on('open', () => send({ type: 'connection_init', payload: { api_key: key } }));
  socket.on('message', (data: Buffer) => {
    if (data.length < 1000) return send({ id: '1', type: 'subscribe', payload: { query } });
    read += 1;
    if (read === store.length) return socket.close(1000);
    if (count === LOWERED.slowReaderMilliseconds) return undefined;
    socket.pause();
    return setTimeout(() => socket.resume(), 3 * count);
  });
  const [code, reason] = await once(socket, 'close');
  const body = code === 1000 ? {} : { error: { code: String(code), message: String(reason) } };
  const status = code === 1000 ? 200 : 429;
  return { status, headers: new Headers(), text: '', body };
}

/** Asks a platform, by the caller of an app. */
function passThrough(one: Caller, params: object): Promise<Answer> {
  const data = { method: 'GET', path: '/any', params };
  return one.post('/v3/core/passthrough', { company_id: acme.companyId, data });
}

let documents = 0;

/** Asks for the file of a new document; the platform takes its size, or that it hangs, from the id. */
async function download(one: Caller, file: string): Promise<Answer> {
  documents += 1;
  const platformId = `${file}-${documents}`;
  await acme.store('Document', [{ platformId, values: {} }]);
  return one.get(`/v3/download_document/${platformId}?svc_company_id=${acme.companyId}`);
}

/** Fetches a file that many seconds after its address was made. */
async function fetchAfter(seconds: number): Promise<Answer> {
  const made = new Date();
  clock = made;
  try {
    const { body } = await download(caller, '1');
    clock = new Date(made.getTime() + seconds * 1000);
    const { status, headers } = await fetch(body.data.download_url);
    const text = status === 200 ? '{}' : '{"error":{"code":"not-found","message":"expired"}}';
    return { status, headers, text, body: JSON.parse(text) };
  } finally {
    clock = null;
  }
}

/** A platform that hangs for those that ask for one more than the limit. */
async function hurriedly(name: LimitName, count: number): Promise<Answer> {
  return passThrough(await callerWith(name), count === LOWERED[name] ? { depth: 1 } : { hang: true });
}

/** Maps that many fields of an organisation of its own; the last answer. */
const MAPPING = { integration_type: 'SVC_SANDBOX', data_model: 'ACCOUNTS', path: 'memo', type: 'TEXT' };
const HOOK = { name: 'hook', type: 'SYNC_COMPLETED', url: 'https://hooks.example.com' };

async function mapFields(name: LimitName, count: number): Promise<Answer> {
  const one = lowered.get(name);
  if (!one) throw new Error(`${name} is not lowered`);
  const own = await createCaller(one, (await createTenant(one, 'fields')).organisationId);
  let answer: Answer | null = null;
  for (const index of times(count, (place) => place)) {
    const more = { name: `field_${index}`, is_indexed: name === 'indexedFields' };
    answer = await own.post('/v3/core/field_mappings', { ...MAPPING, ...more });
  }
  return answer as Answer;
}

function callerWith(name: LimitName): ReturnType<typeof createCaller> {
  const one = lowered.get(name);
  if (!one) throw new Error(`${name} is not lowered`);
  return createCaller(one, acme.organisationId);
}

const between =
  (name: string, least: number, more = '') =>
  (most: number) =>
    invalid(name, `${name} must be between ${least} and ${most}, got ${most + 1}${more}`);

/** Every limit of the table, in each way that a caller can meet it. */
const EDGES: Readonly<Record<LimitName, readonly (Edge | Default)[]>> = {
  pageSize: [
    { at: 'GET /v3/...', count: () => pageOf(LIST) },
    {
      at: 'GraphQL',
      count: async () =>
        (await caller.graphql('{ accounts { nodes { svcId } } }')).body.data.accounts.nodes.length,
    },
  ],
  nestedPageSize: [
    {
      at: 'GraphQL',
      count: async () => {
        const { body } = await caller.graphql('{ companies { nodes { accounts { nodes { svcId } } } } }');
        return body.data.companies.nodes[0].accounts.nodes.length;
      },
    },
  ],
  maxPageSize: [
    { at: 'limit', ask: (count) => caller.get(`${LIST}?limit=${count}`), refused: between('limit', 1) },
    {
      at: 'limit of companies',
      ask: (count) => caller.get(`/v3/core/companies?limit=${count}`),
      refused: between('limit', 1),
    },
    {
      at: 'limit of invite links',
      ask: (count) => caller.get(`/v3/core/invite_links?limit=${count}`),
      refused: between('limit', 1),
    },
    {
      at: 'first of inviteLinks',
      ask: (count) => caller.graphql(`{ inviteLinks(first: ${count}) { nodes { svcId } } }`),
      refused: between('first', 0),
    },
    { at: 'first', ask: (count) => first(count), refused: between('first', 0) },
    {
      at: 'first in a variable',
      ask: (count) => caller.graphql(ACCOUNTS, { first: count }),
      refused: between('first', 0),
    },
    {
      at: 'last',
      ask: (count) => caller.graphql(`{ accounts(last: ${count}) { nodes { svcId } } }`),
      refused: between('last', 0),
    },
    {
      at: 'first of syncs',
      ask: (count) => caller.graphql(`{ syncs(first: ${count}) { nodes { syncId } } }`),
      refused: between('first', 0),
    },
    {
      at: 'first of a nested connection',
      ask: (count) =>
        caller.graphql(`{ companies(first: 1) { nodes { accounts(first: ${count}) { nodes { svcId } } } } }`),
      refused: between('first', 0),
    },
  ],
  take: [{ at: '.../all', count: async () => (await caller.post(ALL, {})).body.data.data.length }],
  maxTake: [{ at: '.../all', ask: (take) => caller.post(ALL, { take }), refused: between('take', 0) }],
  fieldMappings: [
    {
      at: 'POST /v3/core/field_mappings',
      ask: (count) => mapFields('fieldMappings', count),
      refused: (most) => ({
        code: 'operation-denied',
        message: `an organisation has at most ${most} field mappings`,
      }),
    },
  ],
  indexedFields: [
    {
      at: 'POST /v3/core/field_mappings',
      ask: (count) => mapFields('indexedFields', count),
      refused: (most) => ({
        code: 'operation-denied',
        message: `an organisation has at most ${most} indexed fields`,
        field: 'is_indexed',
      }),
    },
  ],
  maxWebhooks: [
    {
      at: 'POST /v3/core/webhooks',
      ask: async (count) => {
        const one = lowered.get('maxWebhooks');
        if (!one) throw new Error('maxWebhooks is not lowered');
        const own = await createCaller(one, (await createTenant(one, 'hooks')).organisationId);
        const answers = [];
        for (const _ of times(count, () => null)) {
          answers.push(await own.post('/v3/core/webhooks', { webhook: HOOK }));
        }
        return answers[count - 1] as Answer;
      },
      refused: (most) => ({
        code: 'operation-denied',
        message: `an organisation has at most ${most} webhooks`,
      }),
    },
  ],
  writeItems: [
    {
      at: 'a bulk write',
      ask: (count) =>
        caller.post('/accounting/journal_entries', {
          company_id: acme.companyId,
          data: times(count, () => ({})),
        }),
      refused: (most) =>
        invalid('data', `Invalid field: data. It accepts at most ${most} items, got ${most + 1}`),
    },
  ],
  writeWaitMilliseconds: [
    {
      at: 'a write that nobody takes up',
      count: async () => {
        const hurried = await callerWith('writeWaitMilliseconds');
        const contact = { name: 'Late', contact_type: 'CUSTOMER' };
        const body = { company_id: acme.companyId, data: [contact] };
        const answer = await hurried.post('/accounting/contacts', body);
        expect(answer.body.data.status).toBe('PENDING');
        const { rows } = await admin.pool.query<{ wait: number }>(
          `SELECT extract(epoch FROM answer_by - svc_created_at)::float8 * 1000 AS wait FROM uploads WHERE upload_id = $1`,
          [answer.body.data.upload_job_id],
        );
        return Number(rows[0]?.wait);
      },
    },
  ],
  maxSkip: [
    { at: '.../all', ask: (skip) => caller.post(ALL, { skip }), refused: between('skip', 0) },
    {
      at: 'GraphQL',
      ask: (skip) => caller.graphql(ACCOUNTS, { skip }),
      refused: between('skip', 0, '; use cursors beyond it'),
    },
    {
      at: 'syncs',
      ask: (skip) => caller.graphql(`{ syncs(skip: ${skip}) { nodes { syncId } } }`),
      refused: between('skip', 0, '; use cursors beyond it'),
    },
    {
      at: 'inviteLinks',
      ask: (skip) => caller.graphql(`{ inviteLinks(skip: ${skip}) { nodes { svcId } } }`),
      refused: between('skip', 0, '; use cursors beyond it'),
    },
    {
      at: 'a nested connection',
      ask: (skip) =>
        caller.graphql(`{ companies { nodes { accounts(skip: ${skip}) { nodes { svcId } } } } }`),
      refused: between('skip', 0, '; use cursors beyond it'),
    },
  ],
  expandedRecords: [
    {
      at: 'records that name this one',
      ask: (count) => caller.get(`/v3/accounting/contacts?platform_id[eq]=of-${count}&expand=invoices`),
      refused: (most) =>
        invalid(
          'expand',
          `expand finds more than ${most} invoices of the record ${tooRich.contacts}: read them from their own list, filtered by this record`,
        ),
    },
    {
      at: 'records that name this one, whose id is not asked for',
      ask: (count) =>
        caller.get(`/v3/accounting/contacts?platform_id[eq]=of-${count}&expand=invoices&fields=name`),
      refused: (most) =>
        invalid(
          'expand',
          `expand finds more than ${most} invoices of the record ${tooRich.contacts}: read them from their own list, filtered by this record`,
        ),
    },
    {
      at: 'records that this one names',
      ask: (count) =>
        caller.get(`/v3/accounting/invoice_credit_notes?platform_id[eq]=of-${count}&expand=invoices`),
      refused: (most) =>
        invalid(
          'expand',
          `expand finds more than ${most} invoices of the record ${tooRich.invoice_credit_notes}: read them from their own list, filtered by this record`,
        ),
    },
  ],
  filterConditions: [
    {
      at: '.../all',
      ask: (count) => caller.post(ALL, { filter: comparisons('name', count) }),
      refused: (most) => invalid('filter', `filter accepts at most ${most} comparisons`),
    },
    {
      at: 'GET /v3/...',
      ask: (count) => caller.get(`${LIST}?${parameters(count)}`),
      refused: (most) => invalid('filter', `filter accepts at most ${most} comparisons`),
    },
    {
      at: 'GraphQL',
      ask: (count) => caller.graphql(ACCOUNTS, { filter: comparisons('name', count) }),
      refused: (most) => invalid('filter', `filter accepts at most ${most} comparisons`),
    },
    {
      at: 'a nested connection with a condition of its own',
      ask: (count) => caller.graphql(NESTED, { filter: comparisons('fileName', count) }),
      refused: (most) => invalid('filter', `filter accepts at most ${most} comparisons`),
    },
  ],
  filterValues: [
    {
      at: '.../all',
      ask: (count) => caller.post(ALL, { filter: { svc_id: { in: times(count, () => 1) } } }),
      refused: (most) =>
        invalid('filter.svc_id.in', `filter.svc_id.in accepts at most ${most} values, got ${most + 1}`),
    },
    {
      at: 'GET /v3/...',
      ask: (count) => caller.get(`${LIST}?svc_id[notIn]=${times(count, () => '1').join()}`),
      refused: (most) =>
        invalid('svc_id[notIn]', `svc_id[notIn] accepts at most ${most} values, got ${most + 1}`),
    },
    {
      at: 'GraphQL',
      ask: (count) => caller.graphql(ACCOUNTS, { filter: { name: { in: times(count, () => 'a') } } }),
      refused: (most) =>
        invalid('filter.name.in', `filter.name.in accepts at most ${most} values, got ${most + 1}`),
    },
  ],
  orderFields: [
    {
      at: '.../all',
      ask: (count) =>
        caller.post(ALL, {
          orderBy: Object.fromEntries(SORTED.slice(0, count).map((name) => [name, 'asc'])),
        }),
      refused: (most) => invalid('orderBy', `orderBy accepts at most ${most} fields, got ${most + 1}`),
    },
    {
      at: 'GET /v3/...',
      ask: (count) =>
        caller.get(
          `${LIST}?${SORTED.slice(0, count)
            .map((name) => `sort[${name}]=ASC`)
            .join('&')}`,
        ),
      refused: (most) => invalid('sort', `sort accepts at most ${most} fields, got ${most + 1}`),
    },
    {
      at: 'GraphQL',
      ask: (count) =>
        caller.graphql(ACCOUNTS, {
          orderBy: SORTED.slice(0, count).map((name) => ({ field: name.toUpperCase(), direction: 'ASC' })),
        }),
      refused: (most) => invalid('orderBy', `orderBy accepts at most ${most} fields, got ${most + 1}`),
    },
  ],
  queryCost: [
    {
      at: 'nested connections',
      // 499 accounts and 39 below each make 19,960; the currencies are the rest.
      ask: (count) =>
        caller.graphql(
          `query ($first: Int) {
            accounts(first: 499) { nodes { childAccounts(first: $first) { nodes { svcId } } } }
            currencies(first: ${count - 499 * 40}) { nodes { svcId } } }`,
          { first: 39 },
        ),
      refused: tooCostly,
    },
    {
      at: 'lists of another kind',
      ask: (count) =>
        caller.graphql(`{
          inviteLinks(first: 1000) { nodes { connections(first: 1) { nodes { svcId } } company { accounts(first: 16) { totalCount } } } }
          currencies(first: ${count - 1000 * 19 - 500}) { nodes { svcId } } }`),
      refused: tooCostly,
    },
    {
      at: 'counts',
      ask: (count) =>
        caller.graphql(
          `{ ${times(19, (index) => `a${index}: currencies(first: 510) { totalCount }`).join(' ')}
            currencies(first: ${count - 19 * 1010}) { nodes { svcId } } }`,
        ),
      refused: tooCostly,
    },
    {
      at: 'fields of records, filters by them, and checks of mappings',
      ask: (count) =>
        caller.graphql(`{
          accounts(first: 1000, filter: { fields: {} }) { nodes { fields } }
          more: accounts(first: 1000, filter: { fields: {} }) { nodes { fields } }
          contacts(first: 1000, filter: { and: [{ customFields: {} }] }) { nodes { customFields { name } } }
          fieldMappings(first: 120) { nodes { check { fitting } } }
          currencies(first: ${count - 19_740}) { nodes { svcId } }
          rest: currencies(first: 0) { nodes { svcId } } }`),
      refused: tooCostly,
    },
    {
      at: 'searches, sorts and skipped records',
      ask: (count) =>
        caller.graphql(
          `query ($by: [AccountOrderBy!], $filter: AccountFilter = { or: [{ not: { name: { contains: "a" } } }] }) {
            accounts(first: 1000, filter: $filter) { totalCount nodes { svcId } }
            sorted: accounts(first: 1000, orderBy: $by) { nodes { svcId } }
            skipped: accounts(first: 1000, skip: 1000000) { nodes { svcId } }
            rest: accounts(first: 1000) { nodes { childAccounts(first: 4) { nodes { svcId } } } }
            currencies(first: ${count - 19_500}) { nodes { svcId } } }`,
          { by: [{ field: 'NAME', direction: 'ASC' }] },
        ),
      refused: tooCostly,
    },
    {
      at: 'items of writes and jobs of syncs',
      ask: (count) =>
        caller.graphql(`{
          writes(first: 520) { nodes { items { nodes { jobId } } } }
          syncs(first: 400) { nodes { jobs { nodes { jobId } } } }
          currencies(first: ${count - 520 * 21 - 400 * 21}) { nodes { svcId } } }`),
      refused: tooCostly,
    },
    {
      at: 'values under several names, wherever in a page, and each once for nothing',
      ask: (count) =>
        caller.graphql(`{
          accounts(first: 900) {
            nodes { ${times(15, (index) => `a${index}: name`).join(' ')} name status ...F }
            nodes { a0: name b: name b: name }
            more: nodes { name }
            edges { cursor node { name title: status ... on Account { c: __typename d: __typename } } }
            pageInfo { endCursor }
          }
          currencies(first: ${count - 900 * 22}) { nodes { svcId } } }
          fragment F on Account { a1: name c: name parentAccount { name title: name svcId } }`),
      refused: tooCostly,
    },
    {
      at: 'lists of connections',
      ask: (count) =>
        caller.graphql(`{
          accounts(first: 600) { nodes { connection { capabilities { dataModel } syncSettings { dataModel } } } }
          currencies(first: ${count - 600 * 32}) { nodes { svcId } } }`),
      refused: tooCostly,
    },
    {
      at: 'introspection',
      ask: (count) =>
        caller.graphql(`{
          __schema { ${times(10, (index) => `a${index}: types { fields { name } }`).join(' ')} }
          currencies(first: ${count - 1 - 10 * 300 * 6 - 1099}) { nodes { svcId } }
          contacts(first: 500) { nodes { svcId } }
          suppliers: contacts(first: 599) { nodes { svcId } } }`),
      refused: tooCostly,
    },
  ],
  queryDepth: [
    {
      at: 'GraphQL',
      ask: (count) => caller.graphql(nested(count)),
      refused: (most) => complex(`the query is ${most + 1} deep, at most ${most} is allowed`),
    },
  ],
  queryAliases: [
    {
      at: 'GraphQL',
      ask: (count) => first(1, times(count, (index) => `a${index}: __typename`).join(' ')),
      refused: (most) => complex(`the query has ${most + 1} aliases, at most ${most} are allowed`),
    },
  ],
  queryRootFields: [
    {
      at: 'GraphQL',
      ask: (count) =>
        caller.graphql(
          `{ ${times(count, (index) => `a${index}: currencies(first: 1) { totalCount }`).join(' ')} }`,
        ),
      refused: (most) => complex(`the query has ${most + 1} root fields, at most ${most} are allowed`),
    },
  ],
  queryFragments: [
    {
      at: 'GraphQL',
      ask: (count) =>
        caller.graphql(
          `{ accounts(first: 1) { nodes { ${times(count, (index) => `...F${index}`).join(' ')} } } }
            ${times(count, (index) => `fragment F${index} on Account { name }`).join(' ')}`,
        ),
      refused: (most) => complex(`the query has ${most + 1} fragments, at most ${most} are allowed`),
    },
  ],
  queryFields: [
    {
      at: 'GraphQL',
      ask: (count) => caller.graphql(writtenOut(count)),
      refused: (most) => complex(`the query has more than ${most} fields, with its fragments written out`),
    },
  ],
  selectionFields: [
    {
      at: 'fields, inline fragments and fragments',
      ask: (count) =>
        caller.graphql(
          `{ accounts(first: 1) { nodes {
              ${repeated(['name', 'svcId'], 200)} ... on Account { ${repeated(['status', 'category'], 200)} } ...Rest } } }
            fragment Rest on Account { ${repeated(['currencyId', 'nominalCode'], count - 400)} }`,
        ),
      refused: (most) => complex(`the query has more than ${most} fields in one selection`),
    },
  ],
  selectionRepeats: [
    {
      at: 'a field',
      ask: (count) => first(1, `nodes { ${'name '.repeat(count)} }`),
      refused: (most) => complex(`the query has name more than ${most} times in one selection`),
    },
    {
      at: 'a field below fields that are joined',
      ask: (count) =>
        first(
          1,
          `nodes { ${'parentAccount { name name name name } '.repeat(count / 4)} parentAccount { ${'name '.repeat(count % 4)} svcId } }`,
        ),
      refused: (most) => complex(`the query has name more than ${most} times in one selection`),
    },
  ],
  queryTokens: [
    {
      at: 'GraphQL',
      ask: (count) => caller.graphql(tokens(count)),
      refused: (most) => complex(`the query has more than ${most} tokens`),
    },
  ],
  queryBytes: [
    {
      at: 'GraphQL',
      ask: (count) => caller.graphql(padded('{ accounts { totalCount } } # ', count, '')),
      refused: (most) => complex(`the query text is longer than ${most} bytes`),
    },
  ],
  variableValues: [
    {
      at: 'variables',
      ask: (count) => caller.graphql('{ __typename }', { list: times(count - 1, () => 1) }),
      refused: (most) =>
        complex(`variables may hold at most ${most} values, an object counted as 100`, 'variables'),
    },
    {
      at: 'filter of .../all',
      ask: (count) => caller.post(ALL, { take: 1, filter: filterOfValues(count) }),
      refused: (most) =>
        complex(`filter may hold at most ${most} values, an object counted as 100`, 'filter'),
    },
  ],
  bodyBytes: [
    {
      at: '.../all',
      ask: (count) => caller.post(ALL, padded('{"take":0,"colour":"', count, '"}')),
      refused: (most) => ({
        status: 413,
        code: 'payload-too-large',
        field: 'body',
        message: `the body is larger than ${most} bytes`,
      }),
    },
  ],
  largeBodyBytes: [
    {
      at: 'GraphQL',
      ask: (count) =>
        caller.post('/graphql', padded('{"query":"{ __typename }","variables":{"text":"', count, '"}}')),
      refused: (most) => ({
        status: 413,
        code: 'payload-too-large',
        field: 'body',
        message: `the body is larger than ${most} bytes`,
      }),
    },
  ],
  bodyValues: [
    {
      at: '.../all',
      // Brackets and commas inside texts are none.
      ask: (count) =>
        caller.post(ALL, `{"take":0,"text":"[,\\"{","colour":[${times(count - 3, () => 1).join()}]}`),
      refused: tooManyBodyValues,
    },
    {
      at: 'GraphQL',
      ask: (count) =>
        caller.post('/graphql', {
          query: 'mutation { __typename }',
          variables: {
            list: times(Math.floor(count / 2) - 4, () => []),
            more: times(4 + (count % 2), () => 1),
          },
        }),
      refused: tooManyBodyValues,
    },
  ],
  numberDigits: [
    {
      at: '.../all, the point and the exponent apart',
      // Digits in texts, and those of other numbers, do not count.
      ask: (count) =>
        caller.post(
          ALL,
          `{"take":0,"text":"${'1'.repeat(count)}","colour":[7,-1.${'1'.repeat(count - 3)}e-22]}`,
        ),
      refused: (most) => invalid('body', `body has a number of more than ${most} digits`),
    },
  ],
  heldBodyBytes: [
    {
      at: 'half of it for one organisation',
      ask: async (count) =>
        (await callerWith('heldBodyBytes')).post(
          ALL,
          padded('{"take":0,"colour":"', Math.ceil(count / 2), '"}'),
        ),
      refused: () => ({
        status: 503,
        code: 'service-unavailable',
        message: 'the service holds too many bytes of requests; try again soon',
      }),
    },
  ],
  heldRowBytes: [
    {
      at: 'half of it for one query',
      ask: askForBytes,
      refused: (most) => ({
        code: 'query-too-complex',
        message: `the query reads more than ${most / 2} bytes: ask for smaller pages, or for less in one query`,
      }),
    },
  ],
  waitingRequests: [
    {
      at: 'half of it for one organisation',
      ask: (count) => lineUp(Math.ceil(count / 2)),
      refused: (most) => ({
        status: 429,
        code: 'rate-limited',
        message: `${most / 2} requests of your organisation are already waiting; try again soon`,
      }),
    },
  ],
  waitingStatements: [
    {
      at: 'half of it for one organisation',
      ask: (count) => waitForTable(Math.ceil(count / 2)),
      refused: (most) => ({
        status: 429,
        code: 'rate-limited',
        message: `${most / 2} statements of your organisation are already waiting; try again soon`,
      }),
    },
  ],
  jsonDepth: [
    {
      at: '.../all',
      ask: (count) => caller.post(ALL, `{"take":0,"colour":${brackets(count - 1)}}`),
      refused: (most) => invalid('body', `body is nested deeper than ${most} levels`),
    },
    {
      at: 'GraphQL',
      ask: (count) =>
        caller.post('/graphql', `{"query":"{ __typename }","variables":{"list":${brackets(count - 2)}}}`),
      refused: (most) => invalid('body', `body is nested deeper than ${most} levels`),
    },
    {
      at: 'GraphQL by GET',
      ask: (count) => caller.get(`/graphql?query={__typename}&variables={"list":${brackets(count - 1)}}`),
      refused: (most) => complex(`variables is nested deeper than ${most} levels`, 'variables'),
    },
    {
      at: "a platform's answer",
      ask: (depth) => passThrough(caller, { depth }),
      refused: (most) => ({
        status: 502,
        code: 'platform-answer',
        message: `the platform's answer is nested deeper than ${most} levels`,
      }),
    },
  ],
  failedKeysPerMinute: [
    {
      at: 'an address, and a key that it has not sent before',
      ask: async (count) => {
        const one = lowered.get('failedKeysPerMinute') as App;
        for (let sent = 1; sent < count; sent += 1) {
          await callerOf(one, `svc_unknown_${asked}_${sent}_xxxxxxxx`).get(LIST);
        }
        asked += 1;
        // The minute of a count is the limit's own: what was counted for this edge counts on for the next one.
        return (await callerWith('failedKeysPerMinute')).get(LIST);
      },
      refused: () => ({
        status: 429,
        code: 'rate-limited',
        message: /^too many unknown API keys from your address; try again in \d+ s$/,
      }),
    },
  ],
  hooksPerMinute: [
    {
      at: 'the address of an integration',
      ask: async (count) => {
        const { organisationId } = await createTenant(app, 'many hooks');
        const tell = await createXeroHook(organisationId);
        let answer = await tell(lowered.get('hooksPerMinute') as App, []);
        for (let sent = 1; sent < count; sent += 1) {
          expect(answer.status).toBe(200);
          answer = await tell(lowered.get('hooksPerMinute') as App, []);
        }
        const text = await answer.text();
        const { status, headers } = answer;
        return { status, headers, text, body: text === '' ? {} : JSON.parse(text) };
      },
      refused: (most) => ({
        status: 429,
        code: 'rate-limited',
        message: `more than ${most} requests to this address in a minute`,
      }),
    },
  ],
  organisationRequestsPerMinute: [
    {
      at: 'all keys of an organisation together',
      ask: async (count) => {
        const one = lowered.get('organisationRequestsPerMinute') as App;
        const { organisationId } = await createTenant(app, 'many keys');
        let answer = await (await createCaller(one, organisationId)).get(LIST);
        for (let sent = 1; sent < count; sent += 1) {
          expect(answer.status).toBe(200);
          answer = await (await createCaller(one, organisationId)).get(LIST);
        }
        return answer;
      },
      refused: (most) => ({
        status: 429,
        code: 'rate-limited',
        message: new RegExp(
          `^more than ${most} requests of your organisation in a minute; try again in \\d+ seconds?$`,
        ),
      }),
    },
  ],
  requestsPerMinute: [
    {
      at: 'a key, both styles together',
      ask: async (count) => {
        const mine = await callerWith('requestsPerMinute');
        let answer = await mine.graphql('{ __typename }');
        for (let sent = 1; sent < count; sent += 1) {
          expect(answer.status).toBe(200);
          answer = await mine.get(LIST);
        }
        return answer;
      },
      refused: (most) => ({
        status: 429,
        code: 'rate-limited',
        message: new RegExp(`^more than ${most} requests in a minute; try again in \\d+ seconds?$`),
      }),
    },
  ],
  subscriptions: [
    {
      at: 'event streams of a key',
      ask: followTimes,
      refused: (most) => ({
        status: 429,
        code: 'rate-limited',
        message: `this key has ${most} subscriptions, which is the most`,
      }),
    },
  ],
  slowReaderMilliseconds: [
    {
      at: 'WebSocket',
      ask: readSlowly,
      refused: () => ({ status: 429, code: '1006', message: '' }),
    },
  ],
  queryMilliseconds: ['GraphQL', 'GET /v3/...'].map((at): Edge => ({
    at,
    ask: (count) =>
      patiently('queryMilliseconds', count, (hurried) =>
        at === 'GraphQL' ? hurried.graphql(ACCOUNTS) : hurried.get(LIST),
      ),
    refused: (most) => ({
      status: 504,
      code: 'query-timeout',
      message: `the query took longer than ${most} ms`,
    }),
  })),
  mutationMilliseconds: [
    {
      at: 'passthrough',
      ask: (count) => hurriedly('mutationMilliseconds', count),
      refused: (most) => ({
        status: 504,
        code: 'query-timeout',
        message: `the mutation took longer than ${most} ms; it may still be carried out`,
      }),
    },
  ],
  passthroughMilliseconds: [
    {
      at: 'passthrough',
      ask: (count) => hurriedly('passthroughMilliseconds', count),
      refused: (most) => ({
        status: 504,
        code: 'platform-timeout',
        message: new RegExp(`did not send a complete response within ${most} ms$`),
      }),
    },
  ],
  passthroughBytes: [
    {
      at: 'passthrough',
      ask: (count) => passThrough(caller, { bytes: count }),
      refused: (most) => ({
        status: 502,
        code: 'platform-answer',
        message: new RegExp(`is longer than ${most} bytes`),
      }),
    },
  ],
  fileBytes: [
    {
      at: 'download_document',
      ask: (count) => download(caller, `${count}`),
      refused: (most) => ({
        status: 413,
        code: 'file-too-large',
        message: `the file at SVC Sandbox Books is larger than ${most} bytes`,
      }),
    },
  ],
  fileMilliseconds: [
    {
      at: 'download_document',
      ask: async (count) =>
        download(await callerWith('fileMilliseconds'), count === LOWERED.fileMilliseconds ? '1' : 'hang-1'),
      refused: (most) => ({
        status: 504,
        code: 'platform-timeout',
        message: new RegExp(`did not send a complete response within ${most} ms$`),
      }),
    },
  ],
  downloadSeconds: [
    {
      at: 'download_url',
      ask: fetchAfter,
      refused: () => ({ status: 404, code: 'not-found', message: 'expired' }),
    },
  ],
  statementMilliseconds: ['GraphQL', 'GET /v3/...'].map((at): Edge => ({
    at,
    ask: (count) =>
      patiently('statementMilliseconds', count, (hurried) =>
        at === 'GraphQL' ? hurried.graphql(ACCOUNTS) : hurried.get(`${LIST}?sort[name]=ASC`),
      ),
    refused: () => ({
      status: 504,
      code: 'query-timeout',
      message:
        'one SQL statement took too long: narrow the query, or sort by svcId, svcCreatedAt or svcUpdatedAt, which are indexed',
    }),
  })),
};

test('every limit has a test of its edge', () => {
  expect(Object.keys(EDGES).sort()).toEqual(Object.keys(LIMIT_TABLE).sort());
  for (const edges of Object.values(EDGES)) expect(edges.length).toBeGreaterThan(0);
});

describe.each(Object.entries(EDGES) as [LimitName, readonly (Edge | Default)[]][])('%s', (name, edges) => {
  const { value, variable, about } = LIMIT_TABLE[name];
  const most = LOWERED[name] ?? value;

  test(`is ${value}, which docs/limits.md says, unless ${variable} says otherwise`, () => {
    const line = readFileSync('docs/limits.md', 'utf8')
      .split('\n')
      .find((one) => one.includes(`\`${variable}\``));
    const cells = line?.split('|').map((cell) => cell.trim());
    expect(cells?.slice(1, -1)).toEqual([about, String(value), `\`${variable}\``]);
    expect(readConfig({}, integrationTypes).limits[name]).toBe(value);
    expect(readConfig({ [variable]: '7' }, integrationTypes).limits[name]).toBe(7);
  });

  test.each(edges.map((edge) => [edge.at, edge] as const))('%s', async (_at, edge) => {
    if ('count' in edge) {
      expect(await edge.count()).toBe(most);
      return;
    }
    const passed = await edge.ask(most);
    expect({ status: passed.status, errors: passed.body.errors }).toEqual({ status: 200 });
    const { status, body } = await edge.ask(most + 1);
    const expected = edge.refused(most);
    expect(status).toBe(expected.status ?? 400);
    const error = body.errors ? { ...body.errors[0], ...body.errors[0].extensions } : body.error;
    expect(error.code).toBe(expected.code);
    expect([error.field ?? ''].flat().join('.')).toBe(expected.field ?? '');
    if (typeof expected.message === 'string') expect(error.message).toBe(expected.message);
    else expect(error.message).toMatch(expected.message);
  });
});

describe('a query that writes the same again and again', () => {
  const names = (count: number, selection: string) =>
    times(count, (index) => `a${index}: ${selection}`).join(' ');
  const CAPABILITIES = 'capabilities { dataModel createSchema updateSchema }';
  test.each([
    ['raw data', `{ accounts(first: 1000) { nodes { ${names(100, 'rawData')} } } }`],
    [
      'raw data by a fragment',
      `{ accounts(first: 1000) { nodes { company { svcId } ...Many } } }
        fragment Many on Account { ${names(100, 'rawData')} }`,
    ],
    ['nodes', `{ accounts(first: 1000) { ${names(100, 'nodes { rawData }')} } }`],
    ['capabilities', `{ accounts(first: 1000) { nodes { connection { ${names(10, CAPABILITIES)} } } } }`],
    ['changes', `{ changes(first: 1000) { nodes { ${names(100, 'changes')} } } }`],
  ])('%s is refused before it is read', async (_title, query) => {
    // Nothing could be read meanwhile: the query would run into its time limit.
    const { status, body } = await patiently('queryMilliseconds', Infinity, (one) => one.graphql(query));
    expect(status).toBe(400);
    expect(body.errors[0].extensions.code).toBe('query-too-complex');
  });

  test('some other names are no matter', async () => {
    const { status, body } = await caller.graphql(
      '{ accounts(first: 1000) { nodes { title: name again: name id: svcId } pageInfo { next: hasNextPage } } }',
    );
    expect({ status, errors: body.errors }).toEqual({ status: 200 });
    const [{ title, again }] = body.data.accounts.nodes;
    expect(again).toBe(title);
  });
});

test('a refusal of the rate says when to come back', async () => {
  const mine = await callerWith('requestsPerMinute');
  for (let sent = 0; sent < 3; sent += 1) await mine.get(LIST);
  const { headers } = await mine.get(LIST);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(headers.get('x-ratelimit-limit')).toBe('3');
  expect(headers.get('ratelimit-policy')).toMatch(/^"key";q=3;w=60(, "organisation";q=\d+;w=60)?$/);
  expect(headers.get('ratelimit')).toMatch(/^"key";r=0;t=\d+/);
});

test.each([
  ['maxWebhooks', '/v3/core/webhooks', () => ({ webhook: HOOK })],
  ['fieldMappings', '/v3/core/field_mappings', (place: number) => ({ ...MAPPING, name: `field_${place}` })],
  [
    'indexedFields',
    '/v3/core/field_mappings',
    (place: number) => ({ ...MAPPING, name: `field_${place}`, is_indexed: true }),
  ],
] as const)('%s is kept by twenty at the same time', async (name, path, bodyOf) => {
  const one = lowered.get(name);
  if (!one) throw new Error(`${name} is not lowered`);
  const own = await createCaller(one, (await createTenant(one, 'at once')).organisationId);
  // With connections open, all of them count before one is stored.
  await Promise.all(times(20, () => own.get(path)));
  // On a busy machine the last ones wait too long for their turn.
  const patiently = (place: number) =>
    until('an answer', async () => {
      const answer = await own.post(path, bodyOf(place));
      return answer.status === 503 ? null : answer;
    });
  const answers = await Promise.all(times(20, patiently));
  const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
  expect([count(200), count(400)]).toEqual([2, 18]);
});
