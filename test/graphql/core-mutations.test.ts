import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { addSync, connectXero } from '../support/fill-company.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { admin } from '../support/admin.js';

let app: App;
let acme: Tenant;
let other: Tenant;
let full: Caller;
let reader: Caller;
let stranger: Caller;

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'mutations');
  other = await createTenant(app, 'mutations other');
  full = await createCaller(app, acme.organisationId);
  reader = await createCaller(app, acme.organisationId, { scopes: ['read'] });
  stranger = await createCaller(app, other.organisationId);
});
afterAll(() => app.close());

const CREATE = `mutation ($input: CreateInviteLinkInput!) { createInviteLink(input: $input) {
  clientMutationId userErrors { code field message }
  inviteLink { inviteLinkId inviteLinkUrl integrations integrationCategories connections { nodes { svcId } }
    company { name svcId accounts { totalCount } activityLog { nodes { activityType } } } } } }`;

describe('the payload of a deletion', () => {
  const LINK = 'createInviteLink(input: { companyName: "Doomed" }) { node: inviteLink';
  const WEBHOOK =
    'createWebhook(input: { name: "doomed", url: "https://hooks.example.com/", type: DATA_MODEL_CHANGES }) { node: webhook';
  const MAPPING =
    'createFieldMapping(input: { integrationType: XERO, dataModel: INVOICES, name: "doomed", path: "a", type: TEXT }) { node: fieldMapping';

  test.each([
    ['a company', `${LINK} { company { id key: svcId } } }`, 'DeleteCompany', 'svcId'],
    ['an invite link', `${LINK} { id key: inviteLinkId } }`, 'DeleteInviteLink', 'inviteLinkId'],
    ['a webhook', `${WEBHOOK} { id key: webhookId } }`, 'DeleteWebhook', 'webhookId'],
    ['a field mapping', `${MAPPING} { id key: svcId } }`, 'DeleteFieldMapping', 'svcId'],
  ])('of %s has its global id', async (_what, create, name, key) => {
    const made = await full.graphql(`mutation { made: ${create} }`);
    const { node } = made.body.data.made;
    const one = node.company ?? node;
    const end = `mutation ($input: ${name}Input!) {
      ended: ${name.replace('D', 'd')}(input: $input) { deletedId userErrors { code } } }`;
    const input = { [key]: one.key };
    const ended = await full.graphql(end, { input });
    expect(ended.body.data).toEqual({ ended: { deletedId: one.id, userErrors: [] } });
    const again = await full.graphql(end, { input });
    expect(again.body.data).toEqual({ ended: { deletedId: null, userErrors: [{ code: 'NOT_FOUND' }] } });
  });
});

describe('invite links', () => {
  test('are made with the kinds of their platforms where none are named', async () => {
    const input = { clientMutationId: 'one', companyName: 'Made', integrations: ['SVC_SANDBOX'] };
    const { body } = await full.graphql(CREATE, { input });
    expect(body.data.createInviteLink).toEqual({
      clientMutationId: 'one',
      userErrors: [],
      inviteLink: {
        inviteLinkId: expect.stringMatching(/^[0-9a-f]{32}$/),
        inviteLinkUrl: `${app.url}/link/${body.data.createInviteLink.inviteLink.inviteLinkId}`,
        integrations: ['SVC_SANDBOX'],
        integrationCategories: expect.arrayContaining(['ACCOUNTING', 'PAYMENTS', 'ECOMMERCE']),
        connections: { nodes: [] },
        company: {
          name: 'Made',
          svcId: expect.any(Number),
          accounts: { totalCount: 0 },
          activityLog: {
            nodes: [{ activityType: 'INVITE_LINK_CREATED' }, { activityType: 'COMPANY_CREATED' }],
          },
        },
      },
    });
  });

  test.each([
    [{ companyName: ' ' }, ['companyName'], 'companyName must be one line'],
    [
      { companyName: 'x', syncConfig: [{ category: 'ACCOUNTING', dataModel: 'ECOMMERCE_ORDERS' }] },
      ['syncConfig', '0', 'dataModel'],
      'dataModel must be one of',
    ],
    [{ companyId: 4 }, ['companyId'], 'there is no such company'],
    [{}, ['companyName'], 'Missing required field'],
  ])('%j is the mistake of the caller, told in the payload', async (input, field, message) => {
    const { status, body } = await full.graphql(CREATE, { input });
    expect(status).toBe(200);
    expect(body.data.createInviteLink).toMatchObject({ inviteLink: null, userErrors: [{ field }] });
    expect(body.data.createInviteLink.userErrors[0].message).toContain(message);
  });

  test('are changed and ended by their own organisation only', async () => {
    const { body } = await full.graphql(CREATE, { input: { companyName: 'Mine' } });
    const { inviteLinkId } = body.data.createInviteLink.inviteLink;
    const update = `mutation ($input: UpdateInviteLinkInput!) { updateInviteLink(input: $input) {
      inviteLink { integrations company { name } expiresAt } userErrors { code field } } }`;
    const end = `mutation ($input: DeleteInviteLinkInput!) { deleteInviteLink(input: $input) {
      deletedInviteLinkId userErrors { code field } } }`;
    const absent = [{ code: 'NOT_FOUND', field: ['inviteLinkId'] }];
    const input = { inviteLinkId, companyName: 'Renamed', integrations: ['XERO'], expiresAt: '2099-01-01' };
    for (const [caller, id] of [
      [stranger, inviteLinkId],
      [full, 'nothing'],
    ] as const) {
      const updated = await caller.graphql(update, { input: { ...input, inviteLinkId: id } });
      expect(updated.body.data.updateInviteLink).toEqual({ inviteLink: null, userErrors: absent });
      const ended = await caller.graphql(end, { input: { inviteLinkId: id } });
      expect(ended.body.data.deleteInviteLink).toEqual({ deletedInviteLinkId: null, userErrors: absent });
    }
    const updated = await full.graphql(update, { input });
    expect(updated.body.data.updateInviteLink).toEqual({
      inviteLink: {
        integrations: ['XERO'],
        company: { name: 'Renamed' },
        expiresAt: '2099-01-01T00:00:00.000Z',
      },
      userErrors: [],
    });
    const ended = await full.graphql(end, { input: { inviteLinkId } });
    expect(ended.body.data.deleteInviteLink).toEqual({ deletedInviteLinkId: inviteLinkId, userErrors: [] });
    const gone = await full.graphql('query ($id: String!) { inviteLink(id: $id) { svcId } }', {
      id: inviteLinkId,
    });
    expect(gone.body.data.inviteLink).toBeNull();
  });
});

test('a company is changed with its lists at hand', async () => {
  const update = `mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { userErrors { code field }
    company { id name partnerId status connections { nodes { syncSettings { dataModel enabled } } } accounts { totalCount } } } }`;
  const input = {
    svcId: acme.companyId,
    partnerId: 'p',
    syncConfig: [{ category: 'ACCOUNTING', dataModel: 'ITEMS', enabled: false }],
  };
  const { body } = await full.graphql(update, { input });
  const { company, userErrors } = body.data.updateCompany;
  expect(userErrors).toEqual([]);
  expect(company).toMatchObject({ partnerId: 'p', status: 'HEALTHY', accounts: { totalCount: 0 } });
  expect(company.connections.nodes[0].syncSettings).toContainEqual({ dataModel: 'ITEMS', enabled: false });
  const cleared = await full.graphql(update, { input: { svcId: acme.companyId, partnerId: null } });
  expect(cleared.body.data.updateCompany.company.partnerId).toBeNull();
  const foreign = await stranger.graphql(update, { input });
  expect(foreign.body.data.updateCompany).toEqual({
    company: null,
    userErrors: [{ code: 'NOT_FOUND', field: ['svcId'] }],
  });
});

test('a setting keeps what is absent and has the default for null', async () => {
  const update = `mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { company {
    connections { nodes { syncSettings { dataModel enabled interval customFields } } } } } }`;
  const { companyId } = await acme.company('settings in part');
  const put = async (change: object) => {
    const setting = { category: 'ACCOUNTING', dataModel: 'BILLS', ...change };
    const { body } = await full.graphql(update, { input: { svcId: companyId, syncConfig: [setting] } });
    const settings: { dataModel: string }[] =
      body.data.updateCompany.company.connections.nodes[0].syncSettings;
    return settings.find(({ dataModel }) => dataModel === 'BILLS');
  };
  await put({ enabled: false, interval: 3, customFields: ['a'] });
  expect(await put({ enabled: null, interval: 4 })).toEqual({
    dataModel: 'BILLS',
    enabled: true,
    interval: 4,
    customFields: ['a'],
  });
});

test('what a key may not do at all is an error of the request', async () => {
  const mutations = [
    'createInviteLink(input: { companyName: "x" }) { userErrors { code } }',
    'updateInviteLink(input: { inviteLinkId: "x" }) { userErrors { code } }',
    'deleteInviteLink(input: { inviteLinkId: "x" }) { userErrors { code } }',
    'createIntegration(input: { integrationType: XERO, clientId: "x", clientSecret: "x" }) { userErrors { code } }',
    'updateIntegration(input: { svcId: 1 }) { userErrors { code } }',
    'updateCompany(input: { svcId: 1 }) { userErrors { code } }',
    'deleteCompany(input: { svcId: 1 }) { userErrors { code } }',
    'disconnectConnection(input: { connectionId: 1 }) { userErrors { code } }',
    'startSync(input: { companyId: 1, integrationType: XERO }) { userErrors { code } }',
    'createWebhook(input: { name: "x", type: SYNC_COMPLETED, url: "x" }) { userErrors { code } }',
    'updateWebhook(input: { webhookId: "x" }) { userErrors { code } }',
    'rotateWebhookSecret(input: { webhookId: "x" }) { userErrors { code } }',
    'testWebhook(input: { webhookId: "x" }) { userErrors { code } }',
    'redeliverWebhook(input: { webhookId: "x", since: "2026-01-01" }) { userErrors { code } }',
    'redeliverWebhookEvent(input: { webhookId: "x", eventId: "x" }) { userErrors { code } }',
    'deleteWebhook(input: { webhookId: "x" }) { userErrors { code } }',
  ];
  for (const mutation of mutations) {
    const { status, body } = await reader.graphql(`mutation { ${mutation} }`);
    const { code } = body.errors[0].extensions;
    expect({ mutation, status, code }).toEqual({ mutation, status: 403, code: 'forbidden' });
  }
});

describe('syncs', () => {
  const START = `mutation ($input: StartSyncInput!) { startSync(input: $input) { userErrors { code field message }
    sync { syncId state progress fullSync dataModels counts { total pending } connection { svcId } jobs { nodes { state phase } } } } }`;

  test('are started through GraphQL too', async () => {
    const company = await acme.company('started');
    const svcId = await connectXero(app, company, 'graphql');
    const input = { companyId: company.companyId, integrationType: 'XERO', dataModelsToSync: ['INVOICES'] };
    const { body } = await full.graphql(START, { input });
    expect(body.data.startSync).toEqual({
      userErrors: [],
      sync: {
        syncId: expect.stringMatching(/^[0-9A-Za-z]{15}$/),
        state: 'PENDING',
        progress: 0,
        fullSync: false,
        dataModels: ['INVOICES'],
        counts: { total: 1, pending: 1 },
        connection: { svcId },
        jobs: { nodes: [{ state: 'CREATED', phase: 'PULL' }] },
      },
    });
    const wrong = await full.graphql(START, { input: { ...input, dataModelsToSync: ['ECOMMERCE_ORDERS'] } });
    expect(wrong.body.data.startSync).toMatchObject({
      sync: null,
      userErrors: [{ code: 'INVALID_PARAMS', field: ['dataModelsToSync'] }],
    });
  });

  test('tell all of their jobs, and what could not be mapped', async () => {
    const connectionId = await connectXero(app, acme, 'told');
    const { syncId, syncSvcId, jobIds } = await addSync(acme, {
      connectionId,
      state: 'SLEEPING',
      sync: { errorCode: 'rate-limited', errorMessage: 'wait', resumeAt: new Date('2027-01-01T00:00:00Z') },
      jobs: [
        {
          state: 'SUCCESS',
          recordsRead: 10,
          created: 7,
          failed: 3,
          sleptMs: 100n,
          problems: ['odd', 'odder'],
        },
        { state: 'RUNNING', dataModel: 'ITEMS', recordsRead: 5, updated: 5, sleptMs: 50n },
      ],
    });
    for (const number of [1, 2, 3]) {
      await admin.prisma.unmappedRecord.create({
        data: {
          svcOrganisationId: BigInt(acme.organisationId),
          svcCompanyId: BigInt(acme.companyId),
          connectionId: BigInt(connectionId),
          dataModel: 'ACCOUNTS',
          dataHash: `hash ${number}`,
          rawData: { number },
          message: `odd ${number}`,
          syncSvcId,
        },
      });
    }
    const query = `query ($id: String!) { sync(syncId: $id) {
      state progress resumeAt sleptMs error { code message } records { read created updated failed }
      counts { total success running } jobs { nodes { jobId dataModel state problems error { code } retries sleptMs } }
      unmapped(first: 2) { totalCount nodes { dataModel message rawData } pageInfo { hasNextPage endCursor } } } }`;
    const { body } = await full.graphql(query, { id: syncId });
    expect(body.data.sync).toEqual({
      state: 'SLEEPING',
      progress: 0.5,
      resumeAt: '2027-01-01T00:00:00.000Z',
      sleptMs: 150,
      error: { code: 'RATE_LIMITED', message: 'wait' },
      records: { read: 15, created: 7, updated: 5, failed: 3 },
      counts: { total: 2, success: 1, running: 1 },
      jobs: {
        nodes: [
          {
            jobId: jobIds[0],
            dataModel: 'ACCOUNTS',
            state: 'SUCCESS',
            problems: ['odd', 'odder'],
            error: null,
            retries: 0,
            sleptMs: 100,
          },
          expect.objectContaining({ dataModel: 'ITEMS', state: 'RUNNING' }),
        ],
      },
      unmapped: {
        totalCount: 3,
        nodes: [
          { dataModel: 'ACCOUNTS', message: 'odd 1', rawData: { number: 1 } },
          { dataModel: 'ACCOUNTS', message: 'odd 2', rawData: { number: 2 } },
        ],
        pageInfo: { hasNextPage: true, endCursor: expect.any(String) },
      },
    });
    const rest = await full.graphql(
      `query ($id: String!, $after: String, $before: String) { sync(syncId: $id) {
        after: unmapped(after: $after) { nodes { message } }
        before: unmapped(before: $before, last: 1) { nodes { message } } } }`,
      {
        id: syncId,
        after: body.data.sync.unmapped.pageInfo.endCursor,
        before: body.data.sync.unmapped.pageInfo.endCursor,
      },
    );
    expect(rest.body.data.sync).toEqual({
      after: { nodes: [{ message: 'odd 3' }] },
      before: { nodes: [{ message: 'odd 1' }] },
    });
    const job = await full.graphql(`{ syncJob(jobId: "${jobIds[0]}") { syncId dataModel } }`);
    expect(job.body.data.syncJob).toEqual({ syncId, dataModel: 'ACCOUNTS' });
    expect((await stranger.graphql(query, { id: syncId })).body.data.sync).toBeNull();
    expect((await full.graphql(query, { id: 'a\0' })).body.errors[0].extensions.field).toEqual(['syncId']);
  });

  test('are a Relay connection', async () => {
    const all = `query ($first: Int, $after: String, $last: Int, $before: String) {
      syncs(first: $first, after: $after, last: $last, before: $before) {
        totalCount edges { cursor node { svcId } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
    const connectionId = await connectXero(app, acme, 'listed');
    for (let run = 0; run < 3; run += 1) await addSync(acme, { connectionId });
    const read = async (variables: object) => (await full.graphql(all, variables)).body.data.syncs;
    const whole = await read({});
    expect(whole.totalCount).toBe(whole.edges.length);
    const ids = whole.edges.map(({ node }: { node: { svcId: number } }) => node.svcId);
    expect(ids).toEqual([...ids].sort((one, two) => two - one));
    const first = await read({ first: 1 });
    const rest = await read({ after: first.pageInfo.endCursor });
    expect([...first.edges, ...rest.edges]).toEqual(whole.edges);
    expect(await read({ last: 1 })).toMatchObject({
      edges: [whole.edges[whole.edges.length - 1]],
      pageInfo: { hasNextPage: false, hasPreviousPage: true },
    });
    expect(await read({ first: 0 })).toMatchObject({ edges: [], pageInfo: { endCursor: null } });
    for (const [variables, field] of [
      [{ first: -1 }, 'first'],
      [{ last: 5000 }, 'last'],
      [{ first: 1, last: 1 }, 'last'],
      [{ after: 'x' }, 'after'],
      [{ before: 'x' }, 'before'],
    ] as const) {
      const { body } = await full.graphql(all, variables);
      expect({ variables, field: body.errors[0].extensions.field }).toEqual({ variables, field: [field] });
    }
    expect((await stranger.graphql(all)).body.data.syncs).toMatchObject({ totalCount: 0, edges: [] });
  });

  test('have settings, usual or of a company', async () => {
    const query = `query ($category: IntegrationCategory!, $companyId: SvcId) { syncSettings(category: $category, companyId: $companyId, first: 100) {
      totalCount nodes { category dataModel enabled scopeAccess { read create } } } }`;
    const { body } = await full.graphql(query, { category: 'ACCOUNTING' });
    expect(body.data.syncSettings.nodes).toHaveLength(body.data.syncSettings.totalCount);
    expect(body.data.syncSettings.nodes).toContainEqual({
      category: 'ACCOUNTING',
      dataModel: 'INVOICES',
      enabled: true,
      scopeAccess: { read: true, create: true },
    });
    const foreign = await stranger.graphql(query, { category: 'ACCOUNTING', companyId: acme.companyId });
    expect(foreign.body.errors[0].extensions).toEqual({ code: 'not-found', field: ['companyId'] });
    const wrong = await full.graphql(query, { category: 'X' });
    expect({ status: wrong.status, error: wrong.body.errors[0] }).toMatchObject({
      status: 400,
      error: {
        extensions: { code: 'BAD_USER_INPUT' },
        message: expect.stringContaining('Value "X" does not exist in "IntegrationCategory" enum'),
      },
    });
  });
});

test('each mutation of a document shows what is stored after it', async () => {
  const company = `inviteLink { company { svcId name } }`;
  const { body } = await full.graphql(
    `mutation ($companyId: SvcId!) {
      before: createInviteLink(input: { companyId: $companyId }) { ${company} }
      updateCompany(input: { svcId: $companyId, name: "Renamed in between" }) { company { name } }
      after: createInviteLink(input: { companyId: $companyId }) { ${company} }
    }`,
    { companyId: acme.companyId },
  );
  expect(body.data.after.inviteLink.company.name).toBe('Renamed in between');
});
