import { listTargets } from './list.js';

const COLUMNS = `svcId svcCompanyId svcIntegrationType svcCreatedAt svcUpdatedAt platformId platformUniqueId name
  description nominalCode category subCategory status currentBalance currencyId currencyCode parentAccountId updatedAt`;

/** A page of accounts; `more` is selected beside the nodes. */
export const accountsQuery = (
  columns = COLUMNS,
  more = '',
) => `query ($company: SvcId, $size: Int, $after: String) {
  accounts(companyId: $company, first: $size, after: $after) {
    nodes { ${columns} } pageInfo { hasNextPage endCursor } ${more}
  }
}`;

export const accounts = {
  title: 'W1: 100 accounts of a company, 18 columns',
  targets: (bench) =>
    listTargets(bench, {
      statement: 'accounts',
      list: 'accounts',
      size: 100,
      query: accountsQuery(),
      restPath: '/v3/accounting/accounts?',
    }),
};
