import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { App } from '../../src/app.js';
import { connectors } from '../../src/connectors/index.js';
import { createScope } from '../../src/db/scope.js';
import type { Context } from '../../src/context.js';
import { DEFAULT_LIMITS } from '../../src/limits.js';
import { listActivitiesById } from '../../src/operations/companies/activities.js';
import { getSyncJob, listSyncJobs, listSyncJobsById } from '../../src/operations/syncs/sync-jobs.js';
import { countItems, listItems, listItemsById } from '../../src/operations/writes/uploads.js';
import { readChildren } from '../../src/query/children.js';
import { readLines } from '../../src/query/lines.js';
import { countRows, readPage } from '../../src/query/list.js';
import { createOrder } from '../../src/query/pages/order.js';
import { readByReference } from '../../src/query/references.js';
import { definitionOf, lineTypes, records } from '../../src/records/index.js';
import type { ClaimedRun } from '../../src/sync/state/run-state.js';
import { storedPartsOf } from '../../src/sync/storing/store-page.js';
import { startApp, testDatabaseUrl } from '../support/service.js';
import { statementsOf } from '../support/statements.js';

/** The tenant that is read: large enough that reading without an index, or sorting, would show. */
const ROWS = 3000;
const COMPANIES = 3;
/** Small tenants beside it, so that PostgreSQL's idea of an average one is far from it. */
const OTHERS = 300;
const ROWS_OF_OTHERS = 10;
const organisationId = 900_001;
const companyId = 900_101;

let app: App;
let owner: pg.Client;

beforeAll(async () => {
  app = await startApp();
  owner = new pg.Client({ connectionString: testDatabaseUrl() });
  await owner.connect();
  // The planner wants many rows, and not the companies that they are of.
  await owner.query('SET session_replication_role = replica');
  for (const { table } of [...records, definitionOf('LineItem')]) await fill(table);
});
afterAll(async () => {
  await owner.end();
  await app.close();
});

/** Columns by which nested lists are read. */
const referring = [...records, ...lineTypes].flatMap(({ relations }) =>
  Object.values(relations).flatMap((relation) =>
    relation.kind === 'many' ? (definitionOf(relation.target).fields[relation.by]?.wire ?? []) : [],
  ),
);

/** Rows with distinct times, a large organisation's first, references to the first hundred platform ids. */
async function fill(table: string): Promise<void> {
  const { rows } = await owner.query<{ column_name: string; data_type: string; needed: boolean }>(
    `SELECT column_name, data_type, is_nullable = 'NO' AND column_default IS NULL AS needed
     FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1`,
    [table],
  );
  const values: Record<string, string> = {
    svc_organisation_id: `CASE WHEN n <= ${ROWS} THEN ${organisationId} ELSE 910000 + n % ${OTHERS} END`,
    svc_company_id: `CASE WHEN n <= ${ROWS} THEN ${companyId} + n % ${COMPANIES} ELSE 920000 + n % ${OTHERS} END`,
    connection_id: '900201',
    platform_id: `'p' || n`,
    svc_created_at: `timestamptz '2026-01-01' + n * interval '1 second'`,
    svc_updated_at: `timestamptz '2026-02-01' + (n * 7919 % ${ROWS + OTHERS * ROWS_OF_OTHERS}) * interval '1 second'`,
    raw_data: `'{}'`,
    currency_id: `'p' || n % 100`,
    payment_id: `'p' || n % 100`,
    ...Object.fromEntries(referring.map((column) => [column, `'p' || n % 100`])),
    parent_svc_id: 'n / 3',
    position: 'n % 3',
  };
  const used = rows.filter(({ column_name, needed }) => needed || values[column_name] !== undefined);
  const expressions = used.map(
    ({ column_name, data_type }) => values[column_name] ?? (data_type === 'integer' ? '1' : `'x'`),
  );
  await owner.query(
    `INSERT INTO ${table} (${used.map(({ column_name }) => column_name).join(', ')})
     SELECT ${expressions.join(', ')} FROM generate_series(1, ${ROWS + OTHERS * ROWS_OF_OTHERS}) n`,
  );
  // Vacuumed as well: index-only scans need the visibility map.
  await owner.query(`VACUUM (ANALYZE) ${table}`);
}

const SETTLED = 6;

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

/** What a plan does, all its nodes. */
async function planOf(work: () => Promise<unknown>): Promise<{ nodes: Plan[]; text: string }> {
  const [statement] = await statementsOf(app, work);
  if (!statement) throw new Error('no statement ran');
  const client = await app.database.pool.connect();
  let isClean = false;
  try {
    await client.query(`SET svc.organisation = '${String(statement.values[0])}'`);
    await client.query(`PREPARE explained AS ${statement.text}`);
    const execute = `EXECUTE explained (${statement.values.map(literal).join(', ')})`;
    // PostgreSQL settles on a plan with the sixth execution: one made for these values, or one for any.
    for (let times = 1; times < SETTLED; times += 1) await client.query(execute);
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${execute}`,
    );
    await client.query('DEALLOCATE explained; RESET svc.organisation');
    isClean = true;
    const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];
    return { nodes: rows.flatMap((row) => flatten(row['QUERY PLAN'][0].Plan)), text: statement.text };
  } finally {
    client.release(!isClean);
  }
}

function literal(value: unknown): string {
  const text = Array.isArray(value)
    ? `{${value.map((one) => JSON.stringify(one)).join(',')}}`
    : String(value);
  return value === null ? 'NULL' : pg.escapeLiteral(text);
}

function expectIndexed({ nodes, text }: { nodes: Plan[]; text: string }, sorts: boolean): void {
  const types = nodes.map((node) => node['Node Type']);
  const removed = nodes.map(
    (node) => (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0),
  );
  expect({ text, types, scans: types.filter((type) => type === 'Seq Scan') }).toEqual({
    text,
    types,
    scans: [],
  });
  if (!sorts)
    expect({ text, types, sorts: types.filter((type) => type.includes('Sort')) }).toEqual({
      text,
      types,
      sorts: [],
    });
  expect({ text, removed: Math.max(...removed) <= 100 }).toEqual({ text, removed: true });
}

const columns = new Set(['svcId', 'platformId', 'svcCompanyId', 'connectionId']);
const base = { columns, filter: null, includeDeleted: false };
/** Small against a company's rows, so that no plan is a close call: sorting a few rows may be right. */
const pageOf = (from: (string | number)[] | null, reversed: boolean) => ({
  size: 10,
  skip: 0,
  from,
  reversed,
  until: null,
});

describe.each(records.map((definition) => [definition.list, definition] as const))(
  '%s',
  (_list, definition) => {
    test.each([null, companyId])(
      'are read by index, forwards and backwards, in every indexed order (company %p)',
      async (company) => {
        const sql = app.database.sql(createScope(organisationId, null));
        const middles = {
          svcId: [900_500],
          svcCreatedAt: ['2026-01-01T00:45:00.000Z', 5],
          svcUpdatedAt: ['2026-02-01T00:45:00.000Z', 5],
        };
        for (const [field, middle] of Object.entries(middles)) {
          for (const direction of ['ASC', 'DESC'] as const) {
            for (const from of [null, middle]) {
              for (const reversed of [false, true]) {
                const order = createOrder(definition, [{ field, direction }], 5);
                const request = {
                  ...base,
                  definition,
                  companyId: company,
                  order,
                  page: pageOf(from, reversed),
                };
                expectIndexed(await planOf(() => readPage(sql, request, DEFAULT_LIMITS)), false);
              }
            }
          }
        }
      },
    );

    test.each([null, companyId])('are counted by an index alone (company %p)', async (company) => {
      const sql = app.database.sql(createScope(organisationId, null));
      const selection = { definition, companyId: company, filter: null, includeDeleted: false };
      const { nodes } = await planOf(() => countRows(sql, selection, DEFAULT_LIMITS));
      const indexes = nodes.flatMap((node) => node['Index Name'] ?? []);
      expect(indexes).toEqual([`${definition.table}_live_idx`]);
    });

    test('are found by reference without reading others', async () => {
      const sql = app.database.sql(createScope(organisationId, null));
      const keys = Array.from({ length: 50 }, (_, index) => `${companyId}:900201:p${index * 6}`);
      const others = keys.map((key, index) =>
        index % 2 === 0 ? key : key.replace(String(companyId), String(companyId + 2)),
      );
      for (const wanted of [keys, others]) {
        expectIndexed(await planOf(() => readByReference(sql, definition, columns, wanted)), true);
      }
    });
  },
);

/** Relations that read a list by a column of it. */
const nested = [...records, ...lineTypes].flatMap(({ model, relations }) =>
  Object.entries(relations).flatMap(([name, relation]) =>
    relation.kind === 'many' ? [[`${model}.${name}`, relation] as const] : [],
  ),
);

describe('nested lists and lines', () => {
  test.each(nested)('%s are read by index', async (_title, relation) => {
    const sql = app.database.sql(createScope(organisationId, null));
    const definition = definitionOf(relation.target);
    const parentsOf = (companies: number) =>
      Array.from({ length: 20 }, (_, index) => ({
        svcCompanyId: companyId + (index % companies),
        reference: { connectionId: 900_201, platformId: `p${index}` },
      }));
    const conditions = Object.entries(relation.where ?? {}).map(([field, value]) => [field, { eq: value }]);
    const request = {
      ...base,
      definition,
      companyId: 'joined' as const,
      where: conditions.length > 0 ? Object.fromEntries(conditions) : null,
      order: createOrder(definition, null, 1),
      page: { ...pageOf(null, false), size: 5 },
    };
    const parentColumn = definition.fields[relation.by]?.wire ?? '';
    for (const parents of [parentsOf(1), parentsOf(COMPANIES)]) {
      const read = () => readChildren(sql, { parents, parentColumn }, request, DEFAULT_LIMITS);
      expectIndexed(await planOf(read), true);
    }
  });

  test.each(records.map((definition) => [definition.table, definition] as const))(
    '%s of several companies are read in their order by index',
    async (_title, definition) => {
      const sql = app.database.sql(createScope(organisationId, null));
      const parents = Array.from({ length: COMPANIES }, (_, index) => ({
        svcCompanyId: companyId + index,
        reference: null,
      }));
      const order = createOrder(definition, null, 1);
      const page = { ...pageOf(null, false), size: 5 };
      const request = { ...base, definition, companyId: 'joined' as const, where: null, order, page };
      const read = () => readChildren(sql, { parents, parentColumn: null }, request, DEFAULT_LIMITS);
      expectIndexed(await planOf(read), true);
    },
  );

  test('lines of documents are read by index', async () => {
    const sql = app.database.sql(createScope(organisationId, null));
    for (const companies of [1, COMPANIES]) {
      const parents = Array.from({ length: 50 }, (_, index) => ({
        svcCompanyId: companyId + (index % companies),
        svcId: index * 2,
      }));
      expectIndexed(await planOf(() => readLines(sql, definitionOf('LineItem'), columns, parents)), true);
    }
  });
});

describe('runs', () => {
  const syncs = 'sync_id, connection_id, integration_type, category, sync_type, full_sync, state';
  const uploads =
    'upload_id, connection_id, integration_type, category, data_model, operation, state, answer_by';
  beforeAll(async () => {
    const own = 'svc_organisation_id, svc_company_id, svc_id';
    const each = `SELECT ${organisationId}, ${companyId} + n % ${COMPANIES}, n`;
    const from = `FROM generate_series(1, ${ROWS}) n`;
    for (const [table, columns, values] of [
      ['syncs', syncs, `'s' || n, 1, 'XERO', 'ACCOUNTING', 'MANUAL', true, 'SUCCESS'`],
      [
        'sync_jobs',
        'job_id, sync_svc_id, data_model, position, state',
        `'j' || n, n, 'ACCOUNTS', 0, 'SUCCESS'`,
      ],
      ['uploads', uploads, `'u' || n, 1, 'XERO', 'ACCOUNTING', 'ACCOUNTS', 'CREATE', 'SUCCESS', now()`],
      ['upload_items', 'job_id, upload_svc_id, position, state, input', `'i' || n, n, 0, 'SUCCESS', '{}'`],
      ['activities', 'activity_type', `'CREATED'`],
    ]) {
      await owner.query(`INSERT INTO ${table} (${own}, ${columns}) ${each}, ${values} ${from}`);
      await owner.query(`VACUUM (ANALYZE) ${table}`);
    }
  });

  const owned = Array.from({ length: 50 }, (_, index) => index * 20 + 1).map((svcId) => ({
    svcId,
    svcCompanyId: companyId + (svcId % COMPANIES),
  }));
  test.each<[string, (context: Context) => Promise<unknown>]>([
    ['jobs', ({ sql }) => listSyncJobsById(sql, owned)],
    ['jobs of syncs', ({ sql }) => listSyncJobs(sql, owned)],
    ['a job of digits', (context) => getSyncJob(context, '77')],
    ['items', ({ sql }) => listItemsById(sql, owned)],
    ['items of writes', ({ sql }) => listItems(sql, owned)],
    ['numbers of items of writes', ({ sql }) => countItems(sql, owned)],
    ['activities', (context) => listActivitiesById(context, owned)],
  ])(
    '%s are found without reading others, and by indexes that begin as they are asked for',
    async (_what, read) => {
      const sql = app.database.sql(createScope(organisationId, null));
      const plan = await planOf(() => read({ sql } as Context));
      expectIndexed(plan, true);
      const conditions = plan.nodes.flatMap((node) => node['Index Cond'] ?? []);
      expect(
        conditions.filter((condition) => !/svc_organisation_id|svc_company_id|job_id/.test(condition)),
      ).toEqual([]);
    },
  );
});

/** Record types with wholes that are found by a field, each once. */
const inParts = [
  ...new Map(
    connectors
      .flatMap(({ pulls }) => pulls)
      .flatMap((resource) => {
        const { partOf, definition } = resource;
        return partOf && 'field' in partOf
          ? [[`${definition.dataModel} by ${partOf.field}`, resource] as const]
          : [];
      }),
  ),
];

test.each(inParts)(
  'parts of wholes are found by index, and of no other whole: %s',
  async (_name, resource) => {
    const sql = app.database.sql(createScope(organisationId, [companyId]));
    const run = { svcOrganisationId: organisationId, svcCompanyId: companyId, connectionId: 900_201 };
    const find = (wholes: readonly string[]) =>
      storedPartsOf(sql, run as unknown as ClaimedRun, resource, wholes);
    expectIndexed(await planOf(() => find(['p12', 'p33'])), true);
    const found = await find(['p12']);
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((id) => !id.endsWith('12'))).toEqual([]);
    // Ids are compared, not matched.
    expect(await find(['p1', 'p%', 'p_2', 'p12%', 'p', 'P12'])).toEqual(await find(['p1']));
  },
);
