import { readFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';
import { ApolloClient, gql, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createClient as createUrqlClient, subscriptionExchange } from '@urql/core';
import { createClient as createEventClient } from 'graphql-sse';
import { type Client, createClient, type Sink } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { App } from '../../src/app.js';
import { packagePath } from '../../src/package-path.js';
import { type CuttingProxy, openCuttingProxy } from '../support/cutting-proxy.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';
import { until } from '../support/until.js';

let app: App;
let acme: Tenant;
let key: string;
let socket: Client;

beforeAll(async () => {
  app = await startApp();
});
beforeEach(async () => {
  acme = await createTenant(app, 'subscribers');
  ({ key } = await createCaller(app, acme.organisationId));
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

const urqlClient = () =>
  createUrqlClient({
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

test('urql follows changes', async () => {
  await store('Cash');
  await store('Petty cash');
  const client = urqlClient();
  const told: unknown[][] = [];
  client.subscription<any>(CHANGES, { after: '0' }).subscribe(({ data, error }) => {
    told.push(error ? [error.message] : [data.changes.position, data.changes.record.name]);
  });
  await follow(told);
});

interface ExampleOptions {
  readonly connectionParams: { api_key: string };
  readonly retryAttempts?: number;
}

describe('a client that has lost its connection', () => {
  let proxy: CuttingProxy;
  const retryWait = () => Promise.resolve();
  beforeEach(async () => {
    proxy = await openCuttingProxy(app.url);
    await store('Cash');
    await store('Petty cash');
  });
  afterEach(() => proxy.close());
  const webSocketUrl = () => new URL('/graphql', proxy.url.replace('http', 'ws')).href;

  async function goesOn(told: unknown[]): Promise<void> {
    for (const [index, name] of ['Till', 'Safe'].entries()) {
      await until('all before', () => told.length >= 2 + index);
      proxy.cutAll();
      await store(name);
    }
    await until('the news', () => told.length >= 4);
    expect(told).toEqual([1, 2, 3, 4]);
  }

  /** Runs the example of the documentation with a client, to be disposed of, that is made from its options. */
  function runExample(create: (options: ExampleOptions) => object): unknown[] {
    const [, code = ''] = /```js\nimport .*\n([^]*?)```/.exec(read('docs/changes.md')) ?? [];
    const told: unknown[] = [];
    const own = code.replace('demo-key-for-the-readme-tour', key);
    const run = compileFunction(`return (async () => {${own}})()`, ['createClient', 'console']) as (
      ...given: unknown[]
    ) => Promise<void>;
    const log = ({ position }: { position: number }) => void told.push(position);
    void run(create, { log });
    return told;
  }
  const read = (name: string) => readFileSync(packagePath(name), 'utf8');

  test('goes on after its last change with graphql-ws, as the documentation has it', async () => {
    const told = runExample(
      (options) =>
        (socket = createClient({ ...options, url: webSocketUrl(), webSocketImpl: WebSocket, retryWait })),
    );
    await goesOn(told);
    await socket.dispose();
  });

  test('goes on after its last change with graphql-sse, as the documentation has it', async () => {
    let client!: ReturnType<typeof createEventClient>;
    const told = runExample(({ connectionParams: headers }) => {
      client = createEventClient({ headers, url: new URL('/graphql', proxy.url).href, retry: retryWait });
      return client;
    });
    await goesOn(told);
    client.dispose();
  });

  /** Nothing listens where most attempts to connect again go. */
  const oftenRefused = () => {
    let attempts = 0;
    return (url: string) => (attempts++ % 8 === 0 ? url : url.replace(/:\d+/, ':1'));
  };

  test('with graphql-ws, tries again as often as it is refused, as the documentation has it', async () => {
    const address = oftenRefused();
    const url = () => address(webSocketUrl());
    const told = runExample(
      (options) => (socket = createClient({ ...options, url, webSocketImpl: WebSocket, retryWait })),
    );
    await goesOn(told);
    await socket.dispose();
  });

  test('with graphql-sse, tries again as often as it is refused, as the documentation has it', async () => {
    const address = oftenRefused();
    const url = () => address(new URL('/graphql', proxy.url).href);
    let client!: ReturnType<typeof createEventClient>;
    const told = runExample(({ connectionParams: headers, ...options }) => {
      client = createEventClient({ ...options, headers, url, retry: retryWait });
      return client;
    });
    await goesOn(told);
    client.dispose();
  });

  test('goes on after its last change with urql, whose variables are read again', async () => {
    socket = createClient({
      url: webSocketUrl(),
      webSocketImpl: WebSocket,
      connectionParams: { api_key: key },
      retryWait,
    });
    const told: number[] = [];
    const variables = {
      get after() {
        return String(told.at(-1) ?? 0);
      },
    };
    urqlClient()
      .subscription<any>(CHANGES, variables)
      .subscribe(({ data }) => told.push(data.changes.position));
    await goesOn(told);
    await socket.dispose();
  });

  test('goes on after its last change with Apollo Client, which subscribes again', async () => {
    socket = createClient({
      url: webSocketUrl(),
      webSocketImpl: WebSocket,
      connectionParams: { api_key: key },
      retryAttempts: 0,
    });
    const client = new ApolloClient({ cache: new InMemoryCache(), link: new GraphQLWsLink(socket) });
    const told: number[] = [];
    const follow = () =>
      client
        .subscribe<any>({ query: gql(CHANGES), variables: { after: String(told.at(-1) ?? 0) } })
        .subscribe(({ data, error }) => void (error ? follow() : told.push(data.changes.position)));
    follow();
    await goesOn(told);
    client.stop();
    await socket.dispose();
  });
});
