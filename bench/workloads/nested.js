import { listTargets } from './list.js';

const QUERY = `query ($company: SvcId, $size: Int, $after: String) {
  accounts(companyId: $company, first: $size, after: $after) {
    nodes {
      svcId name nominalCode category status
      currency { svcId code }
      billPayments(first: 10) {
        edges {
          cursor
          node { svcId documentNumber paymentDate amount bill { svcId documentNumber } contact { svcId name } }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

export const nested = {
  title: 'W3: 50 accounts of a company, each with currency and 10 bill payments with bill and contact',
  targets: (bench) => listTargets(bench, { statement: 'nested', list: 'accounts', size: 50, query: QUERY }),
};
