import { GraphQLScalarType } from 'graphql';
import { connection } from '../connection.js';
import { query } from './plain-rows.js';

const live = 'svc_company_id = $1 AND svc_deleted_at IS NULL';

const list =
  (table) =>
  async (_source, { companyId, first, after }) => {
    const where = `${live} AND svc_id > $2 ORDER BY svc_id LIMIT $3`;
    return connection(await query(table, where, [companyId, after ?? 0, first + 1]), first, { companyId });
  };

/** Loads the related records of all parents together. */
const one = (table, column) => async (queries) => {
  const companyId = queries[0].obj.svcCompanyId;
  const ids = [...new Set(queries.map(({ obj }) => obj[column]))];
  const rows = await query(table, 'svc_company_id = $1 AND platform_id = ANY($2)', [companyId, ids]);
  const found = new Map(rows.map((row) => [row.platformId, row]));
  return queries.map(({ obj }) => found.get(obj[column]) ?? null);
};

/** Loads the first payments of all accounts together. */
async function paymentsOfAccounts(queries) {
  const { first } = queries[0].params;
  const ids = queries.map(({ obj }) => obj.platformId);
  const rows = await query(
    'bill_payments',
    `svc_id IN (SELECT p.svc_id FROM unnest($2::text[]) AS ids (id)
       CROSS JOIN LATERAL (SELECT svc_id FROM bill_payments WHERE ${live} AND account_id = ids.id
                           ORDER BY svc_id LIMIT $3) p) AND svc_company_id = $1 ORDER BY svc_id`,
    [queries[0].obj.svcCompanyId, ids, first + 1],
  );
  const of = groupBy(rows, 'accountId');
  return ids.map((id) => connection(of.get(id) ?? [], first));
}

async function linesOfNotes(queries) {
  const parents = queries.map(({ obj }) => obj.svcId);
  const where = 'svc_company_id = $1 AND parent_svc_id = ANY($2) ORDER BY position';
  const rows = await query('line_items', where, [queries[0].obj.svcCompanyId, parents]);
  const of = groupBy(rows, 'parentSvcId');
  return parents.map((id) => of.get(id) ?? []);
}

function groupBy(rows, column) {
  const groups = new Map();
  for (const row of rows) {
    const group = groups.get(row[column]);
    if (group) group.push(row);
    else groups.set(row[column], [row]);
  }
  return groups;
}

const scalar = (name) => new GraphQLScalarType({ name, serialize: (value) => value });
const names = ['DateTime', 'Date', 'Decimal', 'SvcId'];

export const resolvers = {
  ...Object.fromEntries(names.map((name) => [name, scalar(name)])),
  Query: {
    accounts: list('accounts'),
    billPayments: list('bill_payments'),
    invoiceCreditNotes: list('invoice_credit_notes'),
  },
  BillPaymentConnection: {
    totalCount: async ({ companyId }) =>
      (await query('bill_payments', live, [companyId], 'count(*)::int'))[0].count,
  },
};

const uncached = (loader) => ({ loader, opts: { cache: false } });
const currency = uncached(one('currencies', 'currencyId'));
const contact = uncached(one('contacts', 'contactId'));

export const loaders = {
  BillPayment: {
    bill: uncached(one('bills', 'billId')),
    account: uncached(one('accounts', 'accountId')),
    currency,
    contact,
  },
  InvoiceCreditNote: { currency, contact, lineItems: uncached(linesOfNotes) },
  Account: { currency, billPayments: uncached(paymentsOfAccounts) },
};
