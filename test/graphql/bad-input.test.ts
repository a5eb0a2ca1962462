import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import type { App } from '../../src/app.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { callerOf, createCaller, startApp } from '../support/service.js';
import { storeBooks } from '../support/books.js';
import { admin } from '../support/admin.js';

let app: App;
let acme: Tenant;
let caller: Awaited<ReturnType<typeof createCaller>>;

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'bad input');
  await storeBooks(acme);
  caller = await createCaller(app, acme.organisationId);
});
afterAll(() => app.close());

describe('a request that is not executed has a code that docs/errors.md names', () => {
  const hash = 'a'.repeat(64);
  const post = (body: unknown, headers: Record<string, string> = {}) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const query = '{ __typename }';
  const plain = { accept: 'application/json' };
  const wrong = {
    query: 'query ($first: Int) { accounts(first: $first) { totalCount } }',
    variables: { first: 'x' },
  };

  test.each<[string, string, number, string, RequestInit]>([
    ['no GraphQL', '', 400, 'GRAPHQL_PARSE_FAILED', post({ query: '{' })],
    ['no GraphQL, as plain JSON', '', 200, 'GRAPHQL_PARSE_FAILED', post({ query: '{' }, plain)],
    ['an unknown field', '', 400, 'GRAPHQL_VALIDATION_FAILED', post({ query: '{ nope }' })],
    [
      'an unknown field, as plain JSON',
      '',
      200,
      'GRAPHQL_VALIDATION_FAILED',
      post({ query: '{ nope }' }, plain),
    ],
    ['a wrong variable', '', 400, 'BAD_USER_INPUT', post(wrong)],
    ['a wrong variable, as plain JSON', '', 200, 'BAD_USER_INPUT', post(wrong, plain)],
    ['an unknown operation', '', 400, 'OPERATION_RESOLUTION_FAILURE', post({ query, operationName: 'a' })],
    [
      'two operations',
      '',
      400,
      'OPERATION_RESOLUTION_FAILURE',
      post({ query: `query a ${query} query b ${query}` }),
    ],
    ['no query', '', 400, 'BAD_REQUEST', post({})],
    ['no query in the address', '', 400, 'BAD_REQUEST', {}],
    ['a query that is no text', '', 400, 'BAD_REQUEST', post({ query: 5 })],
    ['several requests', '', 400, 'BAD_REQUEST', post([{ query }])],
    ['variables as text', '', 400, 'BAD_REQUEST', post({ query, variables: '{}' })],
    ['a mutation with GET', '?query=mutation{__typename}', 405, 'BAD_REQUEST', {}],
    ['an answer that is no JSON', '', 406, 'BAD_REQUEST', post({ query }, { accept: 'text/csv' })],
    [
      'an unknown hash',
      '',
      200,
      'PERSISTED_QUERY_NOT_FOUND',
      post({ extensions: { persistedQuery: { version: 1, sha256Hash: hash } } }),
    ],
    ['another body', '', 415, 'unsupported-media-type', post({ query }, { 'content-type': 'text/plain' })],
    [
      'GraphQL',
      '',
      415,
      'unsupported-media-type',
      post({ query }, { 'content-type': 'application/graphql' }),
    ],
    ['another method', '', 405, 'method-not-allowed', { ...post({ query }), method: 'PUT' }],
  ])('%s', async (_what, search, status, code, init) => {
    const headers = { ...init.headers, api_key: caller.key };
    const answer = await fetch(`${app.url}/graphql${search}`, { ...init, headers });
    const { errors } = (await answer.json()) as { errors: { extensions: { code: string } }[] };
    expect([answer.status, errors[0]?.extensions.code]).toEqual([status, code]);
    const row = readFileSync('docs/errors.md', 'utf8')
      .split('\n')
      .find((line) => line.startsWith(`| \`${code}\``));
    // Of the first three, the text above the table says so.
    const isPlain = new Headers(init.headers).get('accept') === plain.accept;
    expect(row).toContain(isPlain ? '400' : String(status));
  });
});

test('a body of another type is told the type of this path', async () => {
  const headers = { api_key: caller.key, 'content-type': 'application/graphql' };
  const answer = await fetch(`${app.url}/graphql`, { method: 'POST', headers, body: '{ __typename }' });
  const { errors } = (await answer.json()) as { errors: { message: string }[] };
  expect(errors[0]?.message).toBe(
    'the body must be JSON, sent with the header content-type: application/json',
  );
});

describe('a list refuses', () => {
  test.each([
    ['first: -1', 'first must be between 0 and 1000, got -1'],
    ['first: 1, last: 1', 'last cannot be used together with first'],
    ['after: "rubbish"', 'after is not a valid cursor'],
    ['skip: -1', 'skip must be between 0 and 1000000, got -1'],
  ])('%s', async (args, message) => {
    const { status, body } = await caller.graphql(`{ accounts(${args}) { nodes { svcId } } }`);
    expect(status).toBe(400);
    expect(body.data).toBeNull();
    expect(body.errors[0].message).toContain(message);
    expect(['invalid-params', 'invalid-cursor']).toContain(body.errors[0].extensions.code);
  });

  test.each([
    [{ svcUpdatedAt: { gte: 'yesterday' } }, 'DateTime must be an ISO 8601 date-time'],
    [{ currentBalance: { gt: 'lots' } }, 'Decimal must be a decimal such as 12.50'],
    [{ svcId: { eq: 9007199254740992 } }, 'SvcId must be a whole number'],
    [{ colour: { eq: 'red' } }, 'Field "colour" is not defined by type "AccountFilter"'],
    [{ name: { eq: { ne: 'x' } } }, 'String cannot represent a non string value'],
  ])('a variable such as %j', async (filter, message) => {
    const query = 'query ($filter: AccountFilter) { accounts(filter: $filter) { totalCount } }';
    for (const _sight of ['first', 'compiled', 'again']) {
      const { status, body } = await caller.graphql(query, { filter });
      expect(status).toBe(400);
      expect(body.errors[0].message).toContain(message);
      expect(body.errors[0].extensions.code).toBe('BAD_USER_INPUT');
    }
  });

  test('a number that a double does not hold, in the digits that came', async () => {
    const query = 'query ($filter: AccountFilter) { accounts(filter: $filter) { totalCount } }';
    const answer = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { api_key: caller.key, 'content-type': 'application/json' },
      body: `{"query": "${query}", "variables": {"filter": {"name": {"eq": 12345678901234567890}, "x": 1e400}}}`,
    });
    const { errors } = (await answer.json()) as { errors: { message: string }[] };
    expect(errors[0]?.message).toContain('non string value: 12345678901234567890');
    expect(JSON.stringify(errors)).not.toContain('Lossless');
  });
});

describe('text that PostgreSQL cannot hold', () => {
  test.each([
    ['platformId', '{ account(companyId: 1, platformId: $text) { svcId } }'],
    ['id', '{ inviteLink(id: $text) { svcId } }'],
    ['filter.name.eq', '{ accounts(filter: { name: { eq: $text } }) { totalCount } }'],
  ])('is refused as %s', async (field, query) => {
    for (const text of ['a\0', '\ud800']) {
      const { body } = await caller.graphql(`query ($text: String!) ${query}`, { text });
      expect(body.errors[0].extensions).toEqual({ code: 'invalid-params', field: field.split('.') });
      expect(body.errors[0].message).toContain(`${field} must not hold`);
    }
  });
});

describe('a document is refused before it runs', () => {
  const expectRefusal = async (query: string, message: string, variables = {}) => {
    const started = process.hrtime.bigint();
    const { status, body } = await caller.graphql(query, variables);
    const milliseconds = Number(process.hrtime.bigint() - started) / 1e6;
    expect({ status, code: body.errors[0].extensions.code }).toEqual({
      status: 400,
      code: 'query-too-complex',
    });
    expect(body.errors[0].message).toContain(message);
    return milliseconds;
  };

  test('when depth hides in fragments', async () => {
    const fragments = Array.from(
      { length: 30 },
      (_, index) => `fragment F${index} on Account { parentAccount { ...F${index + 1} } }`,
    );
    await expectRefusal(
      `{ accounts { nodes { ...F0 } } } ${fragments.join(' ')} fragment F30 on Account { svcId }`,
      'deep, at most 12',
    );
  });

  test('when records multiply below each other', async () => {
    await expectRefusal(
      '{ contacts { nodes { invoices { nodes { contact { invoices { nodes { contact { invoices { nodes { svcId } } } } } } } } } } }',
      'at most 20000 is allowed: ask for smaller pages',
    );
  });

  test('when it introspects the schema under many aliases', async () => {
    const types = Array.from(
      { length: 95 },
      (_, index) => `a${index}: types { fields { type { fields { name } } } }`,
    );
    await expectRefusal(`{ __schema { ${types.join(' ')} } }`, 'the query costs 883501, at most 20000');
    await expectRefusal(
      '{ __schema { types { fields { args { type { inputFields { type { enumValues { name } } } } } } } } }',
      'the query costs 49801, at most 20000',
    );
  });

  test('but not when tools introspect the schema', async () => {
    const options = {
      descriptions: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      oneOf: true,
    };
    const whole = getIntrospectionQuery(options);
    for (const query of [
      whole,
      whole.replace('__schema {', '__typename accounts { totalCount } __schema {'),
    ]) {
      const { status, body } = await caller.graphql(query);
      expect({ status, errors: body.errors }).toEqual({ status: 200 });
      expect(body.data.__schema.types.length).toBeGreaterThan(300);
    }
  });

  test('when a fragment holds itself', async () => {
    const { status, body } = await caller.graphql(
      '{ accounts { nodes { ...A } } } fragment A on Account { parentAccount { ...B } } fragment B on Account { parentAccount { ...A } }',
    );
    expect({ status, code: body.errors[0].extensions.code }).toEqual({
      status: 400,
      code: 'GRAPHQL_VALIDATION_FAILED',
    });
  });

  test('when it is no GraphQL', async () => {
    const { status, body } = await caller.graphql('{ accounts { '.repeat(10));
    expect({ status, code: body.errors[0].extensions.code }).toEqual({
      status: 400,
      code: 'GRAPHQL_PARSE_FAILED',
    });
    const unknown = await caller.graphql('{ colours { name } }');
    expect({ status: unknown.status, code: unknown.body.errors[0].extensions.code }).toEqual({
      status: 400,
      code: 'GRAPHQL_VALIDATION_FAILED',
    });
  });
});

test('fragments that fan out onto one field are that field', async () => {
  const fragments = Array.from(
    { length: 18 },
    (_, index) => `fragment F${index} on Account { ...F${index + 1} ...F${index + 1} }`,
  );
  const query = `{ accounts { nodes { ...F0 } } } ${fragments.join(' ')} fragment F18 on Account { svcId }`;
  const { status, body } = await caller.graphql(query);
  const plain = await caller.graphql('{ accounts { nodes { svcId } } }');
  expect({ status, data: body.data }).toEqual({ status: 200, data: plain.body.data });
});

describe('the endpoint', () => {
  test('answers a missing or wrong key with 401 and a GraphQL body', async () => {
    for (const key of [null, 'x'.repeat(40), 'short']) {
      const { status, body } = await callerOf(app, key).graphql('{ __typename }');
      expect(status).toBe(401);
      expect(body.errors[0].extensions.code).toBe('unauthenticated');
    }
  });

  test('does not run batches or mutations by GET', async () => {
    expect((await caller.post('/graphql', [{ query: '{ __typename }' }])).status).toBe(400);
    expect((await caller.get('/graphql?query=mutation{__typename}')).status).toBe(405);
    expect((await caller.get('/graphql?query={__typename}')).status).toBe(200);
  });

  test('a key without the scope read may not read', async () => {
    const writer = await createCaller(app, acme.organisationId, { scopes: ['write'] });
    const { status, body } = await writer.graphql('{ accounts { totalCount } }');
    expect({ status, code: body.errors[0].extensions.code }).toEqual({ status: 403, code: 'forbidden' });
    expect((await writer.get('/v3/accounting/accounts')).status).toBe(403);
  });

  test('a failure of ours is masked and keeps its request id', async () => {
    const rename = (from: string, to: string) => admin.pool.query(`ALTER TABLE ${from} RENAME TO ${to}`);
    await rename('currencies', 'currencies_away');
    try {
      const { status, body } = await caller.graphql('{ currencies { nodes { code } } }');
      expect(status).toBe(500);
      expect(body.errors[0].extensions.code).toBe('internal-error');
      expect(JSON.stringify(body)).not.toContain('currencies_away');
      const rest = await caller.get('/v3/accounting/currencies');
      expect(rest.status).toBe(500);
      expect(rest.body).toEqual({
        error: { code: 'internal-error', message: expect.stringContaining('request id'), field: '' },
        request_id: rest.headers.get('x-request-id'),
      });
    } finally {
      await rename('currencies_away', 'currencies');
    }
  });
});
