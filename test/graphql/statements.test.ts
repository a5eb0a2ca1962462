import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  buildSchema,
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  isCompositeType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import type { App } from '../../src/app.js';
import { readSchemaText } from '../../src/graphql/schema.js';
import { webhookPlace } from '../../src/events/sealed-webhook.js';
import { DOCUMENT_TYPES } from '../../src/records/value-sets.js';
import { SPREAD } from '../../src/shards/placement.js';
import { fillCompany, testSecrets } from '../support/fill-company.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { statementsOf } from '../support/statements.js';
import { admin } from '../support/admin.js';

const schema = buildSchema(readSchemaText());
const queryType = schema.getQueryType()?.getFields() ?? {};
/** What is stored: statements of a company are made when they are asked for (test/operations/statements.test.ts). */
const nodeTypes = schema
  .getPossibleTypes(schema.getType('Node') as GraphQLInterfaceType)
  .filter((type) => !('reconciliation' in type.getFields()));
const isNode = (type: GraphQLNamedType) => nodeTypes.some(({ name }) => name === type.name);

let app: App;
let caller: Caller;
/** Global ids of all objects that lists and relations lead to, by type. */
const known = new Map(nodeTypes.map(({ name }) => [name, new Set<string>()]));

beforeAll(async () => {
  app = await startApp();
  const tenant = await createTenant(app, 'statements of');
  caller = await createCaller(app, tenant.organisationId);
  await fillOrganisation(tenant);
  for (const one of [tenant, await tenant.company('statements of another')]) await fill(one);
  await discover();
}, 120_000);
afterAll(() => app.close());

async function fillOrganisation({ organisationId }: Tenant): Promise<void> {
  const { prisma } = admin;
  const owner = { svcOrganisationId: BigInt(organisationId) };
  for (const integrationType of ['XERO', 'SVC_SANDBOX']) {
    await prisma.integration.create({ data: { ...owner, integrationType } });
    const id = randomBytes(12).toString('hex');
    const headers = testSecrets.seal('{}', webhookPlace(id, organisationId, 'headers'));
    const watched = { dataModels: ['ACCOUNTS'], operations: ['CREATE'] };
    const data = {
      ...owner,
      ...watched,
      id,
      name: id,
      type: 'DATA_MODEL_CHANGES',
      url: 'https://x.test',
      headers,
    };
    await prisma.webhook.create({ data });
    for (const eventId of ['one', 'two']) {
      const attempt = { attempts: 1, durationMs: 1, firstAttemptAt: new Date(), lastAttemptAt: new Date() };
      await prisma.webhookDelivery.create({
        data: { ...owner, webhookId: id, eventId, type: 'CREATE', state: 'DELIVERED', ...attempt },
      });
    }
  }
}

/** Two of everything that belongs to a company, with something behind every field. */
async function fill(tenant: Tenant): Promise<void> {
  await fillCompany(app, tenant);
  const documents = DOCUMENT_TYPES.map((documentType) => ({
    platformId: documentType,
    values: { documentType, documentTypeId: 'one' },
  }));
  await tenant.store('Document', documents);
  const { prisma } = admin;
  const where = { svcCompanyId: BigInt(tenant.companyId) };
  await prisma.billPayment.updateMany({ where, data: { creditNoteId: 'one' } });
  await prisma.invoicePayment.updateMany({ where, data: { creditNoteId: 'one' } });
  const refused = { errorCode: 'platform-refused', errorMessage: 'no' };
  await prisma.sync.updateMany({ where, data: refused });
  await prisma.syncJob.updateMany({ where, data: refused });
  await prisma.upload.updateMany({ where, data: { connectionId: BigInt(tenant.connectionId) } });
  const written = { state: 'SUCCESS', platformId: 'one', ...refused, errorCode: 'platform-denied' };
  await prisma.uploadItem.updateMany({ where, data: written });
}

const ABSTRACT = '{ __typename ... on Node { id } }';

/** A selection of a value: all of it, but of what has an id no more than that. */
function below(type: GraphQLNamedType): string {
  if (isLeafType(type)) return '';
  if (isInterfaceType(type)) return ABSTRACT;
  if (!isObjectType(type)) throw new Error(`${type.name} is selected by nothing here`);
  if (isNode(type)) return '{ __typename id }';
  const fields = Object.values(type.getFields());
  return `{ ${fields.map((field) => `${field.name} ${below(getNamedType(field.type))}`).join(' ')} }`;
}

/** What is selected of objects of a type, one after the other: their own values, and each relation. */
function partsOf(type: GraphQLObjectType): string[] {
  const fields = Object.values(type.getFields());
  const leads = (field: GraphQLField<unknown, unknown>) => isCompositeType(getNamedType(field.type));
  return [
    fields.flatMap((field) => (leads(field) ? [] : [field.name])).join(' '),
    ...fields.filter(leads).map((field) => `${field.name} ${below(getNamedType(field.type))}`),
  ];
}

/** The lists at the root that objects of a type are in. */
const rootListsOf = (type: GraphQLObjectType): string[] =>
  Object.values(queryType)
    .filter((field) => getNamedType(field.type).name === `${type.name}Connection`)
    .map(({ name }) => name);

async function ask(query: string, variables: object): Promise<unknown> {
  const { body } = await caller.graphql(query, variables);
  if (body.errors) throw new Error(`${query}: ${JSON.stringify(body.errors)}`);
  return body.data;
}

const byIds = (type: GraphQLObjectType, part: string) =>
  `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ${type.name} { ${part} } } }`;

/** Of objects of a type, as many as one request may name. */
const idsOf = (name: string): string[] => [...(known.get(name) ?? [])].slice(0, 100);

/** Follows every list of the root and every relation until nothing new is found. */
async function discover(): Promise<void> {
  const open: string[] = [];
  const note = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { __typename: type, id } = value as { readonly __typename?: string; readonly id?: string };
    const ids = known.get(type ?? '');
    if (ids && id !== undefined && !ids.has(id)) {
      if (ids.size === 0 && type !== undefined) open.push(type);
      ids.add(id);
    }
    Object.values(value).forEach(note);
  };
  for (const type of nodeTypes) {
    for (const list of rootListsOf(type)) note(await ask(`{ ${list} { nodes { __typename id } } }`, {}));
  }
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    const type = schema.getType(name) as GraphQLObjectType;
    for (const part of partsOf(type)) note(await ask(byIds(type, part), { ids: idsOf(name) }));
  }
}

/** The statements that a query takes. */
async function statementsFor(query: string, variables: object): Promise<string[]> {
  const statements = await statementsOf(app, () => ask(query, variables));
  return statements.map(({ text }) => text);
}

/**
 * Lists of companies that only a join names: a cluster would ask every node. The log is by organisation, and
 * src/query/children.ts says why lists by reference are left out.
 */
const isOfAnyCompany = (text: string): boolean =>
  isOfSpread(text) &&
  /LATERAL|IN \(SELECT \* FROM unnest/.test(text) &&
  /svc_company_id = k\.company|\(t\.svc_company_id, /.test(text) &&
  !/ FROM record_changes |AND t\.connection_id = k\.connection AND t\.\w+_id = k\.platform_id/.test(text) &&
  !/svc_company_id = (ANY\()?\$/.test(text);

/** Whether a statement reads a table that a cluster spreads: the others are at one node, whichever companies are asked for. */
const isOfSpread = (text: string): boolean =>
  [...text.matchAll(/\b(?:FROM|JOIN) (\w+) \w+/g)].some(([, name]) =>
    SPREAD.some(({ table }) => table === name),
  );

/** The types that an answer names. */
function typesIn(value: unknown, types = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return types;
  if ('__typename' in value) types.add(String(value.__typename));
  for (const inner of Object.values(value)) typesIn(inner, types);
  return types;
}

/** The parts of objects of a type that take more statements the more objects there are, or do not name their companies. */
async function unevenParts(
  type: GraphQLObjectType,
  queryOf: (part: string) => string,
  { one, many }: { readonly one: object; readonly many: object },
): Promise<string[]> {
  const uneven: string[] = [];
  for (const part of partsOf(type)) {
    // Each mapping is tried on records of its own.
    if (part.startsWith('check ')) continue;
    const query = queryOf(part);
    const statements = await statementsFor(query, many);
    const [narrow, wide] = [(await statementsFor(query, one)).length, statements.length];
    // A field that leads to records of several types takes a statement for each of them.
    const others = part.includes(ABSTRACT) ? Math.max(0, typesIn(await ask(query, many)).size - 1) : 0;
    if (wide !== narrow + others) uneven.push(`${part}: ${narrow} for one, ${wide} for all`);
    uneven.push(...statements.filter(isOfAnyCompany).map((text) => `${part}: of any company: ${text}`));
  }
  return uneven;
}

/** Whether a field has a value that reads further: of something absent every number of statements is constant. */
function leads(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value !== 'object' || value === null) return false;
  return 'nodes' in value ? leads(value.nodes) : true;
}

/** Lists of what a platform or an earlier version has, empty as often as not. */
const NO_RELATIONS = new Set(['customFields', 'earlierVersions']);

describe.each(nodeTypes.map((type) => [type.name, type] as const))('%s', (name, type) => {
  test('has several objects, and each of its relations leads somewhere from two of them', async () => {
    const ids = idsOf(name);
    expect(ids.length).toBeGreaterThan(1);
    const idle: string[] = [];
    for (const part of partsOf(type).slice(1)) {
      const [field = ''] = part.split(' ');
      if (NO_RELATIONS.has(field)) continue;
      const { nodes } = (await ask(byIds(type, part), { ids })) as { nodes: Record<string, unknown>[] };
      if (nodes.filter((node) => leads(node[field])).length < 2) idle.push(field);
    }
    expect(idle).toEqual([]);
  });

  test('takes as many statements a field for all objects as for one, read by their ids', async () => {
    const ids = idsOf(name);
    const variables = { one: { ids: ids.slice(0, 1) }, many: { ids } };
    expect(await unevenParts(type, (part) => byIds(type, part), variables)).toEqual([]);
  });
});

/** Of the change log nobody counts all. */
const isCounted = ({ name }: GraphQLObjectType): boolean => name !== 'Change';

const rootLists = nodeTypes.flatMap((type) => rootListsOf(type).map((list) => [list, type] as const));

test.each(rootLists)(
  'a page of many %s takes as many statements a field as a page of one',
  async (list, type) => {
    const queryOf = (part: string) =>
      `query ($first: Int) { ${list}(first: $first) { ${isCounted(type) ? 'totalCount ' : ''}pageInfo { endCursor } nodes { ${part} } } }`;
    const variables = { one: { first: 1 }, many: { first: 50 } };
    expect(await unevenParts(type, queryOf, variables)).toEqual([]);
  },
);

describe('what is counted here', () => {
  /** Types that make up one object of a mutation or of the root, or statements, which are made when they are asked for. */
  const ALONE = [
    ...['BalanceSheet', 'CashFlowStatement', 'IncomeStatement', 'TrialBalance', 'TrialBalanceLine'],
    ...['StatementDifference', 'StatementLine', 'StatementReconciliation'],
    ...['EndedPlatform', 'PlannedRequest', 'Platform', 'RemovedCompany', 'UserError'],
  ];
  /** `nodes` reads all of the above; the others are computed, or of one company. */
  const WHOLE = [
    'balanceSheets',
    'cashFlowStatements',
    'incomeStatements',
    'capabilities',
    'nodes',
    'syncSettings',
  ];
  const isEnvelope = ({ name }: GraphQLNamedType) => /(Payload|WriteResult|Connection|Edge)$/.test(name);

  test('is every type that several objects lead to', () => {
    const walked = new Set<GraphQLNamedType>(nodeTypes);
    for (const type of walked) {
      if (!isObjectType(type)) continue;
      for (const field of Object.values(type.getFields())) walked.add(getNamedType(field.type));
    }
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const missed = Object.values(schema.getTypeMap()).filter(
      (type) =>
        isObjectType(type) &&
        !type.name.startsWith('__') &&
        !roots.includes(type) &&
        !isEnvelope(type) &&
        !walked.has(type),
    );
    expect(missed.map(({ name }) => name).sort()).toEqual(ALONE.sort());
  });

  test('is every list of the root', () => {
    const counted = rootLists.map(([list]) => list);
    const missed = Object.values(queryType).filter(
      ({ name, type }) =>
        isCompositeType(getNamedType(type)) &&
        (isListType(getNullableType(type)) || getNamedType(type).name.endsWith('Connection')) &&
        !counted.includes(name),
    );
    expect(missed.map(({ name }) => name).sort()).toEqual(WHOLE.sort());
  });
});
