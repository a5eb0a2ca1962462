import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Worker } from '../../src/jobs/worker.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { startTestSandbox } from '../support/sandbox.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';

let sandbox: Sandbox;
let app: App;
let worker: Worker;
let books: Writing;
let caller: Caller;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url });
  worker = await startWorker(sandbox);
  books = await createWriting(app, sandbox);
  caller = await createCaller(app, books.tenant.organisationId);
});
afterAll(async () => {
  await worker?.stop();
  await app?.close();
  await sandbox?.stop();
});

const SNAKE_CASE = /[a-z]_[a-z]/;
const CAMEL_CASE = /[a-z][A-Z][a-z]/;
/** The documented words of REST that are no snake_case: a parameter, and operators. */
const DOCUMENTED = /\b(orderBy|notIn|isNull|startsWith)\b/g;
const NOWHERE = 900_000_000_000;
const HOOK = { name: 'hook', type: 'SYNC_COMPLETED', url: 'https://hooks.example.com/' };
const BROKEN = '\ud800';
const many = (count: number, value: unknown) => Array.from({ length: count }, () => value);

interface Told {
  readonly message: string;
  readonly field?: readonly string[] | null;
}

/** Everything that an answer of GraphQL says is wrong. */
function toldBy(body: any): Told[] {
  const errors: Told[] = (body.errors ?? []).map(({ message, extensions }: any) => ({
    message,
    field: extensions.field ?? null,
  }));
  const payload = Object.values(body.data ?? {}).filter((value) => value !== null) as any[];
  const items = payload.flatMap((one) => [...(one.results ?? []), ...(one.items?.nodes ?? [])]);
  return [
    ...errors,
    ...payload.flatMap(({ userErrors }) => userErrors ?? []),
    ...items.flatMap(({ error }) => error ?? []),
    ...items.flatMap(({ warnings }) => (warnings ?? []).map((message: string) => ({ message }))),
  ];
}

const RESULTS = 'results { error { code message field } warnings }';

/** A mutation with the input that is wrong, and the path that the answer names. */
const mutations: [string, string, () => object, string[]][] = [
  ['updateCompany', '', () => ({ svcId: NOWHERE }), ['svcId']],
  ['updateCompany', '', () => ({ svcId: books.companyId, name: '' }), ['name']],
  ['updateCompany', '', () => ({ svcId: books.companyId, partnerId: '' }), ['partnerId']],
  ['updateCompany', '', () => ({ svcId: NOWHERE, syncConfig: many(201, setting()) }), ['syncConfig']],
  ...(
    [
      [{ interval: 0 }, 'interval'],
      [{ customFields: many(101, 'x') }, 'customFields'],
      [{ customFields: ['x'.repeat(201)] }, 'customFields'],
      [{ customFields: [BROKEN] }, 'customFields'],
    ] as const
  ).map(([wrong, name]): [string, string, () => object, string[]] => [
    'updateCompany',
    '',
    () => ({ svcId: books.companyId, syncConfig: [setting(), setting(wrong)] }),
    ['syncConfig', '1', name],
  ]),
  ['deleteCompany', '', () => ({ svcId: NOWHERE }), ['svcId']],
  ['disconnectConnection', '', () => ({ connectionId: NOWHERE }), ['connectionId']],
  ['createIntegration', '', () => integration({ clientId: '' }), ['clientId']],
  ['createIntegration', '', () => integration({ clientSecret: '\n' }), ['clientSecret']],
  ['updateIntegration', '', () => ({ svcId: NOWHERE, isDisabled: true }), ['svcId']],
  ['createInviteLink', '', () => ({}), ['companyName']],
  ['createInviteLink', '', () => ({ companyName: 'x', companyId: books.companyId }), ['companyName']],
  ['createInviteLink', '', () => ({ companyId: NOWHERE }), ['companyId']],
  ['createInviteLink', '', () => ({ companyName: ' ' }), ['companyName']],
  ['createInviteLink', '', () => ({ integrationCategories: [] }), ['integrationCategories']],
  [
    'createInviteLink',
    '',
    () => ({ integrations: ['XERO'], integrationCategories: ['ECOMMERCE'] }),
    ['integrations', '0'],
  ],
  ['createInviteLink', '', () => ({ companyName: 'x', expiresAt: '2001-01-01' }), ['expiresAt']],
  ['updateInviteLink', '', () => ({ inviteLinkId: 'odd' }), ['inviteLinkId']],
  ['deleteInviteLink', '', () => ({ inviteLinkId: BROKEN }), ['inviteLinkId']],
  ['passthrough', '', () => passed({ path: '/../x' }), ['data', 'path']],
  ['passthrough', '', () => passed({ path: '/x?a=%zz' }), ['data', 'path']],
  ['passthrough', '', () => passed({ headers: 'x' }), ['data', 'headers']],
  ['passthrough', '', () => passed({ headers: { 'a b': '1' } }), ['data', 'headers']],
  ['passthrough', '', () => passed({ method: 'POST', data: 'x' }), ['data', 'headers']],
  ['passthrough', '', () => passed({ params: { a: { b: 1 } } }), ['data', 'params']],
  ['passthrough', '', () => passed({ data: 1 }), ['data', 'data']],
  ['passthrough', '', () => ({ ...passed({}), companyId: NOWHERE }), ['companyId']],
  ['passthrough', '', () => ({ ...passed({}), connectionId: NOWHERE }), ['connectionId']],
  ['readRecord', '', () => wanted({ companyId: NOWHERE }), ['companyId']],
  ['readRecord', '', () => wanted({ platformId: 'nobody' }), ['platformId']],
  ['startSync', '', () => run({ integrationType: 'XERO' }), ['integrationType']],
  ['startSync', '', () => run({ companyId: NOWHERE }), ['companyId']],
  ['startSync', '', () => run({ connectionId: NOWHERE }), ['connectionId']],
  ['startSync', '', () => run({ dataModelsToSync: [] }), ['dataModelsToSync']],
  ['startSync', '', () => run({ syncFrom: '2999-01-01' }), ['syncFrom']],
  ['startSync', '', () => run({ syncFrom: '2001-01-01', fullSync: true }), ['syncFrom']],
  ['retrySync', '', () => ({ syncId: 'odd' }), ['syncId']],
  ['retryWrite', '', () => ({ writeId: 'odd' }), ['writeId']],
  ['createWebhook', '', () => ({ ...HOOK, name: ' ' }), ['name']],
  ['createWebhook', '', () => ({ ...HOOK, url: 'odd' }), ['url']],
  ['createWebhook', '', () => ({ ...HOOK, headers: { host: 'x' } }), ['headers']],
  ['createWebhook', '', () => ({ ...HOOK, companyIds: [NOWHERE] }), ['companyIds', '0']],
  ['updateWebhook', '', () => ({ webhookId: 'odd' }), ['webhookId']],
  ['rotateWebhookSecret', '', () => ({ webhookId: 'odd' }), ['webhookId']],
  ['testWebhook', '', () => ({ webhookId: 'odd' }), ['webhookId']],
  ['redeliverWebhook', '', () => ({ webhookId: 'odd', since: '2026-01-01' }), ['webhookId']],
  ['redeliverWebhookEvent', '', () => ({ webhookId: 'odd', eventId: 'odd' }), ['webhookId']],
  ['deleteWebhook', '', () => ({ webhookId: 'odd' }), ['webhookId']],
  ['downloadDocument', '', () => ({ companyId: books.companyId, documentId: 'odd' }), ['documentId']],
  ['writeRecords', RESULTS, () => written([], { data: [] }), ['data']],
  ['writeRecords', RESULTS, () => written([], { data: many(1001, {}) }), ['data']],
  ['writeRecords', RESULTS, () => written([7]), ['data']],
  ['writeRecords', RESULTS, () => written([{}], { idempotencyKey: 'ö' }), ['idempotencyKey']],
  ['writeRecords', RESULTS, () => written([{ posted_date: 'odd', journal_lines: [] }]), ['postedDate']],
  ['createJournalEntries', RESULTS, () => journal({ netAmount: -1 }), ['journalLines', '0', 'netAmount']],
  [
    'createJournalEntries',
    RESULTS,
    () => ({ ...journal({ accountId: 'nobody' }), strict: true }),
    ['journalLines', '0', 'accountId'],
  ],
  [
    'createJournalEntries',
    RESULTS,
    () => journal({ accountId: 'nobody' }),
    ['journalLines', '0', 'accountId'],
  ],
  [
    'createDocuments',
    RESULTS,
    () => ({ companyId: books.companyId, data: [{ ...documentItem(), base64File: '?' }] }),
    ['base64File'],
  ],
];

const setting = (wrong: object = {}) => ({ category: 'ACCOUNTING', dataModel: 'ACCOUNTS', ...wrong });
const integration = (wrong: object) => ({
  integrationType: 'XERO',
  clientId: 'id',
  clientSecret: 'secret',
  ...wrong,
});
const passed = (wrong: object) => ({
  companyId: books.companyId,
  data: { method: 'GET', path: '/LedgerAccounts', ...wrong },
});
const wanted = (wrong: object) => ({
  companyId: books.companyId,
  dataModel: 'ACCOUNTS',
  platformId: 'x',
  ...wrong,
});
const run = (wrong: object) => ({ companyId: books.companyId, integrationType: 'SVC_SANDBOX', ...wrong });
const written = (data: readonly unknown[], more: object = {}) => ({
  companyId: books.companyId,
  dataModel: 'JOURNAL_ENTRIES',
  data,
  ...more,
});
const journal = (wrong: object) => ({
  companyId: books.companyId,
  data: [
    {
      journalLines: [
        { accountId: books.ids.rent, type: 'DEBIT', netAmount: '1', ...wrong },
        { accountId: books.ids.bank, type: 'CREDIT', netAmount: '1' },
      ],
    },
  ],
});
const documentItem = () => ({ documentType: 'BILLS', fileName: 'a.pdf' });

/** A query that is wrong, and the path that the answer names. */
const queries: [string, string[]][] = [
  ['{ accounts(first: -1) { nodes { svcId } } }', ['first']],
  ['{ accounts(last: 5000) { nodes { svcId } } }', ['last']],
  ['{ accounts(first: 1, last: 1) { nodes { svcId } } }', ['last']],
  ['{ accounts(skip: -1) { nodes { svcId } } }', ['skip']],
  ['{ accounts(after: "odd") { nodes { svcId } } }', ['after']],
  ['{ accounts(before: "odd") { nodes { svcId } } }', ['before']],
  [
    '{ accounts(filter: { nominalCode: { eq: "a\\u0000" } }) { nodes { svcId } } }',
    ['filter', 'nominalCode', 'eq'],
  ],
  [
    `{ accounts(filter: { or: [{ nominalCode: { in: ${JSON.stringify(many(1001, 'x'))} } }] }) { nodes { svcId } } }`,
    ['filter', 'or', '0', 'nominalCode', 'in'],
  ],
  [
    '{ accounts(orderBy: [{ field: SVC_UPDATED_AT, direction: ASC }, { field: SVC_UPDATED_AT, direction: ASC }]) { nodes { svcId } } }',
    ['orderBy', '1', 'field'],
  ],
  ['{ account { svcId } }', ['svcId']],
  ['{ account(companyId: 1, platformId: "a\\u0000") { svcId } }', ['platformId']],
  ['{ sync(syncId: "a\\u0000") { svcId } }', ['syncId']],
  ['{ syncJob(jobId: "a\\u0000") { svcId } }', ['jobId']],
  ['{ syncs(first: -1) { nodes { svcId } } }', ['first']],
  ['{ syncs(after: "odd") { nodes { svcId } } }', ['after']],
  ['{ writes(last: -1) { nodes { svcId } } }', ['last']],
  ['{ write(writeId: "a\\u0000") { svcId } }', ['writeId']],
  ['{ writeItem(jobId: "a\\u0000") { svcId } }', ['jobId']],
  [`{ syncSettings(category: ACCOUNTING, companyId: ${NOWHERE}) { nodes { enabled } } }`, ['companyId']],
  [`{ nodes(ids: ${JSON.stringify(many(101, 'x'))}) { id } }`, ['ids']],
];

describe('GraphQL names what is wrong by its own names', () => {
  test.each(mutations)('%s %#', async (name, more, input, path) => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
    const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${more} userErrors { code message field } } }`;
    const { body } = await caller.graphql(query, { input: input() });
    expect(body.errors).toBeUndefined();
    const told = toldBy(body);
    expect(told.map(({ field }) => field)).toContainEqual(path);
    for (const { message, field } of told) {
      expect(message).not.toMatch(SNAKE_CASE);
      for (const part of field ?? []) expect(part).not.toMatch(SNAKE_CASE);
    }
  });

  test.each(queries.map(([query, path]) => [path.join('.'), query, path] as const))(
    '%s %#',
    async (_at, query, path) => {
      const { body } = await caller.graphql(query);
      expect(body.errors[0].path).toEqual([expect.any(String)]);
      const told = toldBy(body);
      expect(told.map(({ field }) => field)).toContainEqual(path);
      for (const { message } of told) expect(message).not.toMatch(SNAKE_CASE);
    },
  );
});

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

function send(method: Method, path: string, body: unknown) {
  if (method === 'GET') return caller.get(path);
  if (method === 'DELETE') return caller.remove(path);
  return method === 'POST' ? caller.post(path, body) : caller.put(path, body);
}

const V3 = '/v3/accounting/journal_entries';
const ALL = '/accounting/bill_payments/all';
const LINKS = '/v3/core/invite_links';
const HOOKS = '/v3/core/webhooks';
const LINK = { integration_categories: ['ACCOUNTING'] };
const SYNCS = '/v3/core/syncs';
const sync = (wrong: object) => ({
  company_id: books.companyId,
  integration_type: 'SVC_SANDBOX',
  full_sync: true,
  data_models_to_sync: ['ACCOUNTS'],
  ...wrong,
});
const realTime = (wrong: object) => ({
  company_id: books.companyId,
  data_model: 'ACCOUNTS',
  variables: { platform_id: 'x' },
  ...wrong,
});
const entry = (wrong: object) => ({
  company_id: books.companyId,
  data: [{ journal_lines: [{ account_id: books.ids.rent, type: 'DEBIT', net_amount: 1, ...wrong }] }],
});

/** A request of REST that is wrong, and the field that the answer names. */
const requests: [Method, string, () => unknown, string][] = [
  ['GET', '/v3/accounting/bill_payments?limit=0', () => undefined, 'limit'],
  ['GET', '/v3/accounting/bill_payments?next=odd', () => undefined, 'next'],
  ['GET', '/v3/accounting/bill_payments?prev=odd', () => undefined, 'prev'],
  ['GET', '/v3/accounting/bill_payments?next=a&prev=b', () => undefined, 'prev'],
  ['GET', '/v3/accounting/bill_payments?expand=odd', () => undefined, 'expand'],
  ['GET', '/v3/accounting/bill_payments?select=odd', () => undefined, 'select'],
  ['GET', '/v3/accounting/bill_payments?return_count=odd', () => undefined, 'return_count'],
  ['GET', '/v3/accounting/bill_payments?payment_date[odd]=1', () => undefined, 'payment_date[odd]'],
  ['GET', '/v3/accounting/bill_payments?payment_date[gte]=odd', () => undefined, 'payment_date[gte]'],
  ['GET', '/v3/accounting/bill_payments?sort[odd_field]=ASC', () => undefined, 'sort[odd_field]'],
  ['GET', '/v3/accounting/bill_payments?odd_field[eq]=1', () => undefined, 'odd_field[eq]'],
  ['GET', '/v3/accounting/bill_payments?payment_date=1', () => undefined, 'payment_date'],
  ['GET', '/v3/accounting/bill_payments/7', () => undefined, 'svc_id'],
  ['POST', ALL, () => ({ take: 5000 }), 'take'],
  ['POST', ALL, () => ({ skip: -1 }), 'skip'],
  ['POST', ALL, () => ({ filter: { payment_date: { gte: 'odd' } } }), 'filter.payment_date.gte'],
  ['POST', ALL, () => ({ filter: { or: [{ odd_field: { eq: 1 } }] } }), 'filter.or.0.odd_field'],
  ['POST', ALL, () => ({ filter: { payment_date: 7 } }), 'filter.payment_date'],
  ['POST', ALL, () => ({ orderBy: { payment_date: 'up' } }), 'orderBy.payment_date'],
  ['PUT', '/v3/core/companies/7', () => ({ name: 'x' }), 'id'],
  ['GET', '/v3/core/companies?status=ODD', () => undefined, 'status'],
  ['GET', '/v3/core/companies?next=odd', () => undefined, 'next'],
  ['POST', LINKS, () => ({ ...LINK }), 'company_name'],
  ['POST', LINKS, () => ({ ...LINK, company_name: ' ' }), 'company_name'],
  ['POST', LINKS, () => ({ ...LINK, company_name: 'x', company_id: books.companyId }), 'company_name'],
  ['POST', LINKS, () => ({ ...LINK, company_id: NOWHERE }), 'company_id'],
  ['POST', LINKS, () => ({ company_name: 'x' }), 'integration_categories'],
  [
    'POST',
    LINKS,
    () => ({ company_name: 'x', integration_categories: ['ODD'] }),
    'integration_categories[0]',
  ],
  ['POST', LINKS, () => ({ ...LINK, company_name: 'x', integrations: ['XERO', 'ODD'] }), 'integrations[1]'],
  ['POST', LINKS, () => ({ ...LINK, company_name: 'x', expires_at: '2001-01-01' }), 'expires_at'],
  [
    'POST',
    LINKS,
    () => ({ ...LINK, company_name: 'x', sync_config: [{ category: 'ACCOUNTING', data_model: 'ODD' }] }),
    'sync_config[0].data_model',
  ],
  [
    'POST',
    LINKS,
    () => ({ ...LINK, company_name: 'x', sync_config: [{ category: 'ACCOUNTING' }] }),
    'sync_config[0].data_model',
  ],
  ['PUT', `${LINKS}/odd`, () => LINK, 'id'],
  ['DELETE', `${LINKS}/odd`, () => undefined, 'id'],
  ['GET', '/invite_link?offset=-1', () => undefined, 'offset'],
  ['POST', SYNCS, () => sync({ company_id: NOWHERE }), 'company_id'],
  ['POST', SYNCS, () => sync({ integration_type: 'ODD' }), 'integration_type'],
  ['POST', SYNCS, () => sync({ data_models_to_sync: ['ODD'] }), 'data_models_to_sync'],
  ['POST', SYNCS, () => sync({ sync_from: '2001-01-01' }), 'sync_from'],
  ['POST', SYNCS, () => sync({ connection_id: NOWHERE }), 'connection_id'],
  ['POST', SYNCS, () => ({}), 'company_id'],
  ['GET', `${SYNCS}?next=odd`, () => undefined, 'next'],
  ['GET', `${SYNCS}?prev=odd`, () => undefined, 'prev'],
  ['GET', `${SYNCS}/config?category=ODD`, () => undefined, 'category'],
  ['GET', `${SYNCS}/config?category=ACCOUNTING&svc_company_id=${NOWHERE}`, () => undefined, 'svc_company_id'],
  ['GET', `${SYNCS}/odd`, () => undefined, 'id'],
  ['GET', '/jobs/odd', () => undefined, 'id'],
  ['GET', '/v3/core/uploads/odd', () => undefined, 'id'],
  ['GET', '/v3/core/capabilities?integration_type=ODD', () => undefined, 'integration_type'],
  ['POST', HOOKS, () => ({}), 'webhook'],
  ['POST', HOOKS, () => ({ webhook: { ...HOOK, url: undefined } }), 'webhook.url'],
  ['POST', HOOKS, () => ({ webhook: { ...HOOK, url: 'odd' } }), 'webhook.url'],
  ['POST', HOOKS, () => ({ webhook: { ...HOOK, data_models: ['ODD'] } }), 'webhook.data_models[0]'],
  ['POST', HOOKS, () => ({ webhook: { ...HOOK, companies: [NOWHERE] } }), 'webhook.companies[0]'],
  ['PUT', `${HOOKS}/odd`, () => ({}), 'id'],
  ['POST', `${HOOKS}/odd/rotate_secret`, () => ({}), 'id'],
  ['GET', `${HOOKS}/odd/deliveries`, () => undefined, 'id'],
  ['GET', `${HOOKS}/odd/deliveries?limit=0`, () => undefined, 'limit'],
  ['POST', `${HOOKS}/odd/test`, () => ({}), 'id'],
  ['POST', `${HOOKS}/odd/redeliver`, () => ({}), 'since'],
  ['POST', `${HOOKS}/odd/redeliver`, () => ({ since: '2026-01-01' }), 'id'],
  ['POST', `${HOOKS}/odd/deliveries/odd/redeliver`, () => ({}), 'id'],
  ['DELETE', '/v3/core/webhooks/odd', () => undefined, 'id'],
  ['POST', '/v3/core/real_time', () => realTime({ company_id: NOWHERE }), 'company_id'],
  ['POST', '/v3/core/real_time', () => realTime({ data_model: 'ODD' }), 'data_model'],
  ['POST', '/v3/core/real_time', () => realTime({}), 'variables.platform_id'],
  ['POST', '/v3/core/real_time', () => realTime({ variables: {} }), 'variables.platform_id'],
  ['POST', '/v3/core/real_time', () => realTime({ data_model: 'BALANCE_SHEETS' }), 'data_model'],
  [
    'POST',
    '/v3/core/passthrough',
    () => ({ company_id: books.companyId, data: { method: 'GET', path: '/../x' } }),
    'data.path',
  ],
  ['GET', '/v3/download_document/odd', () => undefined, 'svc_company_id'],
  ['GET', '/v3/download_document/odd?svc_company_id=1', () => undefined, 'document_id'],
  [
    'POST',
    '/integrations',
    () => ({ integration_type: 'XERO', client_id: '', client_secret: 'x' }),
    'client_id',
  ],
  ['PUT', '/integrations/7', () => ({ is_disabled: true, client_id: 'x', client_secret: 'x' }), 'id'],
  ['POST', V3, () => ({ ...entry({}), company_id: NOWHERE }), 'company_id'],
  ['POST', V3, () => entry({}), 'journal_lines'],
  ['POST', V3, () => ({ company_id: books.companyId, data: [] }), 'data'],
  ['POST', V3, () => ({ company_id: books.companyId, data: [7] }), 'data'],
  ['POST', V3, () => ({ company_id: books.companyId, data: [{}, {}] }), 'data'],
  ['POST', V3, () => entry({ net_amount: -1 }), 'journal_lines[0].net_amount'],
  ['POST', V3, () => entry({ net_amount: 0 }), 'journal_lines[0].net_amount'],
  ['POST', V3, () => entry({ net_amount: '0.00' }), 'journal_lines[0].net_amount'],
];

describe('REST names what is wrong by its own names', () => {
  test.each(requests)('%s %s %#', async (method, path, body, field) => {
    const answer = await send(method, path, body());
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const { error } = answer.body;
    expect(error.field).toBe(field);
    expect(error.message.replace(DOCUMENTED, '')).not.toMatch(CAMEL_CASE);
  });
});

describe('what came of a write', () => {
  const ITEMS = 'items(first: 10) { nodes { error { message field } warnings } }';

  test('is told in the names of who asks, not of who wrote', async () => {
    const { data } = (await caller.post('/accounting/journal_entries', entry({ net_amount: -1 }))).body;
    const [item] = data.data;
    expect(item.error).toMatchObject({
      message: 'Invalid field: journal_lines[0].net_amount. It must be above 0',
      field: 'journal_lines[0].net_amount',
    });
    const { body } = await caller.graphql(`{ write(writeId: "${data.upload_job_id}") { ${ITEMS} } }`);
    expect(body.data.write.items.nodes[0].error).toEqual({
      message: 'Invalid field: journalLines[0].netAmount. It must be above 0',
      field: ['journalLines', '0', 'netAmount'],
    });
  });

  test('tells a number that is too long from what is none', async () => {
    const { data } = (await caller.post('/accounting/journal_entries', entry({ net_amount: '1e41' }))).body;
    expect(data.data[0].error.message).toBe(
      'Invalid field: journal_lines[0].net_amount. It must be a decimal of at most 40 digits before and 20 after the point',
    );
  });

  test('of GraphQL is read by REST, warnings and the words of platforms too', async () => {
    const query = `mutation ($input: CreateJournalEntriesInput!) {
      createJournalEntries(input: $input) { write { writeId } ${RESULTS} } }`;
    const { body } = await caller.graphql(query, { input: journal({ accountId: 'nobody' }) });
    const { write, results } = body.data.createJournalEntries;
    expect(results[0]).toMatchObject({
      error: { field: ['journalLines', '0', 'accountId'] },
      warnings: ['journalLines[0].accountId: no ACCOUNTS record nobody is known here'],
    });
    const [item] = (await caller.get(`/v3/core/uploads/${write.writeId}`)).body.data.data;
    expect(item).toMatchObject({
      error: { field: 'journal_lines[0].account_id' },
      warnings: ['journal_lines[0].account_id: no ACCOUNTS record nobody is known here'],
    });
    expect(item.error.message).toMatch(/^Invalid field: journal_lines\[0\]\.account_id\. /);
  });

  test('keeps the names that are not ours: those of the caller, and those of platforms', async () => {
    const line = { account_id: books.ids.rent, type: 'DEBIT', net_amount: 1, oddField: 1 };
    const item = { odd_field: 1, journal_lines: [line, { ...line, type: 'CREDIT' }] };
    const input = written([item], { dryRun: true });
    const expected = (lines: string) => [
      'odd_field is not written: it is not a field of these items',
      `${lines}[0]: oddField is not written: it is not a field of these items`,
      `${lines}[1]: oddField is not written: it is not a field of these items`,
    ];
    const { body } = await caller.graphql(
      `mutation ($input: WriteRecordsInput!) { writeRecords(input: $input) { ${RESULTS} } }`,
      { input },
    );
    expect([...body.data.writeRecords.results[0].warnings].sort()).toEqual(expected('journalLines').sort());
    const answer = await caller.post('/accounting/journal_entries', {
      company_id: books.companyId,
      dry_run: true,
      data: [item],
    });
    expect([...answer.body.data.data[0].warnings].sort()).toEqual(expected('journal_lines').sort());
  });
});
