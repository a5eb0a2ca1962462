import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';

import { type DocumentNode, execute, Kind, type OperationDefinitionNode, parse, validate } from 'graphql';

import { type Answer } from '../fault-proxy.js';
import { demandedBy, MAX_COST, tooCostly } from './cost.js';
import { type Kept } from './domain.js';
import { Identity } from './identity.js';
import { type Arguments, listOf } from './lists.js';
import { costExtension, json, LARGE, noScope, notFound, throttled, unknownToken } from './problems.js';
import { SCHEMA } from './schema.js';
import { type ShopifyShop } from './shop.js';
import { type Wire, Wires } from './wire.js';

const GRAPHQL = '/admin/api/2026-10/graphql.json';

export interface ShopifyFake {
  readonly url: string;
  readonly identity: Identity;
  /** All queries that were asked, with their variables. */
  readonly asked: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> }[];
  /** Points that are left of a small plan, which time does not restore; null: a large plan, whose bucket is always full. */
  points: number | null;
  stop(): Promise<void>;
}

/** Shopify, as far as it is read, for one shop: the schema is executed by graphql-js. */
export async function startShopifyFake(shop: ShopifyShop): Promise<ShopifyFake> {
  const identity = new Identity(shop.domain);
  const root = rootOf(shop);
  const server = createServer((request, response) => {
    void request
      .toArray()
      .then((chunks) => answerTo(request, Buffer.concat(chunks).toString()))
      .then(({ status, headers, body }) => response.writeHead(status, headers).end(body));
  });
  // Longer than any test: a connection that is closed while a call sets out looks like a fault.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: ShopifyFake = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    identity,
    asked: [],
    points: null,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;

  async function answerTo(
    { method = '', url = '', headers }: IncomingMessage,
    text: string,
  ): Promise<Answer> {
    const at = new URL(url, 'http://localhost');
    const other = identity.answer(method, at, text);
    if (other) return other;
    if (!identity.isKnown(String(headers['x-shopify-access-token'] ?? ''))) return unknownToken;
    if (`${method} ${at.pathname}` !== `POST ${GRAPHQL}`) return notFound;
    const { query = '', variables = {} } = JSON.parse(text) as Partial<ShopifyFake['asked'][number]>;
    fake.asked.push({ query, variables });
    return answerQuery(parse(query), variables);
  }

  async function answerQuery(
    document: DocumentNode,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<Answer> {
    const errors = validate(SCHEMA, document);
    if (errors.length > 0) return json(200, { errors: errors.map((error) => error.toJSON()) });
    const operation = document.definitions.find(isOperation);
    if (!operation) return json(200, { errors: [{ message: 'No operation' }] });
    const denied = scopeMissing(operation, shop.scopes);
    if (denied) return denied;
    const demanded = demandedBy(operation, variables);
    if (demanded > MAX_COST) return json(200, { errors: [tooCostly(demanded).toJSON()] });
    if (fake.points !== null) {
      if (fake.points < demanded) return throttled(demanded, fake.points);
      fake.points -= demanded;
    }
    const { data, errors: failed } = await execute({
      schema: SCHEMA,
      document,
      rootValue: root,
      variableValues: variables,
    });
    const extensions =
      fake.points === null
        ? costExtension(demanded, LARGE.maximumAvailable - demanded, LARGE)
        : costExtension(demanded, fake.points);
    return json(200, { data, ...(failed && { errors: failed.map((error) => error.toJSON()) }), extensions });
  }
}

const isOperation = (node: DocumentNode['definitions'][number]): node is OperationDefinitionNode =>
  node.kind === Kind.OPERATION_DEFINITION;

const SCOPES: Readonly<Record<string, string>> = {
  orders: 'read_orders',
  customers: 'read_customers',
  products: 'read_products',
  productVariants: 'read_products',
};

function scopeMissing({ selectionSet }: OperationDefinitionNode, scopes: readonly string[]): Answer | null {
  for (const selection of selectionSet.selections) {
    const name = selection.kind === Kind.FIELD ? selection.name.value : '';
    const scope = SCOPES[name];
    if (scope !== undefined && !scopes.includes(scope)) return noScope(name, scope);
  }
  return null;
}

function rootOf(shop: ShopifyShop) {
  const wires = new Wires(shop);
  const kinds = {
    Order: [shop.orders, (one: Kept) => wires.order(one as never)],
    Customer: [shop.customers, (one: Kept) => wires.customer(one as never)],
    Product: [shop.products, (one: Kept) => wires.product(one as never)],
    ProductVariant: [shop.variants, (one: Kept) => wires.variant(one as never)],
  } as const;
  const list = (type: keyof typeof kinds) => (asked: Arguments) => {
    const [all, show] = kinds[type];
    return listOf<Kept, Wire>(type === 'Order' ? seenOrders(shop) : all, asked, show);
  };
  const node = (gid: string) => {
    const [, type = '', id = ''] = /^gid:\/\/shopify\/(\w+)\/(\d+)$/.exec(gid) ?? [];
    const found = Object.hasOwn(kinds, type) ? kinds[type as keyof typeof kinds] : null;
    const object = found?.[0].find((one) => String(one.id) === id);
    return found && object ? found[1](object) : null;
  };
  return {
    orders: list('Order'),
    customers: list('Customer'),
    products: list('Product'),
    productVariants: list('ProductVariant'),
    node: ({ id = '' }: Arguments) => node(id),
    nodes: ({ ids = [] }: Arguments) => ids.map(node),
    shop: () => wires.shopItself(),
    currentAppInstallation: () => ({ accessScopes: shop.scopes.map((handle) => ({ handle })) }),
  };
}

const SIXTY_DAYS_MS = 60 * 86_400_000;

/** Older orders are shown only to apps that were approved for them. */
const seenOrders = ({ orders, scopes, now }: ShopifyShop) =>
  scopes.includes('read_all_orders')
    ? orders
    : orders.filter(({ createdAt }) => createdAt.getTime() > now.getTime() - SIXTY_DAYS_MS);
