import { listTargets } from './list.js';

const QUERY = `query ($company: SvcId, $size: Int, $after: String) {
  invoiceCreditNotes(companyId: $company, first: $size, after: $after) {
    nodes {
      svcId svcUpdatedAt platformId documentNumber invoiceIds memo postedDate remainingCredit status taxAmount
      totalAmount currencyCode updatedAt
      lineItems { svcId accountId itemId description quantity unitAmount subTotal taxAmount totalAmount }
      contact { svcId name contactName contactType }
      currency { svcId code name symbol }
    }
    pageInfo { hasNextPage endCursor }
  }
}`;

export const lines = {
  title: 'W2 with lines: 100 credit notes of a company with lines, contact and currency',
  targets: (bench) =>
    listTargets(bench, {
      statement: 'lines',
      list: 'invoiceCreditNotes',
      size: 100,
      query: QUERY,
      restPath: '/v3/accounting/invoice_credit_notes?expand=line_items,contact,currency',
    }),
};
