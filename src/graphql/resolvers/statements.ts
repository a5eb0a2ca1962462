import { listStatements } from '../../operations/statements/list-statements.js';
import { trialBalance } from '../../operations/statements/trial-balance.js';
import type { SchemaQueryResolvers } from '../__generated__/resolvers.js';

/** What is computed of ledgers. */
export const statementQueries: Pick<
  SchemaQueryResolvers,
  'balanceSheets' | 'incomeStatements' | 'cashFlowStatements' | 'trialBalance'
> = {
  balanceSheets: (_source, args, context) => listStatements(context, 'BalanceSheet', args),
  incomeStatements: (_source, args, context) => listStatements(context, 'IncomeStatement', args),
  cashFlowStatements: (_source, args, context) => listStatements(context, 'CashFlowStatement', args),
  trialBalance: (_source, args, context) => trialBalance(context, args),
};
