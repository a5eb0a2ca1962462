import { listStatements } from '../../operations/statements/list-statements.js';
import { reconcile } from '../../operations/statements/reconcile.js';
import type { Statement } from '../../operations/statements/statement.js';
import { trialBalance } from '../../operations/statements/trial-balance.js';
import type { Context } from '../../context.js';
import type { SchemaQueryResolvers } from '../__generated__/resolvers.js';

/** Statements computed from ledgers, or made by platforms. */
export const statementQueries: Pick<
  SchemaQueryResolvers,
  'balanceSheets' | 'incomeStatements' | 'cashFlowStatements' | 'trialBalance'
> = {
  balanceSheets: (_source, args, context) => listStatements(context, 'BalanceSheet', args),
  incomeStatements: (_source, args, context) => listStatements(context, 'IncomeStatement', args),
  cashFlowStatements: (_source, args, context) => listStatements(context, 'CashFlowStatement', args),
  trialBalance: (_source, args, context) => trialBalance(context, args),
};

const statementFields = {
  svcOrganisationId: (_statement: Statement, _args: object, { sql }: Context) => sql.scope.organisationId,
  reconciliation: (statement: Statement, _args: object, context: Context) => reconcile(context, statement),
};

export const statementTypes = {
  BalanceSheet: statementFields,
  IncomeStatement: statementFields,
  CashFlowStatement: statementFields,
};
