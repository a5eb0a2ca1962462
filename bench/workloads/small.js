import { accountsQuery } from './accounts.js';
import { listTargets } from './list.js';

export const small = {
  title: 'W7: 20 accounts of a company, 5 columns',
  targets: (bench) =>
    listTargets(bench, {
      statement: 'small',
      list: 'accounts',
      size: 20,
      query: accountsQuery('svcId name nominalCode category currentBalance'),
    }),
};
