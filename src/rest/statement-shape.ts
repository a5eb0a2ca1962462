import type { StatementKind } from '../connectors/reports.js';
import { inSnakeCase } from '../base/names.js';
import { ALL_METADATA, type Shape, type ShapeField, type Style, V3_METADATA } from './shape.js';

/** Fields of each kind of statement, in the order of the reference. Reference G4. */
const PARTS = {
  BalanceSheet: {
    isInCurrency: true,
    fields: { assets: 'lines', liabilities: 'lines', equity: 'lines', netAssets: 'amount' },
  },
  IncomeStatement: {
    isInCurrency: true,
    fields: {
      revenue: 'lines',
      costOfGoodsSold: 'lines',
      grossProfit: 'amount',
      operatingExpenses: 'lines',
      operatingProfit: 'amount',
      nonOperatingRevenue: 'lines',
      nonOperatingExpenses: 'lines',
      earningsBeforeTaxes: 'amount',
      taxes: 'lines',
      netProfit: 'amount',
    },
  },
  CashFlowStatement: {
    isInCurrency: false,
    fields: {
      operatingActivities: 'lines',
      investingActivities: 'lines',
      financingActivities: 'lines',
      cashAtBeginningOfPeriod: 'amount',
      cashAtEndOfPeriod: 'amount',
    },
  },
} as const satisfies Record<
  StatementKind,
  { readonly isInCurrency: boolean; readonly fields: Readonly<Record<string, 'lines' | 'amount'>> }
>;

/** How deep groups of lines are shown. */
const DEPTH = 3;

const plain = (
  graphql: string,
  kind: 'text' | 'svcId' | 'timestamp' | 'date' | 'decimalNumber' | 'boolean',
): ShapeField => ({ wire: inSnakeCase(graphql), graphql, kind });

function linesOf(graphql: string, depth = DEPTH): ShapeField {
  const own = [plain('name', 'text'), plain('value', 'decimalNumber'), plain('accountId', 'text')];
  const shape = depth > 1 ? [...own, linesOf('lineItems', depth - 1)] : own;
  return { wire: inSnakeCase(graphql), graphql, kind: 'lines', shape, wrapped: false, absent: '[]' };
}

const RECONCILIATION: ShapeField = {
  wire: 'reconciliation',
  graphql: 'reconciliation',
  kind: 'object',
  shape: [
    plain('agrees', 'boolean'),
    {
      wire: 'differences',
      graphql: 'differences',
      kind: 'lines',
      shape: [
        plain('part', 'text'),
        plain('name', 'text'),
        plain('accountId', 'text'),
        plain('ledger', 'decimalNumber'),
        plain('platform', 'decimalNumber'),
      ],
      wrapped: false,
      absent: '[]',
    },
  ],
  wrapped: false,
  absent: 'null',
};

/** Fields of a statement that are not in the reference and shown only if selected. */
const SELECTABLE: Readonly<Record<string, ShapeField>> = {
  source: plain('source', 'text'),
  reconciliation: RECONCILIATION,
};

export const SELECTABLE_OF_STATEMENTS: ReadonlyMap<string, string> = new Map(
  Object.keys(SELECTABLE).map((name) => [name, name]),
);

const METADATA_KINDS: Readonly<Record<string, 'text' | 'timestamp'>> = {
  svcCreatedAt: 'timestamp',
  svcUpdatedAt: 'timestamp',
  platformId: 'text',
  svcIntegrationType: 'text',
};

/** The shape of a statement; `select` names additional fields. */
export function statementShape(kind: StatementKind, style: Style, select: readonly string[]): Shape {
  const { isInCurrency, fields } = PARTS[kind];
  return [
    ...(style === 'all' ? ALL_METADATA : V3_METADATA).map((name) =>
      plain(name, METADATA_KINDS[name] ?? 'svcId'),
    ),
    plain('periodStart', 'date'),
    plain('periodEnd', 'date'),
    ...(isInCurrency ? [plain('currencyId', 'text')] : []),
    ...Object.entries(fields).map(([name, part]) =>
      part === 'lines' ? linesOf(name) : plain(name, 'decimalNumber'),
    ),
    plain('updatedAt', 'timestamp'),
    ...Object.entries(SELECTABLE).flatMap(([name, field]) => (select.includes(name) ? [field] : [])),
  ];
}
