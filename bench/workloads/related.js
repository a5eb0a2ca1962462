import { listTargets } from './list.js';
import { COLUMNS, paymentsQuery, REST_PATH } from './payments.js';

const RELATIONS = `bill { svcId documentNumber status totalAmount dueDate }
  account { svcId name nominalCode category }
  currency { svcId code name symbol }
  contact { svcId name contactName contactType }`;

export const related = {
  title: 'W2: 100 bill payments of a company, each with bill, account, currency and contact',
  targets: (bench) =>
    listTargets(bench, {
      statement: 'related',
      list: 'billPayments',
      size: 100,
      query: paymentsQuery({ columns: `${COLUMNS} ${RELATIONS}` }),
      restPath: `${REST_PATH}expand=bill,account,currency,contact`,
    }),
};
