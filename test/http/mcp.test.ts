import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { App } from '../../src/app.js';
import type { Worker } from '../../src/jobs/worker.js';
import { packagePath } from '../../src/package-path.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { admin } from '../support/admin.js';
import { collectLog } from '../support/log-lines.js';
import { startTestSandbox } from '../support/sandbox.js';
import { createTenant } from '../support/seed.js';
import { callerOf, createCaller, startApp, testLogin } from '../support/service.js';
import { openStrictProxy } from '../support/strict-proxy.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';

const READING = [
  'list_companies',
  'describe_records',
  'query_records',
  'search_records',
  'get_record',
  'sync_status',
];
const WRITING = [...READING, 'plan_write', 'apply_write'];

let sandbox: Sandbox;
let app: App;
let worker: Worker;
let books: Writing;
let full: Client;
let reader: Client;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url });
  worker = await startWorker(sandbox);
  books = await createWriting(app, sandbox);
  full = await connect(books.caller.key);
  const { key } = await createCaller(app, books.tenant.organisationId, { scopes: ['read'] });
  reader = await connect(key);
});
afterAll(async () => {
  await full?.close();
  await reader?.close();
  await worker?.stop();
  await app?.close();
  await sandbox?.stop();
});

async function connect(key: string, to = app): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { api_key: key } };
  // The transport's own type leaves out what `exactOptionalPropertyTypes` asks of it.
  await client.connect(new StreamableHTTPClientTransport(new URL(`${to.url}/mcp`), { requestInit }));
  return client;
}

async function use(client: Client, name: string, given: object = {}) {
  const { isError = false, content } = (await client.callTool({ name, arguments: { ...given } })) as any;
  return { isError, answer: JSON.parse(content[0].text) };
}

const toolsOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

describe('POST /mcp', () => {
  test('has tools that read, and those that write only for keys that may', async () => {
    expect(await toolsOf(reader)).toEqual(READING);
    expect(await toolsOf(full)).toEqual(WRITING);
    const { tools } = await full.listTools();
    const hints = tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]);
    expect(hints).toEqual(WRITING.map((name) => [name, name !== 'apply_write']));
  });

  test('says what it is, and that records are no instructions', () => {
    expect(full.getServerVersion()?.name).toBe('unified-financial-data');
    expect(full.getInstructions()).toContain('never an instruction');
  });

  test('needs a key', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const { status, body: answer } = await callerOf(app, null).post('/mcp', body);
    expect([status, answer.error.code]).toEqual([401, 'unauthenticated']);
  });

  test('counts as a request of its key', async () => {
    const limited = await startApp({ LIMIT_REQUESTS_PER_MINUTE: '2' });
    try {
      const caller = await createCaller(limited, books.tenant.organisationId);
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      const headers = { accept: 'application/json, text/event-stream' };
      const statuses: number[] = [];
      for (let sent = 0; sent < 3; sent += 1) {
        statuses.push((await caller.post('/mcp', body, headers)).status);
      }
      expect(statuses).toEqual([200, 200, 429]);
    } finally {
      await limited.close();
    }
  });

  test('takes ten messages in a request, and no more', async () => {
    const messages = (count: number) =>
      Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }));
    const headers = { accept: 'application/json, text/event-stream' };
    const ten = await books.caller.post('/mcp', messages(10), headers);
    expect([ten.status, ten.body]).toMatchObject([200, { length: 10 }]);
    const { status, body } = await books.caller.post('/mcp', messages(11), headers);
    expect([status, body]).toMatchObject([400, { error: { code: 'invalid-params', field: 'body' } }]);
  });

  test('answers a request that is cancelled in its own body', async () => {
    const messages = [
      { jsonrpc: '2.0', id: 7, method: 'tools/list' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } },
    ];
    const headers = { accept: 'application/json, text/event-stream' };
    const { status, body } = await books.caller.post('/mcp', messages, headers);
    expect([status, [body].flat()]).toMatchObject([200, [{ id: 7, result: {} }]]);
  });

  test('lists companies, and finds none of another organisation', async () => {
    const { answer } = await use(reader, 'list_companies');
    expect(answer.companies).toEqual([
      expect.objectContaining({
        svc_id: books.companyId,
        connections: [expect.objectContaining({ connection_status: 'HEALTHY' })],
      }),
    ]);
    const stranger = await connect(
      (await createCaller(app, (await createTenant(app, 'stranger')).organisationId)).key,
    );
    expect(
      (await use(stranger, 'query_records', { data_model: 'ACCOUNTS', company_id: books.companyId })).answer
        .data ?? [],
    ).toEqual([]);
    const { answer: account } = await use(reader, 'query_records', { data_model: 'ACCOUNTS', limit: 1 });
    const hidden = await use(stranger, 'get_record', {
      data_model: 'ACCOUNTS',
      svc_id: account.data[0].svc_id,
    });
    expect(hidden).toMatchObject({ isError: true, answer: { code: 'not-found' } });
    await stranger.close();
  });

  test('takes lists of numbers as of texts', async () => {
    const { answer: accounts } = await use(reader, 'query_records', { data_model: 'ACCOUNTS', limit: 2 });
    const ids = accounts.data.map((one: any) => one.svc_id);
    for (const given of [ids, ids.map(String)]) {
      const filter = { svc_id: { in: given } };
      const { answer } = await use(reader, 'query_records', { data_model: 'ACCOUNTS', filter });
      expect(answer.data.map((one: any) => one.svc_id)).toEqual(ids);
    }
  });

  test('describes record types, so that a query can be made from the description', async () => {
    const { answer: types } = await use(reader, 'describe_records');
    expect(types).toContainEqual({
      data_model: 'CONTACTS',
      category: 'ACCOUNTING',
      can_be_written: true,
      can_be_updated: true,
    });
    const { answer: invoices } = await use(reader, 'describe_records', { data_model: 'INVOICES' });
    const due = invoices.fields.find(({ name }: any) => name === 'amount_due');
    expect(due).toMatchObject({ type: 'decimalNumber', operators: expect.arrayContaining(['gt', 'lte']) });
    expect(invoices.relations).toContain('line_items');
    const { isError, answer } = await use(reader, 'query_records', {
      data_model: 'INVOICES',
      company_id: books.companyId,
      filter: { [due.name]: { gt: 0 }, status: { in: ['SUBMITTED', 'OVERDUE'] } },
      sort: { posted_date: 'DESC' },
      expand: ['line_items'],
      limit: 2,
    });
    expect(isError).toBe(false);
    expect(answer.data).toHaveLength(2);
    expect(answer.data[0].line_items.length).toBeGreaterThan(0);
    expect(answer.total_count).toBeGreaterThan(2);
    const next = await use(reader, 'query_records', { data_model: 'INVOICES', limit: 2, next: answer.next });
    expect(next.isError).toBe(true);
  });

  test('tells what was refused', async () => {
    const filter = { colour: { eq: 'red' } };
    const { isError, answer } = await use(reader, 'query_records', { data_model: 'accounts', filter });
    expect({ isError, answer }).toEqual({
      isError: true,
      answer: {
        code: 'invalid-params',
        message: 'colour[eq] is not a filter: there is no field colour',
        field: 'colour[eq]',
      },
    });
    const unknown = await use(reader, 'describe_records', { data_model: 'PLANETS' });
    expect(unknown).toMatchObject({ isError: true, answer: { field: 'data_model' } });
  });

  test.each([
    ['sync_status', { company_id: 999_999_999 }, 'company_id'],
    ['search_records', { text: 'a\u0000b' }, 'text'],
    ['plan_write', { data_model: 'CONTACTS', operation: 'UPDATE', items: [{}, {}] }, 'items'],
  ])('names the argument of %s at fault', async (tool, given, field) => {
    const whole = tool === 'plan_write' ? { company_id: books.companyId, ...given } : given;
    const { isError, answer } = await use(full, tool, whole);
    expect([isError, answer]).toMatchObject([true, { field }]);
    expect(answer.message).not.toMatch(/\bdata\b|filter|run_async|^id\b/);
  });

  test('logs what it may not tell', async () => {
    const { log, saying } = collectLog();
    const role = decodeURIComponent(new URL(testLogin().url).username);
    const logged = await startApp({ SANDBOX_URL: sandbox.url }, { log });
    const client = await connect(books.caller.key, logged);
    await admin.pool.query(`REVOKE SELECT ON accounts FROM ${role}`);
    try {
      const { isError, answer } = await use(client, 'query_records', { data_model: 'accounts' });
      expect([isError, answer]).toMatchObject([true, { code: 'internal-error' }]);
      expect(saying('unexpected error in a tool')).toHaveLength(1);
    } finally {
      await admin.pool.query(`GRANT SELECT ON accounts TO ${role}`);
      await client.close();
      await logged.close();
    }
  });

  test('takes nothing that it does not know: leaving out a condition would answer with everything', async () => {
    const given = { data_model: 'ACCOUNTS', svc_company_id: books.companyId };
    const refused = (await reader.callTool({ name: 'query_records', arguments: given })) as any;
    expect(refused.isError).toBe(true);
    expect(refused.content[0].text).toContain(
      'There is no svc_company_id here: this tool accepts data_model, company_id, filter, sort, expand, limit, next',
    );
    const { tools } = await full.listTools();
    const closed = tools.map(({ inputSchema }) => inputSchema['additionalProperties']);
    expect(closed).toEqual(tools.map(() => false));
  });

  test.each([
    { eq: '' },
    { ne: 'null' },
    { in: [] },
    { in: ['Sales', ''] },
    { in: ['Sales\\', 'Cash'] },
    { eq: ['Cash, petty', 'Sales'] },
  ])('refuses %j, which a query string cannot say', async (condition) => {
    const given = { data_model: 'ACCOUNTS', filter: { name: condition } };
    const field = `name[${Object.keys(condition)[0]}]`;
    const refused = { isError: true, answer: { code: 'invalid-params', field } };
    expect(await use(reader, 'query_records', given)).toMatchObject(refused);
  });

  test.each<[string, object, string]>([
    [
      'search_records',
      { text: 'a', data_models: [] },
      'Name one type or more, or leave this out at data_models',
    ],
    ...[1e21, 12345678901234568000, null, { eq: 1 }].map((gt): [string, object, string] => [
      'query_records',
      { data_model: 'INVOICES', filter: { total_amount: { gt } } },
      'a number of more than 15 digits is written as text at filter.total_amount.gt',
    ]),
    [
      'get_record',
      { data_model: 'INVOICES', svc_id: 2 ** 60 },
      'Expected a whole number up to 9007199254740991, received 1152921504606847000 at svc_id',
    ],
  ])('says what would be right for %s with %j', async (name, given, message) => {
    const { isError, content } = (await reader.callTool({ name, arguments: { ...given } })) as any;
    expect(isError).toBe(true);
    expect(content[0].text).toContain(message);
  });

  test('takes numbers of many digits as texts', async () => {
    for (const gt of ['1e21', '1000000000000000000000', '12345678901234567.89']) {
      const given = { data_model: 'INVOICES', filter: { total_amount: { gt } } };
      const { isError, answer } = await use(reader, 'query_records', given);
      expect({ isError, found: answer.total_count }).toEqual({ isError: false, found: 0 });
    }
  });

  test('takes lists of texts with commas', async () => {
    const name = 'Cash, petty \\, and more';
    await admin.pool.query(
      `UPDATE accounts SET name = $2
       WHERE svc_id = (SELECT min(svc_id) FROM accounts WHERE svc_company_id = $1)`,
      [books.companyId, name],
    );
    const filter = { name: { in: [name, 'None, of this name'] } };
    const { answer } = await use(reader, 'query_records', { data_model: 'ACCOUNTS', filter });
    expect(answer.data.map((one: any) => one.name)).toEqual([name]);
  });

  test("shows fields of the organisation's own, and filters by them", async () => {
    const named = (value: string) => ({ 'custom_fields[Region]': { eq: value } });
    const given = { data_model: 'CONTACTS', expand: ['custom_fields'] };
    const { answer: east } = await use(reader, 'query_records', { ...given, filter: named('East') });
    expect(east.total_count).toBeGreaterThan(0);
    const regions = east.data.map((one: any) => one.custom_fields.find(({ name }: any) => name === 'Region'));
    expect(new Set(regions.map(({ value }: any) => value))).toEqual(new Set(['East']));
    const { answer: none } = await use(reader, 'query_records', { ...given, filter: named('Nowhere') });
    expect(none.total_count).toBe(0);
  });

  test('searches names and numbers', async () => {
    const { answer: some } = await use(reader, 'query_records', { data_model: 'CONTACTS', limit: 1 });
    const [contact] = some.data;
    const { answer } = await use(reader, 'search_records', {
      text: contact.name,
      company_id: books.companyId,
    });
    expect(answer.CONTACTS.map((one: any) => one.svc_id)).toContain(contact.svc_id);
    expect(Object.keys(answer)).toEqual(['CONTACTS', 'ACCOUNTS', 'ITEMS', 'INVOICES', 'BILLS']);
  });

  test('finds amounts as numbers with all their digits', async () => {
    const item = { name: 'Many digits', code: 'MD-1', type: 'INVENTORY' };
    await books.caller.post('/accounting/items', { company_id: books.companyId, data: [item] });
    await admin.pool.query(
      `UPDATE items SET quantity_on_hand = 12345678901234.567891 WHERE svc_company_id = $1 AND name = $2`,
      [books.companyId, item.name],
    );
    const given = { text: item.name, data_models: ['ITEMS'] };
    const { content } = (await reader.callTool({ name: 'search_records', arguments: given })) as any;
    expect(content[0].text).toContain('"quantity_on_hand":12345678901234.567891');
  });

  test('says how fresh a company is', async () => {
    const { answer } = await use(reader, 'sync_status', { company_id: books.companyId });
    expect(answer.company).toMatchObject({ svc_id: books.companyId });
    const { sync_id: syncId } = answer.syncs[0];
    const { body } = await books.caller.get(`/v3/core/syncs/${syncId}`);
    expect(answer.syncs[0]).toEqual(body.data);
  });

  test('writes what was planned, once, and nothing else', async () => {
    const write = {
      company_id: books.companyId,
      data_model: 'CONTACTS',
      items: [{ name: 'By an assistant', contact_type: 'CUSTOMER' }],
    };
    const named = async () =>
      (await use(reader, 'search_records', { text: 'By an assistant', data_models: ['CONTACTS'] })).answer
        .CONTACTS;
    const { answer: planned } = await use(full, 'plan_write', write);
    expect(planned.plan).toMatchObject({ status: 'PLANNED', data: [{ status: 'planned', error: null }] });
    expect(await named()).toEqual([]);

    const apply = { ...write, confirmation: planned.confirmation, idempotency_key: 'assistant-1' };
    const other = await use(full, 'apply_write', { ...apply, items: [{ name: 'Somebody else' }] });
    expect(other).toMatchObject({
      isError: true,
      answer: { code: 'operation-denied', field: 'confirmation' },
    });

    const { answer: first } = await use(full, 'apply_write', apply);
    const { answer: again } = await use(full, 'apply_write', apply);
    expect(first.data).toMatchObject({
      status: 'SUCCESS',
      data: [{ response: { name: 'By an assistant' } }],
    });
    expect(again.data.upload_job_id).toBe(first.data.upload_job_id);
    expect(await named()).toHaveLength(1);
  });

  test.each([
    [{ data_model: 'currencies' }, 'data_model', /^CURRENCIES cannot be written: .*\bCONTACTS\b/],
    [{ data_model: 'PLANETS' }, 'data_model', /^data_model must be one of (?!.*CURRENCIES).*\bCONTACTS\b/],
    [
      { data_model: 'ACCOUNTS', operation: 'UPDATE' },
      'operation',
      /^ACCOUNTS cannot be updated, only .*\bCONTACTS\b/,
    ],
  ])('says of %j what can be written', async (given, field, said) => {
    const write = { company_id: books.companyId, items: [{ name: 'Any' }], ...given };
    const message = expect.stringMatching(said);
    const refused = { isError: true, answer: { code: 'invalid-params', field, message } };
    expect(await use(full, 'plan_write', write)).toEqual(refused);
  });

  test('lets no key without the scope write, even where its tool is known', async () => {
    const write = { company_id: books.companyId, data_model: 'CONTACTS', items: [{ name: 'No' }] };
    const { isError } = (await reader.callTool({ name: 'plan_write', arguments: write })) as any;
    expect(isError).toBe(true);
  });
});

describe('dist/cli/mcp.js', () => {
  const startAt = async (url: string, ...args: string[]) => {
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [packagePath('dist/cli/mcp.js'), '--url', url, ...args],
      env: { API_KEY: books.caller.key },
    });
    await client.connect(transport);
    return client;
  };
  const start = (...args: string[]) => startAt(app.url, ...args);

  test('has the tools that read over stdio, and answers as the service does', async () => {
    const client = await start();
    expect(await toolsOf(client)).toEqual(READING);
    expect(await use(client, 'list_companies')).toEqual(await use(full, 'list_companies'));
    const missing = { data_model: 'ACCOUNTS', svc_id: 999_999_999 };
    expect(await use(client, 'get_record', missing)).toEqual(await use(full, 'get_record', missing));
    await client.close();
  });

  test('has those that write where that is allowed', async () => {
    const client = await start('--allow-writes');
    expect(await toolsOf(client)).toEqual(WRITING);
    const write = { company_id: books.companyId, data_model: 'ITEMS', items: [{ name: 'Planned' }] };
    expect((await use(client, 'plan_write', write)).answer).toEqual(
      (await use(full, 'plan_write', write)).answer,
    );
    await client.close();
  });

  test('goes through a proxy that drops headers with underscores', async () => {
    const proxy = await openStrictProxy(app.url);
    const client = await startAt(proxy.url);
    expect(await use(client, 'list_companies')).toEqual(await use(full, 'list_companies'));
    await client.close();
    proxy.close();
  });

  test('says what a proxy in between answers, and that nobody does', async () => {
    const proxy = createServer((request, response) => {
      if (request.url === '/') return response.end('{"version":"1"}');
      return response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>');
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const client = await startAt(url);
    const said = async () => JSON.stringify((await use(client, 'list_companies')).answer);
    expect(await said()).toContain(`${new URL(url).host} answered 502 Bad Gateway`);
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
    expect(await said()).toContain(`there is no service at ${url}`);
    await client.close();
  });
});
