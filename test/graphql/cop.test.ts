import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { getIntrospectionQuery } from 'graphql';
import type { App } from '../../src/app.js';
import { admin } from '../support/admin.js';
import { createTenant } from '../support/seed.js';
import { type Caller, callerOf, createCaller, startApp } from '../support/service.js';
import { until } from '../support/until.js';

/** The twelve checks of graphql-cop, against the service as it runs in production. */
let app: App;
let caller: Caller & { readonly key: string };
let organisationId: number;
let companyId: number;

beforeAll(async () => {
  app = await startApp({ NODE_ENV: 'production' });
  const acme = await createTenant(app, 'cop');
  ({ organisationId, companyId } = acme);
  caller = await createCaller(app, organisationId);
});
afterAll(() => app.close());

const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

describe('in production there is', () => {
  test('no alias overloading', async () => {
    const { status } = await caller.graphql(`{ ${times(101, (index) => `alias${index}: __typename`)} }`);
    expect(status).toBe(400);
  });

  test('no directive overloading: ten unknown directives do not give ten errors', async () => {
    const { status, body } = await caller.graphql(`{ __typename ${'@aa'.repeat(10)} }`);
    expect(status).toBe(400);
    expect(body.errors.length).toBeLessThan(10);
  });

  test('no batching', async () => {
    const { status } = await caller.post('/graphql', Array(10).fill({ query: '{ __typename }' }));
    expect(status).toBe(400);
  });

  test('no field duplication', async () => {
    const { status } = await caller.graphql(`{ ${'__typename '.repeat(500)} }`);
    expect(status).toBe(400);
  });

  test('no query by GET that another site could make a browser send', async () => {
    expect((await callerOf(app, null).get('/graphql?query={__typename}')).status).toBe(401);
  });

  test('no mutation by GET', async () => {
    expect((await caller.get('/graphql?query=mutation{__typename}')).status).toBe(405);
  });

  test('no url-encoded POST', async () => {
    const answer = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      body: 'query=%7B__typename%7D',
      headers: { api_key: caller.key, 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.status).toBe(415);
  });

  test('no introspection, circular or not', async () => {
    const circular = '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }';
    for (const query of [getIntrospectionQuery(), circular]) {
      const { status, body } = await caller.graphql(query);
      expect(status).toBe(400);
      expect(body.data).toBeUndefined();
    }
  });

  test('no suggestion of field names', async () => {
    const { text } = await caller.graphql('{ acounts { totalCount } }');
    expect(text).not.toContain('Did you mean');
  });

  test('no tracing', async () => {
    const { body } = await caller.graphql('{ __typename }');
    expect(body).toEqual({ data: { __typename: 'Query' } });
  });

  test('no playground', async () => {
    const page = await fetch(`${app.url}/graphql`, { headers: { accept: 'text/html' } });
    expect(await page.text()).not.toMatch(/graphiql|playground/i);
  });

  test('no error without a code, and no stack', async () => {
    const { text, body } = await caller.graphql('qwerty { abc }');
    expect(body.errors[0].extensions.code).toBe('GRAPHQL_PARSE_FAILED');
    expect(text).not.toContain('stacktrace');
  });
});

describe('a persisted query', () => {
  test('is registered once, then runs by its hash alone', async () => {
    const query = '{ persisted: __typename }';
    const extensions = {
      persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') },
    };
    const unknown = await caller.post('/graphql', { extensions });
    expect(unknown.body.errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');
    expect((await caller.post('/graphql', { query, extensions })).status).toBe(200);
    const known = await caller.post('/graphql', { extensions });
    expect(known.body).toEqual({ data: { persisted: 'Query' } });
  });

  const persisted = (query: string) => ({
    persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') },
  });

  test.each([1, [], { version: 2, sha256Hash: 'a' }])(
    'that is asked for by %j is the mistake of the caller',
    async (persistedQuery) => {
      const { status, body } = await caller.post('/graphql', { extensions: { persistedQuery } });
      expect([status, body.errors[0].extensions.code]).toEqual([400, 'invalid-params']);
    },
  );

  test('is known to other processes, by GET, too, and to no other organisation', async () => {
    const query = '{ shared: __typename }';
    const extensions = persisted(query);
    await caller.post('/graphql', { query, extensions });
    const other = await startApp();
    try {
      const elsewhere = callerOf(other, caller.key);
      // It is kept beside the answer.
      const known = await until('the text', async () => {
        const { body } = await elsewhere.post('/graphql', { extensions });
        return body.errors ? null : body;
      });
      expect(known).toEqual({ data: { shared: 'Query' } });
      const path = `/graphql?extensions=${encodeURIComponent(JSON.stringify(extensions))}`;
      expect((await callerOf(other, caller.key).get(path)).body).toEqual({ data: { shared: 'Query' } });
      const limited = await createCaller(other, organisationId, { companyIds: [companyId] });
      expect((await limited.post('/graphql', { extensions })).body).toEqual({ data: { shared: 'Query' } });
      const stranger = await createCaller(other, (await createTenant(other, 'stranger')).organisationId);
      for (const one of [other, app]) {
        const { body } = await callerOf(one, stranger.key).post('/graphql', { extensions });
        expect(body.errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');
      }
    } finally {
      await other.close();
    }
  });

  test('is kept only where it is valid, and a thousand of an organisation at most', async () => {
    const invalid = '{ nothingOfThisName }';
    await caller.post('/graphql', { query: invalid, extensions: persisted(invalid) });
    const kept = async () => {
      const organisation = { svcOrganisationId: BigInt(organisationId) };
      const rows = await admin.prisma.persistedQuery.findMany({ where: organisation });
      return rows.map(({ text }) => text);
    };
    await admin.prisma.persistedQuery.createMany({
      data: Array.from({ length: 1000 }, (_, index) => ({
        svcOrganisationId: BigInt(organisationId),
        hash: `old ${index}`,
        text: 'old',
        keptAt: new Date(0),
      })),
    });
    const query = '{ newest: __typename }';
    await caller.post('/graphql', { query, extensions: persisted(query) });
    await until('the text', async () => (await kept()).includes(query));
    const texts = await kept();
    expect(texts).toHaveLength(1000);
    expect(texts).not.toContain(invalid);
  });

  test('is refused under a hash that is not its own', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } };
    expect((await caller.post('/graphql', { query: '{ __typename }', extensions })).status).toBe(400);
  });
});
