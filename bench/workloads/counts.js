import { listTargets } from './list.js';
import { paymentsQuery, REST_PATH } from './payments.js';

export const counts = {
  title: 'W5: W1 with totalCount',
  targets: (bench) =>
    listTargets(bench, {
      statement: 'counts',
      list: 'billPayments',
      size: 100,
      query: paymentsQuery({ more: 'totalCount' }),
      restPath: `${REST_PATH}return_count=true`,
    }),
};
