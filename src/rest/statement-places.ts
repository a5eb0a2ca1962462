import type { StatementKind } from '../connectors/reports.js';
import type { Executor } from '../graphql/execute.js';
import type { Limits } from '../limits.js';
import { selectionText, statementOperation } from './operation.js';
import { prepareOperation, type Renames } from './prepared.js';
import type { Style } from './shape.js';
import { statementShape } from './statement-shape.js';
import { createListWriter } from './writer.js';

/** The path of a kind of statement, and its name as a data model. Reference G4, G6. */
export interface StatementPlace {
  readonly kind: StatementKind;
  readonly dataModel: string;
  readonly path: string;
  readonly list: string;
  readonly title: string;
}

export const STATEMENT_PLACES: readonly StatementPlace[] = [
  {
    kind: 'BalanceSheet',
    dataModel: 'BALANCE_SHEET',
    path: 'accounting/balance_sheet',
    list: 'balanceSheets',
    title: 'balance sheets',
  },
  {
    kind: 'IncomeStatement',
    dataModel: 'INCOME_STATEMENT',
    path: 'accounting/income_statement',
    list: 'incomeStatements',
    title: 'income statements',
  },
  {
    kind: 'CashFlowStatement',
    dataModel: 'CASH_FLOW_STATEMENT',
    path: 'accounting/cash_flow_statement',
    list: 'cashFlowStatements',
    title: 'statements of cash flows',
  },
];

interface StatementListOptions extends Pick<StatementPlace, 'kind' | 'list'> {
  readonly executor: Executor;
  readonly limits: Limits;
  readonly renames: Renames;
  readonly style: Style;
  readonly select: readonly string[];
}

/** The list of a kind of statement with what is selected of them, and the writer of its answers. */
export function prepareStatements({
  kind,
  list,
  executor,
  limits,
  renames,
  style,
  select,
}: StatementListOptions) {
  const shape = statementShape(kind, style, select);
  const document = statementOperation(list, selectionText(shape, limits.expandedRecords));
  return {
    operation: prepareOperation(executor, document, renames),
    write: createListWriter(shape, limits.expandedRecords),
  };
}
