import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import fc from '../support/fast-check.js';
import { createTenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';

let app: App;
let caller: Caller;

const DAYS = ['2026-01-08', '2026-01-09', '2026-01-10', '2026-01-11', null];

beforeAll(async () => {
  app = await startApp();
  const tenant = await createTenant(app, 'days');
  await tenant.store(
    'Invoice',
    DAYS.map((postedDate) => ({ platformId: String(postedDate), values: { postedDate } })),
  );
  caller = await createCaller(app, tenant.organisationId);
});
afterAll(() => app.close());

interface Shown {
  readonly platform_id: string;
  readonly posted_date: string | null;
}

async function found(query: string): Promise<(string | null)[]> {
  const { status, body } = await caller.get(`/v3/accounting/invoices?${query}`);
  expect(status).toBe(200);
  return (body.data as Shown[]).map(({ posted_date: shown }) => shown?.slice(0, 10) ?? null);
}

/** What a comparison of the shown timestamp with another means, in plain code. */
function holds(operator: string, shown: string | null, operand: number): boolean {
  const order = shown === null ? NaN : Date.parse(shown) - operand;
  switch (operator) {
    case 'eq':
    case 'in':
      return order === 0;
    case 'ne':
    case 'notIn':
      return order !== 0;
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
    default:
      throw new Error(operator);
  }
}

const HOUR = 3_600_000;
const operator = fc.constantFrom('eq', 'ne', 'in', 'notIn', 'gt', 'gte', 'lt', 'lte');
const moment = fc
  .tuple(
    fc.integer({ min: Date.parse('2026-01-07') / HOUR, max: Date.parse('2026-01-13') / HOUR }),
    fc.constantFrom(-1, 0, 0, 0, 1),
  )
  .map(([hours, milliseconds]) => hours * HOUR + milliseconds);
const offset = fc.integer({ min: -11, max: 13 });

/** An instant in the form of a place with this offset in hours. */
const written = (instant: number, hours: number): string =>
  new Date(instant + hours * HOUR).toISOString().replace('Z', '') +
  (hours === 0 ? 'Z' : `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`);

const QUERY =
  'query ($filter: InvoiceFilter) { invoices(filter: $filter, first: 100) { nodes { postedDate } } }';

describe('a time that a day is compared with', () => {
  test('is compared with the time that the day is shown as, in both styles', async () => {
    await fc.assert(
      fc.asyncProperty(operator, moment, offset, async (name, instant, hours) => {
        const operand = written(instant, hours);
        const wanted = DAYS.filter((day) => holds(name, day && `${day}T00:00:00.000Z`, instant));
        expect(await found(`posted_date[${name}]=${encodeURIComponent(operand)}`)).toEqual(wanted);
        const value = name === 'in' || name === 'notIn' ? [operand] : operand;
        const { body } = await caller.graphql(QUERY, { filter: { postedDate: { [name]: value } } });
        expect(body.errors).toBeUndefined();
        expect(body.data.invoices.nodes.map((node: { postedDate: string }) => node.postedDate)).toEqual(
          wanted,
        );
      }),
      { numRuns: 100 },
    );
  });

  test('bounds a range around a midnight', async () => {
    expect(await found('posted_date[gt]=2026-01-08T23:59:59Z&posted_date[lt]=2026-01-09T00:00:01Z')).toEqual([
      '2026-01-09',
    ]);
  });

  test.each(['2026-01-09', '2026-01-09T00:00:00.000Z', '2026-01-09T00:00'])(
    'is the day itself as %s',
    async (day) => {
      expect(await found(`posted_date[eq]=${day}`)).toEqual(['2026-01-09']);
      expect(await found(`posted_date[gte]=${day}`)).toEqual(['2026-01-09', '2026-01-10', '2026-01-11']);
      expect(await found(`posted_date[in]=${day},2026-01-10T12:00:00Z`)).toEqual(['2026-01-09']);
    },
  );

  test('walks pages in order of the day', async () => {
    const first = await caller.get(
      '/v3/accounting/invoices?posted_date[gt]=2026-01-08T12:00:00Z&sort[posted_date]=DESC&limit=2',
    );
    expect(first.body.data.map(({ posted_date: shown }: Shown) => shown)).toEqual([
      '2026-01-11T00:00:00.000Z',
      '2026-01-10T00:00:00.000Z',
    ]);
    const { next } = first.body as { next: string };
    expect(
      await found(
        `posted_date[gt]=2026-01-08T12:00:00Z&sort[posted_date]=DESC&limit=2&next=${encodeURIComponent(next)}`,
      ),
    ).toEqual(['2026-01-09']);
  });
});
