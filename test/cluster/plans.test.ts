import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { App } from '../../src/app.js';
import { DEFAULT_LIMITS } from '../../src/limits.js';
import { readChanges } from '../../src/query/changes/changes.js';
import { readChildren } from '../../src/query/children.js';
import { readLines } from '../../src/query/lines.js';
import { countRows, type ListRequest, readPage } from '../../src/query/list.js';
import { createOrder } from '../../src/query/pages/order.js';
import { readByReference } from '../../src/query/references.js';
import { definitionOf, lineTypes, records } from '../../src/records/index.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { startApp, testDatabaseUrl } from '../support/service.js';
import { statementsOf } from '../support/statements.js';

let app: App;
let owner: pg.Client;
let tenant: Tenant;

beforeAll(async () => {
  app = await startApp();
  owner = new pg.Client({ connectionString: testDatabaseUrl() });
  await owner.connect();
  tenant = await createTenant(app, 'plans');
});
afterAll(async () => {
  await owner.end();
  await app.close();
});

/** How many shards each statement of `work` asks, and what was said of it. */
async function shardsAsked(work: () => Promise<unknown>): Promise<{ asked: number[]; plan: string }[]> {
  const found: { asked: number[]; plan: string }[] = [];
  for (const { text, values } of await statementsOf(app, work)) {
    const { rows } = await owner.query<{ 'QUERY PLAN': unknown }>(`EXPLAIN (FORMAT JSON) ${text}`, [
      ...values,
    ]);
    const plan = JSON.stringify(rows[0]?.['QUERY PLAN']);
    found.push({ asked: [...plan.matchAll(/"Task Count":(\d+)/g)].map(([, count]) => Number(count)), plan });
  }
  return found;
}

const request = (
  definition: ListRequest['definition'],
  companyId: ListRequest['companyId'],
): ListRequest => ({
  definition,
  columns: new Set(Object.keys(definition.fields)),
  companyId,
  filter: { svcUpdatedAt: { gt: '2026-01-01T00:00:00.000Z' } },
  includeDeleted: false,
  order: createOrder(definition, null, 1),
  page: { size: 20, skip: 0, reversed: false, from: null, until: null },
});

const ONE_SHARD = [1];
const ALL = { companyIds: null, dataModels: null, operations: null };

describe('what is read of one company asks one shard', () => {
  test.each(records.map((definition) => [definition.model, definition] as const))(
    'a page of %s, a skipped one, and their count',
    async (_model, definition) => {
      const sql = app.database.sql(tenant.scope);
      const list = request(definition, tenant.companyId);
      const statements = await shardsAsked(async () => {
        await readPage(sql, list, DEFAULT_LIMITS);
        await readPage(sql, { ...list, page: { ...list.page, skip: 40 } }, DEFAULT_LIMITS);
        await countRows(sql, list, DEFAULT_LIMITS);
      });
      expect(statements.map(({ asked }) => asked)).toEqual([ONE_SHARD, ONE_SHARD, ONE_SHARD]);
    },
  );

  test.each(records.map((definition) => [definition.model, definition] as const))(
    'a list of %s that is nested, and a reference',
    async (_model, definition) => {
      const sql = app.database.sql(tenant.scope);
      const parents = [{ svcCompanyId: tenant.companyId, reference: null }];
      const statements = await shardsAsked(async () => {
        await readChildren(
          sql,
          { parents, parentColumn: null },
          request(definition, 'joined'),
          DEFAULT_LIMITS,
        );
        await readByReference(sql, definition, new Set(['svcId']), [
          `${tenant.companyId}:${tenant.connectionId}:a`,
          `${tenant.companyId}:${tenant.connectionId}:b`,
        ]);
      });
      expect(statements.map(({ asked }) => asked)).toEqual([ONE_SHARD, ONE_SHARD]);
    },
  );

  test.each(lineTypes.map((definition) => [definition.model, definition] as const))(
    'the lines of documents: %s',
    async (_model, definition) => {
      const parents = [1, 2].map((svcId) => ({ svcCompanyId: tenant.companyId, svcId }));
      const statements = await shardsAsked(() =>
        readLines(app.database.sql(tenant.scope), definition, new Set(['svcId']), parents),
      );
      expect(statements.map(({ asked }) => asked)).toEqual([ONE_SHARD]);
    },
  );
});

test('the change log of an organisation is on one shard', async () => {
  const statements = await shardsAsked(() =>
    readChanges(app.database.sql(tenant.scope), { after: 0, size: 10, filter: ALL }),
  );
  expect(statements.flatMap(({ asked }) => asked).every((count) => count === 1)).toBe(true);
});

test('a list of the whole organisation asks each shard for no more than a page, and counts there', async () => {
  const sql = app.database.sql(tenant.scope);
  const list = request(definitionOf('Account'), null);
  const statements = await shardsAsked(async () => {
    await readPage(sql, list, DEFAULT_LIMITS);
    await countRows(sql, list, DEFAULT_LIMITS);
  });
  const [page, count] = statements;
  expect(page?.plan).toMatch(/"Node Type":"Limit"[^]*"Task Count":(?!1\b)\d+[^]*"Node Type":"Limit"/);
  expect(count?.plan).toMatch(/"Task Count":(?!1\b)\d+[^]*"Partial Mode":"Simple"/);
});
