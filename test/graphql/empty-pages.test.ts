import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';

let app: App;
let tenant: Tenant;
let caller: Caller;
beforeAll(async () => {
  app = await startApp();
  tenant = await createTenant(app, 'cursors');
  caller = await createCaller(app, tenant.organisationId);
  await tenant.store(
    'Account',
    ['a', 'b', 'c'].map((platformId) => ({ platformId, values: { name: platformId } })),
  );
});
afterAll(async () => {
  await app.close();
});
const page = async (args: string) => {
  const { body } = await caller.graphql(`{ accounts(companyId: ${tenant.companyId}, ${args}) {
    nodes { platformId } pageInfo { endCursor startCursor hasNextPage hasPreviousPage } } }`);
  expect(body.errors).toBeUndefined();
  return { ids: body.data.accounts.nodes.map((one: any) => one.platformId), ...body.data.accounts.pageInfo };
};
test('a client that goes on from endCursor of an empty page gets what is new, and nothing again', async () => {
  const all = await page('first: 10');
  expect(all.ids).toEqual(['a', 'b', 'c']);
  const empty = await page(`first: 10, after: "${all.endCursor}"`);
  expect(empty.ids).toEqual([]);
  const again = await page(`first: 10, after: "${empty.endCursor}"`);
  expect(again.ids).toEqual([]);
  await tenant.store('Account', [{ platformId: 'd', values: { name: 'd' } }]);
  expect((await page(`first: 10, after: "${again.endCursor}"`)).ids).toEqual(['d']);
  expect((await page(`last: 1, before: "${empty.startCursor}"`)).ids).toEqual(['d']);
});
test('a walk by endCursor until a page is empty ends, also where it is asked twice', async () => {
  const { ids: all } = await page('first: 10');
  const seen: string[] = [];
  let after = '';
  for (let turn = 0; turn < 6; turn += 1) {
    const one = await page(`first: 2${after}`);
    seen.push(...one.ids);
    if (one.endCursor) after = `, after: "${one.endCursor}"`;
  }
  expect(all.length).toBeGreaterThan(2);
  expect(seen).toEqual(all);
});
test('before the first', async () => {
  const all = await page('first: 10');
  const empty = await page(`last: 10, before: "${all.startCursor}"`);
  expect(empty.ids).toEqual([]);
  expect((await page(`last: 10, before: "${empty.startCursor}"`)).ids).toEqual([]);
});
test('of the history of a record', async () => {
  const history = async (args: string) => {
    const { body } = await caller.graphql(`{ accounts(companyId: ${tenant.companyId}, first: 1) { nodes {
      history(${args}) { nodes { position } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } } } }`);
    expect(body.errors).toBeUndefined();
    return body.data.accounts.nodes[0].history;
  };
  const all = await history('first: 10');
  expect(all.nodes).toHaveLength(1);
  const behind = await history(`first: 10, after: "${all.pageInfo.endCursor}"`);
  expect(behind).toMatchObject({ nodes: [], pageInfo: { hasPreviousPage: true } });
  expect((await history(`last: 10, before: "${behind.pageInfo.startCursor}"`)).nodes).toEqual(all.nodes);
  const before = await history(`last: 10, before: "${all.pageInfo.startCursor}"`);
  expect(before).toMatchObject({ nodes: [], pageInfo: { hasNextPage: true } });
  expect((await history(`first: 10, after: "${before.pageInfo.endCursor}"`)).nodes).toEqual(all.nodes);
});
