import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { webhookPlace } from '../../src/events/sealed-webhook.js';
import { addSync, connectXero, testSecrets } from '../support/fill-company.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { statementsOf } from '../support/statements.js';
import { admin } from '../support/admin.js';

const FOUR = [0, 1, 2, 3];

let app: App;
let acme: Tenant;
let caller: Caller;

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'connections');
  caller = await createCaller(app, acme.organisationId);
  await fill();
});
afterAll(() => app.close());

const id = () => randomBytes(12).toString('hex');

/** Four of everything that is listed and is no record, and a sales order with four invoices. */
async function fill(): Promise<void> {
  const { prisma } = admin;
  const organisation = { svcOrganisationId: BigInt(acme.organisationId) };
  const owner = { ...organisation, svcCompanyId: BigInt(acme.companyId) };
  const { connectionId } = acme;
  const platform = { integrationType: 'XERO', category: 'ACCOUNTING' };
  for (const integrationType of ['XERO', 'SVC_SANDBOX']) {
    await prisma.integration.create({ data: { ...organisation, integrationType } });
  }
  for (const position of FOUR) {
    if (position > 0) await connectXero(app, acme, `account ${position}`);
    await prisma.activity.create({ data: { ...owner, activityType: 'COMPANY_CREATED' } });
    const link = { inviteLinkId: id(), integrations: [], integrationCategories: ['ACCOUNTING'] };
    await prisma.inviteLink.create({ data: { ...owner, ...link } });
    const webhookId = id();
    const headers = testSecrets.seal('{}', webhookPlace(webhookId, acme.organisationId, 'headers'));
    const watched = { dataModels: ['ACCOUNTS'], operations: ['CREATE'], type: 'DATA_MODEL_CHANGES' };
    // Two of one instant: they are told apart by their ids.
    const createdAt = new Date(Date.UTC(2026, 0, 1 + Math.floor(position / 2)));
    await prisma.webhook.create({
      data: {
        ...organisation,
        ...watched,
        id: webhookId,
        name: webhookId,
        url: 'https://x.test',
        headers,
        createdAt,
      },
    });
    const jobs = FOUR.map(() => ({ dataModel: 'ACCOUNTS' }));
    await addSync(acme, { connectionId, jobs });
    const { svcId } = await prisma.upload.create({
      data: {
        ...owner,
        ...platform,
        uploadId: id(),
        connectionId: BigInt(connectionId),
        dataModel: 'ACCOUNTS',
        operation: 'CREATE',
        state: 'PENDING',
        answerBy: new Date(),
      },
    });
    for (const item of FOUR) {
      const state = { position: item, state: 'PENDING', input: {} };
      await prisma.uploadItem.create({ data: { ...owner, ...state, jobId: id(), uploadSvcId: svcId } });
    }
  }
  await acme.store(
    'Invoice',
    FOUR.map((number) => ({ platformId: `invoice-${number}`, values: {}, deleted: number === 2 })),
  );
  const invoiceIds = ['invoice-3', 'not-here', 'invoice-0', 'invoice-2', 'invoice-1'];
  await acme.store('SalesOrder', [{ platformId: 'order', values: { invoiceIds } }]);
}

interface Page {
  readonly totalCount: number;
  readonly nodes: readonly { readonly id: string }[];
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/** Where each list is, with what stands around it. */
const LISTS: readonly (readonly [list: string, around: string, size: number])[] = [
  ['inviteLinks', 'LIST', 4],
  ['webhooks', 'LIST', 4],
  ['integrations', 'LIST', 2],
  ['syncs', 'LIST', 4],
  ['writes', 'LIST', 4],
  ['activityLog', 'companies { nodes { LIST } }', 4],
  ['connections', 'companies { nodes { LIST } }', 4],
  ['connections', 'inviteLinks(first: 1) { nodes { LIST } }', 4],
  ['jobs', 'syncs(first: 1) { nodes { LIST } }', 4],
  ['items', 'writes(first: 1) { nodes { LIST } }', 4],
  ['invoices', 'salesOrders { nodes { LIST } }', 4],
];

describe.each(LISTS)('%s of %s', (list, around, size) => {
  const read = async (given: object): Promise<Page> => {
    const values = Object.entries(given).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
    const args = values.length > 0 ? `(${values.join(', ')})` : '';
    const field = `list: ${list}${args} {
      totalCount nodes { id } edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;
    const { body } = await caller.graphql(`{ ${around.replace('LIST', field)} }`);
    expect(body.errors).toBeUndefined();
    const [found] = Object.values<any>(body.data);
    return around === 'LIST' ? found : found.nodes[0].list;
  };
  const ids = ({ edges }: Page) => edges.map(({ node }) => node.id);

  test('is walked in both directions to the same whole', async () => {
    const whole = await read({});
    expect(whole.totalCount).toBe(size);
    expect(new Set(ids(whole)).size).toBe(size);
    expect(whole.nodes).toEqual(whole.edges.map(({ node }) => node));
    expect(whole.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
    const forth: string[] = [];
    for (
      let page = await read({ first: 1 });
      ;
      page = await read({ first: 1, after: page.pageInfo.endCursor })
    ) {
      forth.push(...ids(page));
      if (!page.pageInfo.hasNextPage) break;
    }
    expect(forth).toEqual(ids(whole));
    const back: string[] = [];
    for (
      let page = await read({ last: 1 });
      ;
      page = await read({ last: 1, before: page.pageInfo.startCursor })
    ) {
      back.unshift(...ids(page));
      if (!page.pageInfo.hasPreviousPage) break;
    }
    expect(back).toEqual(ids(whole));
  });

  test('takes first with before, last with after, and both cursors', async () => {
    const whole = await read({});
    const all = ids(whole);
    const [start, end] = [whole.edges[0]?.cursor, whole.edges[size - 1]?.cursor];
    expect(ids(await read({ first: 1, before: end }))).toEqual(all.slice(0, 1));
    expect(ids(await read({ last: 1, after: start }))).toEqual(all.slice(-1));
    expect(ids(await read({ after: start, before: end }))).toEqual(all.slice(1, -1));
    expect(ids(await read({ first: 1, skip: 1 }))).toEqual(all.slice(1, 2));
    const beyond = await read({ first: 1, after: end });
    expect(ids(beyond)).toEqual([]);
    expect(ids(await read({ last: 1, before: beyond.pageInfo.startCursor }))).toEqual(all.slice(-1));
  });

  test('refuses a broken cursor, and one of another list', async () => {
    const other = list === 'webhooks' ? 'inviteLinks' : 'webhooks';
    const { body: of } = await caller.graphql(`{ ${other} { pageInfo { endCursor } } }`);
    for (const cursor of ['rubbish', of.data[other].pageInfo.endCursor]) {
      const field = `${list}(first: 1, after: "${cursor}") { nodes { id } }`;
      const { body } = await caller.graphql(`{ ${around.replace('LIST', field)} }`);
      expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'invalid-cursor', field: ['after'] });
    }
  });
});

test('a cursor of a named record that has left the list goes on at its place', async () => {
  const read = async (given: string) => {
    const { body } = await caller.graphql(
      `{ salesOrders { nodes { invoices(${given}) { nodes { platformId } pageInfo { endCursor } } } } }`,
    );
    const { nodes, pageInfo } = body.data.salesOrders.nodes[0].invoices;
    return { ids: nodes.map((node: { platformId: string }) => node.platformId), end: pageInfo.endCursor };
  };
  const { ids, end } = await read('first: 2');
  expect(ids).toEqual(['invoice-3', 'invoice-0']);
  await acme.store('SalesOrder', [
    { platformId: 'order', values: { invoiceIds: ['invoice-3', 'invoice-2', 'invoice-1'] } },
  ]);
  expect((await read(`first: 5, after: "${end}"`)).ids).toEqual(['invoice-2', 'invoice-1']);
  await acme.store('SalesOrder', [
    { platformId: 'order', values: { invoiceIds: ['invoice-0', 'invoice-3', 'invoice-2', 'invoice-1'] } },
  ]);
  expect((await read(`first: 5, after: "${end}"`)).ids).toEqual(['invoice-3', 'invoice-2', 'invoice-1']);
});

test('REST lists all of them by as many statements, however small the pages of callers must be', async () => {
  const small = await startApp({
    LIMIT_MAX_PAGE_SIZE: '2',
    LIMIT_PAGE_SIZE: '2',
    LIMIT_NESTED_PAGE_SIZE: '2',
  });
  try {
    const reader = await createCaller(small, acme.organisationId);
    const { body: found } = await reader.graphql(
      '{ syncs(first: 1) { nodes { syncId } } writes(first: 1) { nodes { writeId } } }',
    );
    const [{ syncId }] = found.data.syncs.nodes;
    const [{ writeId }] = found.data.writes.nodes;
    const sizes: Record<string, number> = {};
    const statements: Record<string, number> = {};
    const read = async (path: string, at: (body: any) => unknown[]) => {
      const here = await statementsOf(
        small,
        async () => (sizes[path] = at((await reader.get(path)).body).length),
      );
      const there = await statementsOf(app, () => caller.get(path));
      if (here.length !== there.length) statements[path] = here.length;
    };
    await read('/v3/core/webhooks', (body) => body.data);
    await read(`/v3/core/syncs/${syncId}/jobs`, (body) => body.data);
    await read(`/v3/core/syncs/${writeId}/jobs`, (body) => body.data);
    await read(`/v3/core/uploads/${writeId}`, (body) => body.data.data);
    await read('/v3/accounting/sales_orders?expand=invoices', (body) => body.data[0].invoices);
    await read(`/v3/core/companies/${acme.companyId}`, (body) => body.data.activity_log);
    await read('/v3/core/companies', (body) => body.data[0].connections);
    await read('/v3/core/invite_links', (body) => body.data[0].connections);
    expect(Object.values(sizes)).toEqual([4, 4, 4, 4, 4, 4, 4, 4]);
    expect(statements).toEqual({});
  } finally {
    await small.close();
  }
});
