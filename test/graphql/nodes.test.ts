import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { ACCOUNTS, storeBooks } from '../support/books.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';

const LIVE = ACCOUNTS.filter(({ deleted }) => !deleted).map(({ platformId }) => platformId);

let app: App;
let acme: Tenant;
let caller: Caller;
let stranger: Caller;

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'nodes');
  await storeBooks(acme);
  caller = await createCaller(app, acme.organisationId);
  stranger = await createCaller(app, (await createTenant(app, 'nodes of others')).organisationId);
});
afterAll(() => app.close());

async function data(query: string, variables: object = {}): Promise<any> {
  const { status, body } = await caller.graphql(query, variables);
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
  return body.data;
}

const NODES = `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id
  ... on Account { name company { name } } ... on LineItem { description } ... on ConnectedPlatform { status }
  ... on InviteLink { inviteLinkId company { name } } } }`;

describe('nodes', () => {
  test('finds records, lines, connections, links and companies by their ids, in order', async () => {
    const { createInviteLink } = await data(
      `mutation { createInviteLink(input: { companyId: ${acme.companyId} }) { inviteLink { id inviteLinkId } } }`,
    );
    const { companies, accounts, invoiceCreditNotes } = await data(`{
      companies(first: 1) { nodes { id name connections { nodes { id } } } }
      accounts(first: 2) { nodes { id name } }
      invoiceCreditNotes(first: 1) { nodes { lineItems { id description } } } }`);
    const [company] = companies.nodes;
    const [line] = invoiceCreditNotes.nodes[0].lineItems;
    const { inviteLink } = createInviteLink;
    const ids = [
      line.id,
      'bm90aGluZw',
      accounts.nodes[1].id,
      company.connections.nodes[0].id,
      inviteLink.id,
      company.id,
    ];
    const { nodes } = await data(NODES, { ids });
    expect(nodes).toEqual([
      { __typename: 'LineItem', ...line },
      null,
      { __typename: 'Account', ...accounts.nodes[1], company: { name: company.name } },
      { __typename: 'ConnectedPlatform', ...company.connections.nodes[0], status: 'HEALTHY' },
      { __typename: 'InviteLink', ...inviteLink, company: { name: company.name } },
      { __typename: 'Company', id: company.id },
    ]);
    expect((await stranger.graphql(NODES, { ids })).body.data.nodes).toEqual(ids.map(() => null));
  });

  test('finds nothing by an id that nobody was given', async () => {
    const types = [
      ...['Account', 'Company', 'LineItem', 'Sync', 'SyncJob', 'Write', 'WriteItem', 'Activity', 'Change'],
      ...['InviteLink', 'AuditEvent', 'WebhookDelivery', 'ConnectedPlatform', 'Integration', 'FieldMapping'],
      ...['Webhook', 'BalanceSheet', 'Nothing', 'constructor', 'toString', 'valueOf'],
    ];
    const ids = types.flatMap((type) =>
      ['abc', '99999999'].map((key) => Buffer.from(`${type}:1:${key}`).toString('base64url')),
    );
    expect(await data(NODES, { ids })).toEqual({ nodes: ids.map(() => null) });
  });
});

describe('a page between two cursors', () => {
  const query = `query ($first: Int, $last: Int, $after: String, $before: String) {
    accounts(first: $first, last: $last, after: $after, before: $before) {
      edges { cursor node { platformId } } pageInfo { hasNextPage hasPreviousPage } } }`;
  const page = async (variables: object) => {
    const { accounts } = await data(query, variables);
    return {
      ids: accounts.edges.map(({ node }: any) => node.platformId),
      ...accounts.pageInfo,
    };
  };

  test('has what lies between them, from the start or from the end', async () => {
    const { accounts } = await data(query);
    const [after, before] = [accounts.edges[1].cursor, accounts.edges[6].cursor];
    const between = LIVE.slice(2, 6);
    const both = { hasNextPage: true, hasPreviousPage: true };
    expect(await page({ after, before })).toEqual({ ids: between, ...both });
    expect(await page({ first: 2, after, before })).toEqual({ ids: between.slice(0, 2), ...both });
    expect(await page({ last: 2, after, before })).toEqual({ ids: between.slice(-2), ...both });
    expect(await page({ first: 2, before })).toEqual({
      ids: LIVE.slice(0, 2),
      hasNextPage: true,
      hasPreviousPage: false,
    });
    expect(await page({ last: 2, after })).toEqual({
      ids: LIVE.slice(-2),
      hasNextPage: false,
      hasPreviousPage: true,
    });
    expect(await page({ after: before, before: after })).toEqual({ ids: [], ...both });
  });
});
