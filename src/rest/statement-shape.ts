import type { StatementKind } from '../operations/statements/list-statements.js';
import { toWirePath } from '../names.js';
import type { Shape, ShapeField } from './shape.js';

/** What stands in each kind of statement, in the order of the reference. Reference G4. */
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
  kind: 'text' | 'svcId' | 'timestamp' | 'date' | 'decimalNumber',
): ShapeField => ({
  wire: String(toWirePath([graphql])[0]),
  graphql,
  kind,
});

function linesOf(graphql: string, depth = DEPTH): ShapeField {
  const own = [plain('name', 'text'), plain('value', 'decimalNumber'), plain('accountId', 'text')];
  const shape = depth > 1 ? [...own, linesOf('lineItems', depth - 1)] : own;
  return {
    wire: String(toWirePath([graphql])[0]),
    graphql,
    kind: 'lines',
    shape,
    wrapped: false,
    absent: '[]',
  };
}

/** The shape of a statement. */
export function statementShape(kind: StatementKind): Shape {
  const { isInCurrency, fields } = PARTS[kind];
  return [
    plain('svcId', 'svcId'),
    plain('svcCompanyId', 'svcId'),
    plain('svcCreatedAt', 'timestamp'),
    plain('svcUpdatedAt', 'timestamp'),
    plain('platformId', 'text'),
    plain('periodStart', 'date'),
    plain('periodEnd', 'date'),
    ...(isInCurrency ? [plain('currencyId', 'text')] : []),
    ...Object.entries(fields).map(([name, part]) =>
      part === 'lines' ? linesOf(name) : plain(name, 'decimalNumber'),
    ),
    plain('updatedAt', 'timestamp'),
  ];
}
