import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import type { App } from '../../src/app.js';
import { ACCOUNTS, storeBooks } from '../support/books.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';

const LIVING = ACCOUNTS.filter(({ deleted }) => !deleted).map(({ platformId }) => platformId);
const PAGE = `query Accounts($companyId: SvcId, $first: Int, $after: String) {
  accounts(companyId: $companyId, first: $first, after: $after) {
    edges { cursor node { __typename id platformId name } }
    pageInfo { __typename hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;
const NODE = `query Node($id: ID!) { node(id: $id) { __typename id ... on Account { platformId name } } }`;

let app: App;
let acme: Tenant;
let headers: { api_key: string };

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'caches');
  await storeBooks(acme);
  headers = { api_key: (await createCaller(app, acme.organisationId)).key };
});
afterAll(() => app.close());

describe("Apollo Client's cache", () => {
  test('joins pages to one list, and keeps each record once by its id', async () => {
    const cache = new InMemoryCache({
      possibleTypes: { Node: ['Account'] },
      typePolicies: { Query: { fields: { accounts: relayStylePagination(['companyId']) } } },
    });
    const client = new ApolloClient({ cache, link: new HttpLink({ uri: `${app.url}/graphql`, headers }) });
    const query = client.watchQuery<any>({
      query: gql(PAGE),
      variables: { companyId: acme.companyId, first: 4 },
    });
    const { data: first } = (await query.refetch()) as { data: any };
    let { pageInfo } = first.accounts;
    while (pageInfo.hasNextPage) {
      const { data } = (await query.fetchMore({ variables: { after: pageInfo.endCursor } })) as { data: any };
      pageInfo = data.accounts.pageInfo;
    }
    const { accounts } = client.readQuery<any>({
      query: gql(PAGE),
      variables: { companyId: acme.companyId },
    });
    expect(accounts.edges.map(({ node }: any) => node.platformId)).toEqual(LIVING);
    const kept = Object.keys(cache.extract()).filter((key) => key.startsWith('Account:'));
    expect(kept).toHaveLength(LIVING.length);

    const [{ node }] = accounts.edges;
    const again = await client.query<any>({
      query: gql(NODE),
      variables: { id: node.id },
      fetchPolicy: 'network-only',
    });
    expect(again.data.node.platformId).toBe(node.platformId);
    expect(Object.keys(cache.extract()).filter((key) => key.startsWith('Account:'))).toHaveLength(
      LIVING.length,
    );
    client.stop();
  });
});

describe("urql's cache", () => {
  test('joins pages to one list, and keeps each record once by its id', async () => {
    const client = createClient({
      url: `${app.url}/graphql`,
      preferGetMethod: false,
      fetchOptions: { headers },
      exchanges: [cacheExchange({ resolvers: { Query: { accounts: relayPagination() } } }), fetchExchange],
    });
    const read = async (after: string | null) => {
      const variables = { companyId: acme.companyId, first: 4, after };
      const { data, error } = await client.query(PAGE, variables).toPromise();
      expect(error).toBeUndefined();
      return data.accounts;
    };
    let accounts = await read(null);
    while (accounts.pageInfo.hasNextPage) accounts = await read(accounts.pageInfo.endCursor);
    expect(accounts.edges.map(({ node }: any) => node.platformId)).toEqual(LIVING);

    // Nothing is sent: the page is in the cache, under the id of the record.
    const [{ node }] = accounts.edges;
    const { data } = await client.query(NODE, { id: node.id }).toPromise();
    expect(data.node).toEqual(node);
  });
});
