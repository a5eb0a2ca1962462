import { listStatements } from '../../operations/statements/list-statements.js';
import type { WantedPeriods } from '../../operations/statements/periods.js';
import { reconcile } from '../../operations/statements/reconcile.js';
import type { Statement } from '../../operations/statements/statement.js';
import { trialBalance } from '../../operations/statements/trial-balance.js';
import type { Context } from '../../context.js';
import { parseDate } from '../../base/values.js';
import type { SchemaQueryResolvers } from '../__generated__/resolvers.js';

/** Statements computed from ledgers, or made by platforms. */
export const statementQueries: Pick<
  SchemaQueryResolvers,
  'balanceSheets' | 'incomeStatements' | 'cashFlowStatements' | 'trialBalance'
> = {
  balanceSheets: (_source, args, context) => listStatements(context, 'BalanceSheet', inDays(args)),
  incomeStatements: (_source, args, context) => listStatements(context, 'IncomeStatement', inDays(args)),
  cashFlowStatements: (_source, args, context) => listStatements(context, 'CashFlowStatement', inDays(args)),
  trialBalance: (_source, args, context) =>
    trialBalance(context, { ...args, asOf: dayOf(args.asOf, 'asOf') }),
};

const dayOf = (given: string | null | undefined, field: string) => given && parseDate(given, field);

const inDays = <Args extends WantedPeriods>(args: Args): Args => ({
  ...args,
  periodStart: dayOf(args.periodStart, 'periodStart'),
  periodEnd: dayOf(args.periodEnd, 'periodEnd'),
});

const statementFields = {
  svcOrganisationId: (_statement: Statement, _args: object, { sql }: Context) => sql.scope.organisationId,
  reconciliation: (statement: Statement, _args: object, context: Context) => reconcile(context, statement),
};

export const statementTypes = {
  BalanceSheet: statementFields,
  IncomeStatement: statementFields,
  CashFlowStatement: statementFields,
};
