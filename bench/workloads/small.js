import { listTargets } from './list.js';
import { paymentsQuery, REST_PATH } from './payments.js';

export const small = {
  title: 'W7: 20 bill payments of a company, 5 columns (REST: all columns)',
  targets: (bench) =>
    listTargets(bench, {
      statement: 'small',
      list: 'billPayments',
      size: 20,
      query: paymentsQuery({ columns: 'svcId documentNumber paymentDate paymentMode amount' }),
      restPath: REST_PATH,
    }),
};
