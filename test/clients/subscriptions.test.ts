import { ApolloClient, gql, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createClient as createUrqlClient, subscriptionExchange } from '@urql/core';
import { type Client, createClient, type Sink } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { App } from '../../src/app.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';
import { until } from '../support/until.js';

let app: App;
let acme: Tenant;
let socket: Client;

beforeAll(async () => {
  app = await startApp();
});
beforeEach(async () => {
  acme = await createTenant(app, 'subscribers');
  const { key } = await createCaller(app, acme.organisationId);
  socket = createClient({
    url: `${app.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { api_key: key },
  });
});
afterAll(() => app.close());

const CHANGES = `subscription ($after: String) {
  changes(after: $after) { __typename id position record { __typename ... on Account { id name } } }
}`;
const store = (name: string) => acme.store('Account', [{ platformId: 'cash', values: { name } }]);
/** History, then what happens while the client follows. */
const EXPECTED = [
  [1, 'Petty cash'],
  [2, 'Petty cash'],
  [3, 'Till'],
];

async function follow(told: unknown[][]): Promise<void> {
  await until('the history', () => told.length === 2);
  await store('Till');
  await until('the news', () => told.length === 3);
  expect(told).toEqual(EXPECTED);
  await socket.dispose();
}

test('Apollo Client follows changes, and has the records in its cache', async () => {
  await store('Cash');
  await store('Petty cash');
  const cache = new InMemoryCache({ possibleTypes: { Record: ['Account'], Node: ['Account', 'Change'] } });
  const client = new ApolloClient({ cache, link: new GraphQLWsLink(socket) });
  const told: unknown[][] = [];
  client.subscribe<any>({ query: gql(CHANGES), variables: { after: '0' } }).subscribe(({ data }) => {
    told.push([data.changes.position, data.changes.record.name]);
  });
  await follow(told);
  const cached = Object.entries(cache.extract()).filter(([id]) => id.startsWith('Account:'));
  expect(cached).toMatchObject([[expect.any(String), { name: 'Till' }]]);
  client.stop();
});

test('urql follows changes', async () => {
  await store('Cash');
  await store('Petty cash');
  const client = createUrqlClient({
    url: `${app.url}/graphql`,
    preferGetMethod: false,
    exchanges: [
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: socket.subscribe(
              { query, variables: variables as Record<string, unknown> },
              sink as Sink,
            ),
          }),
        }),
      }),
    ],
  });
  const told: unknown[][] = [];
  client.subscription<any>(CHANGES, { after: '0' }).subscribe(({ data, error }) => {
    told.push(error ? [error.message] : [data.changes.position, data.changes.record.name]);
  });
  await follow(told);
});
