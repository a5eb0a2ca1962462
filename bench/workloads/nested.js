import { listTargets } from './list.js';

const QUERY = `query ($company: SvcId, $size: Int, $after: String) {
  contacts(companyId: $company, first: $size, after: $after) {
    nodes {
      svcId name contactName contactType status
      currency { svcId code }
      invoiceCreditNotes(first: 10) {
        edges { cursor node { svcId documentNumber postedDate totalAmount status currency { svcId code } } }
        pageInfo { hasNextPage endCursor }
      }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

export const nested = {
  title: 'W3: 50 contacts of a company, each with currency and 10 credit notes with currency',
  targets: (bench) => listTargets(bench, { statement: 'nested', list: 'contacts', size: 50, query: QUERY }),
};
