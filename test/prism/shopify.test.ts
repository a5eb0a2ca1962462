import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  buildClientSchema,
  type GraphQLNamedType,
  type GraphQLSchema,
  type IntrospectionQuery,
  isEnumType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  NoDeprecatedCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';

import { type OAuthAccess } from '../../src/connectors/access.js';
import { platformAgent } from '../../src/connectors/client/platform-agent.js';
import { plainAccess } from '../../src/connectors/platform-access.js';
import { shopify } from '../../src/connectors/shopify/index.js';
import { pagesOf } from '../connectors/pulls.js';
import { makeShop } from '../connectors/shopify-fake/makers.js';
import { SCHEMA } from '../connectors/shopify-fake/schema.js';
import { type ShopifyFake, startShopifyFake } from '../connectors/shopify-fake/server.js';

const { data } = JSON.parse(readFileSync(process.env['TEST_SHOPIFY_SCHEMA'] ?? '', 'utf8')) as {
  readonly data: IntrospectionQuery;
};
const official = buildClientSchema(data, { assumeValid: true });

const shop = makeShop();
let fake: ShopifyFake;
beforeAll(async () => {
  fake = await startShopifyFake(shop);
});
afterAll(() => fake.stop());

test('every query of the connector is valid by Shopify’s own schema, and asks for nothing deprecated', async () => {
  const accessToken = fake.identity.issue();
  const reach = { baseUrl: fake.url, settings: {}, dispatcher: platformAgent, accessToken };
  await (shopify.access as OAuthAccess).accounts(reach);
  const client = shopify.createClient(
    plainAccess({ baseUrl: fake.url, accessToken, externalAccountId: shop.domain }),
  );
  for (const resource of shopify.pulls) {
    await pagesOf(resource, client, { since: shop.createdAt, cursor: null });
    await resource.read?.(client, '1');
    for (const way of resource.deletions ?? []) {
      for await (const page of way.pages(client, { since: null, cursor: null }))
        expect(page.isPartial).toBeUndefined();
    }
  }
  const queries = [...new Set(fake.asked.map(({ query }) => query))];
  expect(queries.length).toBeGreaterThan(15);
  const rules = [...specifiedRules, NoDeprecatedCustomRule];
  for (const query of queries) expect([query, validate(official, parse(query), rules)]).toEqual([query, []]);
});

test('the part of the schema that the fake executes is as Shopify has it', () => {
  const own = Object.values(SCHEMA.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  expect(own.length).toBeGreaterThan(30);
  expect(own.flatMap((type) => differences(type, official))).toEqual([]);
});

function differences(own: GraphQLNamedType, schema: GraphQLSchema): string[] {
  const type = schema.getType(own.name);
  if (type?.constructor !== own.constructor) return [own.name];
  if (isEnumType(own) && isEnumType(type)) {
    return own.getValues().flatMap(({ name }) => (type.getValue(name) ? [] : `${own.name}.${name}`));
  }
  if (isUnionType(own) && isUnionType(type)) {
    const names = type.getTypes().map(({ name }) => name);
    return own.getTypes().flatMap(({ name }) => (names.includes(name) ? [] : `${own.name} = ${name}`));
  }
  const hasFields = (one: GraphQLNamedType) => isObjectType(one) || isInterfaceType(one);
  if (!hasFields(own) || !hasFields(type)) return [];
  return Object.values(own.getFields()).flatMap((field) => {
    const theirs = type.getFields()[field.name];
    if (!theirs || String(theirs.type) !== String(field.type)) return [`${own.name}.${field.name}`];
    return field.args.flatMap(({ name, type: asked }) => {
      const found = theirs.args.find((one) => one.name === name);
      return found && String(found.type) === String(asked) ? [] : [`${own.name}.${field.name}(${name})`];
    });
  });
}
