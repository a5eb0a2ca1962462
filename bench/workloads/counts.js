import { accountsQuery } from './accounts.js';
import { listTargets } from './list.js';

export const counts = {
  title: 'W5: W1 with totalCount',
  targets: (bench) =>
    listTargets(bench, {
      statement: 'counts',
      list: 'accounts',
      size: 100,
      query: accountsQuery(undefined, 'totalCount'),
    }),
};
