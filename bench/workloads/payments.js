import { listTargets } from './list.js';

export const COLUMNS = `svcId svcCompanyId svcIntegrationType svcCreatedAt svcUpdatedAt platformId platformUniqueId
  paymentId billId accountId contactId currencyId currencyCode amount paymentMode documentNumber memo paymentDate`;
export const REST_PATH = '/v3/accounting/bill_payments?';

/** A page of bill payments: `columns` of each, `more` next to the nodes, `args` of the list. */
export const paymentsQuery = ({ columns = COLUMNS, more = '', args = '' } = {}) =>
  `query ($company: SvcId, $size: Int, $after: String) {
  billPayments(companyId: $company, first: $size, after: $after ${args}) {
    nodes { ${columns} } pageInfo { hasNextPage endCursor } ${more}
  }
}`;

export const payments = {
  title: 'W1: 100 bill payments of a company, 18 columns',
  targets: (bench) =>
    listTargets(bench, {
      statement: 'payments',
      list: 'billPayments',
      size: 100,
      query: paymentsQuery(),
      restPath: REST_PATH,
    }),
};
