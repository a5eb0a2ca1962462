import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { GraphQLInputObjectType } from 'graphql';
import type { App } from '../../src/app.js';
import { createExecutor } from '../../src/graphql/execute.js';
import { createSchema } from '../../src/graphql/schema.js';
import { DEFAULT_LIMITS } from '../../src/limits.js';
import { Describer } from '../../src/rest/description/describe.js';
import { createRoutes } from '../../src/rest/routes/index.js';
import { openApi, operations, problemOf, resolve } from '../support/openapi.js';
import { createTenant } from '../support/seed.js';
import { type Caller, callerOf, createCaller, startApp } from '../support/service.js';

describe('docs/openapi.json', () => {
  test('has every route, and no other with a key', () => {
    const routes = createRoutes(createExecutor(createSchema(), { jit: false }), DEFAULT_LIMITS);
    const served = routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    const described = operations.filter(({ scopes }) => scopes.length > 0);
    expect(described.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([...served].sort());
  });

  test('has the parameters that routes read, and no others', () => {
    const schema = createSchema();
    const describer = new Describer(schema, DEFAULT_LIMITS);
    const routes = createRoutes(createExecutor(schema, { jit: false }), DEFAULT_LIMITS);
    const read = routes.filter(({ query }) => query !== 'own');
    expect(read.map(({ method, path, query = [] }) => [method, path, [...query].sort()])).toEqual(
      read.map((route) => {
        const named = route.describe(describer).parameters ?? [];
        return [route.method, route.path, named.map(({ name }) => name).sort()];
      }),
    );
  });

  test('gives each operation an id of its own', () => {
    const ids = operations.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
  });

  test('says of each operation more than its summary, and how its pages continue', () => {
    const inWords = (text: string) =>
      text
        .toLowerCase()
        .replace(/[^a-z]+/g, ' ')
        .trim();
    const short = operations.filter(
      ({ summary, description }) =>
        description.length < summary.length || inWords(description) === inWords(summary),
    );
    expect(short.map(({ id }) => id)).toEqual([]);
    const unpaged = operations.filter(
      ({ parameters, description }) =>
        parameters.some(({ name }) => name === 'next') && !description.includes('`next` of a response'),
    );
    expect(unpaged.map(({ id }) => id)).toEqual([]);
  });

  test('says which scope an operation needs, and that writes wait or are read later', () => {
    const unsaid = operations.filter(({ scopes, description }) =>
      scopes.slice(1).some((scope) => !description.includes(`scope \`${scope}\``)),
    );
    expect(unsaid.map(({ id }) => id)).toEqual([]);
    const writes = operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'run_async'));
    expect(writes.length).toBeGreaterThan(40);
    expect(writes.filter(({ description }) => !description.includes('`run_async`'))).toEqual([]);
  });

  test('has the documentation of GraphQL in the names of REST', () => {
    const said = (id: string) => operations.find((one) => one.id === id)?.description;
    expect(said('getCompany')).toMatch(/^One company, or 404 if the organisation has none with that id\. /);
    expect(said('createFieldMapping')).toMatch(/^Maps a value of `raw_data` to a named, typed field/);
  });

  test('has a documented answer for every operation', () => {
    const without = operations.filter(
      ({ scopes, examples }) => scopes.length > 0 && examples.answer === undefined,
    );
    // Refusals in the documents: the demo has both apps, nothing that was given up, and events of no such time.
    const refused = ['createIntegration', 'redeliverWebhook', 'retrySync', 'retryUpload'];
    // No JSON, but lines of it.
    const streamed = ['exportRecords'];
    expect(without.map(({ id }) => id).sort()).toEqual([...refused, ...streamed].sort());
  });

  test('has conditions written with brackets, as routes read them', () => {
    const inQuery = operations.flatMap(({ parameters }) => parameters);
    const objects = inQuery.filter(({ schema }) => resolve(schema)['type'] === 'object');
    expect(objects.length).toBeGreaterThan(100);
    expect(objects.filter(({ style }) => style !== 'deepObject')).toEqual([]);
  });

  test('has no condition filled in where a page sends the examples', () => {
    const deep = operations
      .flatMap(({ parameters }) => parameters)
      .filter(({ style }) => style === 'deepObject');
    expect(new Set(deep.map(({ example }) => JSON.stringify(example)))).toEqual(new Set(['{}']));
  });

  test('has the parts of a statement that may be selected, as those of records', () => {
    const names = { type: 'array', items: { type: 'string', enum: ['source', 'reconciliation'] } };
    for (const id of ['listBalanceSheets', 'listIncomeStatements', 'listCashFlowStatements']) {
      const select = operations
        .find((one) => one.id === id)
        ?.parameters.find(({ name }) => name === 'select');
      expect(select).toMatchObject({ style: 'form', explode: false, schema: names });
    }
    const body = operations.find(({ id }) => id === 'listAllBalanceSheets')?.body ?? {};
    expect(problemOf(body, { expand: ['source', 'reconciliation'] })).toBeNull();
    expect(problemOf(body, { expand: ['assets'] })).not.toBeNull();
  });

  test('has each word of a field once, over all platforms that take it', () => {
    const { BankTransactionCreate } = (openApi as any).components.schemas;
    expect(BankTransactionCreate.properties.type).toEqual({
      type: 'string',
      enum: ['RECEIVE', 'SPEND', 'TRANSFER', 'DEPOSIT', 'EXPENSE', 'CREDIT_CARD', 'FEE'],
    });
  });

  test('has the names of lines and statements where data models are taken', () => {
    const taken = (id: string, ...path: string[]) => {
      const body: any = operations.find((one) => one.id === id)?.body;
      return [...path, 'items', 'enum'].reduce((schema, name) => schema[name], resolve(body) as any);
    };
    const places = [
      taken('createWebhook', 'properties', 'webhook', 'properties', 'data_models'),
      taken('updateWebhook', 'properties', 'data_models'),
      taken('startSync', 'properties', 'data_models_to_sync'),
      taken('startUnversionedSync', 'properties', 'data_models_to_sync'),
    ];
    for (const names of places) {
      expect(names).toEqual(expect.arrayContaining(['ACCOUNTS', 'LINE_ITEMS', 'BALANCE_SHEET']));
    }
  });

  test('takes amounts in filters as answers have them', () => {
    const body = operations.find(({ id }) => id === 'listAllBillPayments')?.body ?? {};
    expect(problemOf(body, { filter: { amount: { gt: 12.5, in: ['12.50'] } } })).toBeNull();
    expect(problemOf(body, { filter: { amount: { gt: true } } })).not.toBeNull();
  });

  test('takes null and fields of an organisation in filters of a body', () => {
    const body = operations.find(({ id }) => id === 'listAllBills')?.body ?? {};
    const filter = {
      memo: null,
      status: { ne: null },
      posted_date: { eq: null },
      fields: { region: { eq: 'North', in: [1, 'x'] }, zone: null },
      custom_fields: null,
      not: null,
    };
    expect(problemOf(body, { filter })).toBeNull();
    expect(problemOf(body, { filter: { fields: { region: 'North' } } })).not.toBeNull();
    expect(problemOf(body, { filter: { posted_date: { gte: null } } })).not.toBeNull();
  });

  test('says what operations refuse, and which scopes they need', () => {
    const of = (name: string) => operations.find(({ id }) => id === name);
    for (const id of ['listBalanceSheets', 'listAllBalanceSheets', 'downloadDocument']) {
      expect([...(of(id)?.answers.keys() ?? [])]).toEqual(expect.arrayContaining([409, 502]));
    }
    expect(of('readRecord')?.scopes).toEqual(['read', 'write']);
    expect(of('listWebhookDeliveries')?.scopes).toEqual(['read', 'webhooks:manage']);
    const { version, changed_fields } = (openApi as any).components.schemas.Error.properties.error.properties;
    expect([version.type, changed_fields.type]).toEqual(['string', ['array', 'null']]);
  });

  test('requires bodies where an absent one is refused', () => {
    const bodies = Object.values<any>((openApi as any).paths)
      .flatMap((methods) => Object.values<any>(methods))
      .filter(({ requestBody }) => requestBody);
    const optional = bodies.filter(({ requestBody }) => !requestBody.required);
    expect(optional.every(({ operationId }) => operationId.startsWith('listAll'))).toBe(true);
    expect(bodies.find(({ operationId }) => operationId === 'readRecord').requestBody.required).toBe(true);
  });

  test('has the fields of the form of a document', () => {
    const { content } = (openApi as any).paths['/v3/accounting/documents'].post.requestBody;
    expect(Object.keys(content['multipart/form-data'].schema.properties).sort()).toEqual([
      'base64_file',
      'company_id',
      'connection_id',
      'document_type',
      'document_type_id',
      'dry_run',
      'file',
      'file_name',
      'file_size',
      'file_type',
      'integration_type',
      'run_async',
      'strict',
      'updated_at',
    ]);
  });

  test('says what strict writes refuse, as the GraphQL interface does, wherever it may be set', () => {
    const { strict } = (createSchema().getType('WriteRecordsInput') as GraphQLInputObjectType).getFields();
    const [, refuses] = String(strict?.description).split('Refuse ');
    const { parameters, requestBody } = (openApi as any).paths['/v3/accounting/documents'].post;
    const bodies: any[] = Object.values(requestBody.content);
    const said = [
      parameters.find(({ name }: any) => name === 'strict').description,
      ...bodies.map(({ schema }) => schema.properties.strict.description),
    ];
    expect(said).toHaveLength(3);
    for (const one of said) expect(one).toContain(`Whether to refuse ${refuses}`);
  });

  test('has what is never null, and closed sets, in addresses of customers', () => {
    const { EcommerceAddress } = (openApi as any).components.schemas;
    const { svc_id, platform_id, type } = EcommerceAddress.properties;
    expect([svc_id.type, platform_id.type]).toEqual(['integer', 'string']);
    expect(type.enum).toEqual(expect.arrayContaining(['BILLING', null]));
  });

  test('says which days and times are accepted, and how days are shown', () => {
    const { InvoiceCreate, Invoice, DayConditions, TimeConditions } = (openApi as any).components.schemas;
    const asWritten = expect.stringContaining('day as written, whatever its time zone');
    expect(InvoiceCreate.properties.posted_date.anyOf[0]).toMatchObject({
      format: 'date',
      description: asWritten,
    });
    expect(DayConditions.properties.gte.description).toContain('a day is its midnight in UTC');
    expect(TimeConditions.properties.gte.description).toContain('a time without an offset is UTC');
    expect(Invoice.properties.posted_date.description).toBe(
      'Day of the invoice. Midnight UTC: a day, without a time zone.',
    );
  });

  test('describes every documented request and answer, field by field', () => {
    const wrong = operations.flatMap(({ id, body, answers, examples }) => {
      const answer = answers.get(200)?.['application/json'];
      const problems = [
        examples.request !== undefined && body ? problemOf(body, examples.request) : null,
        examples.answer !== undefined && answer ? problemOf(answer, examples.answer) : null,
      ];
      return problems.flatMap((problem) => (problem ? [{ id, problem }] : []));
    });
    expect(wrong).toEqual([]);
  });
});

test('a svc_id of an answer can be put into a path as it is', () => {
  const inPaths = operations.flatMap(({ parameters }) => parameters).filter(({ name }) => name === 'svc_id');
  const types = inPaths.flatMap((one) => (one.in === 'path' ? [one.schema['type']] : []));
  expect(new Set(types)).toEqual(new Set(['integer']));
});

describe('GET /openapi.json', () => {
  let app: App;
  let stranger: Caller;
  beforeAll(async () => {
    app = await startApp({ LIMIT_PAGE_SIZE: '7', LIMIT_MAX_PAGE_SIZE: '70', LIMIT_MAX_TAKE: '77' });
    stranger = callerOf(app, null);
  });
  afterAll(() => app.close());

  test('answers the document without a key, with its own address', async () => {
    const { status, headers, body } = await stranger.get('/openapi.json');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(body.paths).toEqual(openApi['paths']);
    expect(body.servers[0].url).toBe(app.url);
  });

  test('has the limits of this service', async () => {
    const { body } = await stranger.get('/openapi.json');
    expect(body.components.parameters.limit.schema).toMatchObject({ default: 7, maximum: 70 });
    expect(body.components.schemas.Take).toMatchObject({ maximum: 77 });
  });

  test.each(['/openapi', '/swagger.json', '/api-docs', '/v3/openapi.json'])(
    'is found from %s',
    async (path) => {
      const { status, body } = await stranger.get(path);
      expect([status, body.openapi]).toEqual([200, openApi['openapi']]);
    },
  );
});

describe('GET /postman.json', () => {
  let app: App;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  test('has a request for every operation, with its documented body', async () => {
    const { body } = await callerOf(app, null).get('/postman.json');
    const requests: any[] = body.item.flatMap((folder: any) => folder.item.map((one: any) => one.request));
    const named = requests.map(
      ({ method, url }) => `${method} /${url.path.join('/').replace(/:(\w+)/g, '{$1}')}`,
    );
    expect([...named].sort()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).sort());
    const creation = requests.find(
      ({ method, url }) => method === 'POST' && url.raw.endsWith('/v3/core/webhooks'),
    );
    const documented = operations.find(({ id }) => id === 'createWebhook')?.examples.request;
    expect(JSON.parse(creation.body.raw)).toEqual(documented);
    expect(body.variable).toContainEqual({ key: 'url', value: app.url });
    // What is needed and has a list of words has one of them.
    const config = requests.find(({ url }) => url.raw.endsWith('/v3/core/syncs/config'));
    expect(config.url.query).toContainEqual(
      expect.objectContaining({ key: 'category', value: 'ACCOUNTING' }),
    );
  });

  test('works as it is: a request of it with the key answers', async () => {
    const { body } = await callerOf(app, null).get('/postman.json');
    const { key } = await createCaller(app, (await createTenant(app, 'postman')).organisationId);
    const list = body.item
      .flatMap((folder: any) => folder.item)
      .find((one: any) => one.name === 'List accounts').request;
    const query = list.url.query.filter((one: any) => !one.disabled);
    expect(query).toEqual([]);
    const variables = new Map<string, string>([
      ...body.variable.map((one: any) => [one.key, one.value] as const),
      ['api_key', key],
    ]);
    const filled = (text: string) =>
      text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => variables.get(name) ?? '');
    const auth = Object.fromEntries(body.auth.apikey.map((one: any) => [one.key, filled(one.value)]));
    const answer = await fetch(filled(list.url.raw), {
      method: list.method,
      headers: { [auth.key]: auth.value },
    });
    expect([answer.status, auth.in]).toEqual([200, 'header']);
  });
});
