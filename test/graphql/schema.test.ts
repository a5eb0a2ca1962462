import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  lexicographicSortSchema,
  type GraphQLInterfaceType,
  GraphQLSchema,
  parse,
  printSchema,
  specifiedDirectives,
  validateSchema,
} from 'graphql';
import type { App } from '../../src/app.js';
import { createSchema } from '../../src/graphql/schema.js';
import { packagePath } from '../../src/package-path.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { callerOf, createCaller, startApp } from '../support/service.js';

const text = readFileSync(packagePath('schema.graphql'), 'utf8');
const sorted = (schema: GraphQLSchema) => printSchema(lexicographicSortSchema(schema));
const INTROSPECTION = getIntrospectionQuery({
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
});

/** What is a part of the one that lists it, few and always complete. */
const PARTS = [
  ...['Address', 'CustomField', 'ExternalLink', 'PhoneNumber', 'TaxRateComponent'],
  ...['EcommerceLineItem', 'JournalLine', 'LineItem', 'PaymentLineItem'],
  ...['StatementDifference', 'StatementLine', 'TrialBalanceLine'],
  // What can be done with each record type, and what is synced of each.
  ...['Capability', 'SyncSetting'],
  ...['EndedPlatform', 'FieldMappingExample', 'FieldMappingVersion'],
];

let app: App;
let acme: Tenant;

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'schema');
});
afterAll(() => app.close());

describe('schema.graphql', () => {
  test('is a valid schema, and the one that is executed', () => {
    expect(validateSchema(buildSchema(text))).toEqual([]);
    // A start trusts it unread; a copy does not.
    const copy = new GraphQLSchema({ ...createSchema().toConfig(), assumeValid: false });
    expect(validateSchema(copy)).toEqual([]);
  });

  test('extends no type and defines no directive', () => {
    const kinds = new Set(parse(text).definitions.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(
      [
        Kind.ENUM_TYPE_DEFINITION,
        Kind.INPUT_OBJECT_TYPE_DEFINITION,
        Kind.INTERFACE_TYPE_DEFINITION,
        Kind.OBJECT_TYPE_DEFINITION,
        Kind.SCALAR_TYPE_DEFINITION,
      ].sort(),
    );
    expect(buildSchema(text).getDirectives()).toHaveLength(specifiedDirectives.length);
  });

  test('lists in pages whatever has an identity, but for the parts of a record', () => {
    const schema = buildSchema(text);
    const identities = [
      'Node',
      ...schema.getPossibleTypes(schema.getType('Node') as GraphQLInterfaceType).map(String),
    ];
    const plain = Object.values(schema.getTypeMap())
      .filter(isObjectType)
      .filter(({ name }) => !name.endsWith('Connection'))
      .flatMap((type) => Object.values(type.getFields()))
      .filter(({ type }) => isListType(getNullableType(type)) && identities.includes(getNamedType(type).name))
      .map(({ name, type }) => `${name}: ${getNamedType(type).name}`);
    expect([...new Set(plain)].sort()).toEqual([
      'addresses: Address',
      'components: TaxRateComponent',
      'externalLinks: ExternalLink',
      'journalLines: JournalLine',
      'lineItems: EcommerceLineItem',
      'lineItems: LineItem',
      'lineItems: PaymentLineItem',
      'nodes: Node',
      'paymentLineItems: PaymentLineItem',
      'phoneNumbers: PhoneNumber',
    ]);
  });

  test('is what introspection shows', async () => {
    const caller = await createCaller(app, acme.organisationId);
    const { body } = await caller.graphql(INTROSPECTION);
    expect(sorted(buildClientSchema(body.data))).toBe(sorted(buildSchema(text)));
  });

  test('describes every scalar, and says where its format is specified', () => {
    const scalars = Object.values(buildSchema(text).getTypeMap())
      .filter(isScalarType)
      .filter((type) => !isSpecifiedScalarType(type));
    expect(scalars.filter(({ description }) => !description)).toEqual([]);
    expect(
      Object.fromEntries(scalars.map(({ name, specifiedByURL }) => [name, specifiedByURL ?? null])),
    ).toEqual({
      Date: expect.stringMatching(/^https:/),
      DateTime: expect.stringMatching(/^https:/),
      Decimal: expect.stringMatching(/^https:/),
      JSON: expect.stringMatching(/^https:/),
      // A number of this service's own.
      SvcId: null,
    });
  });

  test('says of every idempotency key that the header may give it', () => {
    const keys = Object.values(buildSchema(text).getTypeMap())
      .filter(isInputObjectType)
      .flatMap((type) => Object.values(type.getFields()))
      .filter(({ name }) => name === 'idempotencyKey');
    expect(keys.length).toBeGreaterThan(20);
    expect(keys.filter(({ description }) => !description?.includes('`Idempotency-Key`'))).toEqual([]);
  });

  test('has pages of nodes, but for what is known by its place alone', () => {
    const edges = Object.values(buildSchema(text).getTypeMap()).filter(({ name }) => name.endsWith('Edge'));
    const valued = edges.filter(isObjectType).filter((edge) => {
      const node = getNamedType(edge.getFields()['node']?.type);
      return !(isObjectType(node) && node.getInterfaces().some(({ name }) => name === 'Node'));
    });
    expect(valued.map(({ name }) => name)).toEqual(['PlatformEdge', 'SyncSettingEdge', 'UnmappedRecordEdge']);
  });

  test('has lists in pages, but for parts of one thing and what an argument or a mutation names', () => {
    const types = Object.values(buildSchema(text).getTypeMap()).filter(isObjectType);
    const plain = types
      .filter(({ name }) => !name.startsWith('__') && !/(Connection|Edge)$/.test(name))
      .flatMap((type) =>
        Object.values(type.getFields())
          .filter((field) => isListType(getNullableType(field.type)))
          .map((field) => [`${type.name}.${field.name}`, getNamedType(field.type)] as const),
      )
      .filter(([, type]) => isCompositeType(type))
      .filter(([, { name }]) => !PARTS.includes(name) && !/(^UserError|WriteResult)$/.test(name));
    expect(plain.map(([field]) => field)).toEqual(['Query.nodes']);
  });
});

describe('GET /schema.graphql', () => {
  test('answers the document to every key', async () => {
    const caller = await createCaller(app, acme.organisationId, { scopes: ['read'] });
    const answer = await caller.get('/schema.graphql');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(answer.text).toBe(text);
  });

  test('needs a key', async () => {
    expect((await callerOf(app, null).get('/schema.graphql')).status).toBe(401);
  });

  test('answers in production too, where introspection is off', async () => {
    const production = await startApp({ NODE_ENV: 'production' });
    try {
      const caller = await createCaller(production, acme.organisationId);
      expect((await caller.graphql(INTROSPECTION)).status).toBe(400);
      expect((await caller.get('/schema.graphql')).text).toBe(text);
    } finally {
      await production.close();
    }
  });
});
