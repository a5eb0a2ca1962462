import { columns, restColumns } from './limit-columns.js';

/**
 * A page of a company's records after a svc_id, as a single JSON text that includes whether there are more. `fields`
 * is the select list of an item, `id` the name of its svc_id.
 */
function page({ table, fields, joins = '', size, wrap, id = '"svcId"' }) {
  const live = 'svc_company_id = $1 AND svc_deleted_at IS NULL';
  const last = `max(item.${id})`;
  return {
    parameters: ['company', 'after'],
    text: `SELECT ${wrap(
      `COALESCE(json_agg(item), '[]')`,
      `EXISTS (SELECT FROM ${table} WHERE ${live} AND svc_id > ${last})`,
      last,
    )}::text
      FROM (SELECT ${fields} FROM (SELECT * FROM ${table} WHERE ${live} AND svc_id > $2
              ORDER BY svc_id LIMIT ${size}) t ${joins} ORDER BY t.svc_id) item`,
  };
}

const TYPES = { svc_created_at: 'timestamptz', svc_updated_at: 'timestamptz' };

/** A page in another sort order than svc_id, or of the records that match `where`. */
function pageBy({ sort, down = false, where = 'TRUE', size = 100 }) {
  const order = sort ? [sort, 'svc_id'] : ['svc_id'];
  const direction = down ? ' DESC' : '';
  return {
    parameters: sort ? ['company', 'after', 'sorted'] : ['company', 'after'],
    text: `SELECT ${graphql('billPayments')(
      `COALESCE(json_agg(item) FILTER (WHERE place <= ${size}), '[]')`,
      `count(*) > ${size}`,
      'max(place)',
    )}::text
      FROM (SELECT row_number() OVER () AS place, (SELECT r FROM (SELECT ${columns('t', PAYMENT)}) r) AS item
            FROM (SELECT * FROM bill_payments WHERE svc_company_id = $1 AND svc_deleted_at IS NULL AND ${where}
                    AND (${order}) ${down ? '<' : '>'} (${sort ? `$3::${TYPES[sort]}, ` : ''}$2::bigint)
                  ORDER BY ${order.map((column) => column + direction)} LIMIT ${size + 1}) t) items`,
  };
}

const graphql = (list, more = '') => {
  return (nodes, hasNext, end) =>
    `json_build_object('data', json_build_object('${list}', json_build_object('nodes', ${nodes},
      'pageInfo', json_build_object('hasNextPage', ${hasNext}, 'endCursor', ${end}::text)${more})))`;
};
const restWith = (total) => (nodes, hasNext, end) =>
  `json_build_object('data', ${nodes}, 'next', CASE WHEN ${hasNext} THEN ${end}::text END, 'prev', $2::text,
    'total_count', ${total})`;

/** Select lists for any alias: columns with GraphQL names, or the REST columns of a table. */
const named = (names) => (alias) => columns(alias, names);
const shown = (table) => (alias) => restColumns(alias, table);

/** The record that `column` of `from` refers to, as a nested value. */
const referenced = (
  table,
  alias,
  column,
  list,
  from = 't',
) => `LEFT JOIN LATERAL (SELECT ${list(alias)} FROM ${table} ${alias}
  WHERE ${alias}.svc_company_id = ${from}.svc_company_id AND ${alias}.connection_id = ${from}.connection_id
    AND ${alias}.platform_id = ${from}.${column}) ${alias} ON TRUE`;
const lines = (list) => `(SELECT COALESCE(json_agg(line), '[]') FROM (SELECT ${list} FROM line_items l
  WHERE l.svc_company_id = t.svc_company_id AND l.parent_svc_id = t.svc_id ORDER BY l.position) line)`;

const count = '(SELECT count(*) FROM bill_payments WHERE svc_company_id = $1 AND svc_deleted_at IS NULL)';
const rest = restWith('NULL');
const counted = restWith(count);
const countOfCompany = `, 'totalCount', ${count}`;

const paymentsOfAccount = `(SELECT json_build_object(
    'edges', COALESCE(json_agg(edge), '[]'),
    'pageInfo', json_build_object('hasNextPage', EXISTS (SELECT FROM bill_payments i
        WHERE i.svc_company_id = t.svc_company_id AND i.connection_id = t.connection_id AND i.account_id = t.platform_id
          AND i.svc_deleted_at IS NULL AND i.svc_id > max((edge.node)."svcId")),
      'endCursor', max(edge.cursor)))
  FROM (SELECT node."svcId"::text AS cursor, node
        FROM (SELECT ${columns('n', 'svcId documentNumber paymentDate amount')}, b AS bill, k AS contact
              FROM (SELECT * FROM bill_payments i WHERE i.svc_company_id = t.svc_company_id
                      AND i.connection_id = t.connection_id AND i.account_id = t.platform_id
                      AND i.svc_deleted_at IS NULL ORDER BY i.svc_id LIMIT 10) n
              ${referenced('bills', 'b', 'bill_id', named('svcId documentNumber'), 'n')}
              ${referenced('contacts', 'k', 'contact_id', named('svcId name'), 'n')}
              ORDER BY n.svc_id) node) edge)`;

const PAYMENT = `svcId svcCompanyId svcIntegrationType svcCreatedAt svcUpdatedAt platformId platformUniqueId paymentId
  billId accountId contactId currencyId currencyCode amount paymentMode documentNumber memo paymentDate`;
const NOTE = `svcId svcUpdatedAt platformId documentNumber invoiceIds memo postedDate remainingCredit status taxAmount
  totalAmount currencyCode updatedAt`;
const LINE = 'svcId accountId itemId description quantity unitAmount subTotal taxAmount totalAmount';

const payments = {
  table: 'bill_payments',
  size: 100,
  fields: columns('t', PAYMENT),
  wrap: graphql('billPayments'),
};
const paymentsRest = {
  table: 'bill_payments',
  size: 100,
  id: 'svc_id',
  fields: restColumns('t', 'bill_payments'),
  wrap: rest,
};
/** The four records that a payment refers to, each under its own alias. */
const relations = ({ bill, account, currency, contact }) => ({
  fields: 'b AS bill, a AS account, c AS currency, k AS contact',
  joins: [
    referenced('bills', 'b', 'bill_id', bill),
    referenced('accounts', 'a', 'account_id', account),
    referenced('currencies', 'c', 'currency_id', currency),
    referenced('contacts', 'k', 'contact_id', contact),
  ].join(' '),
});
const related = relations({
  bill: named('svcId documentNumber status totalAmount dueDate'),
  account: named('svcId name nominalCode category'),
  currency: named('svcId code name symbol'),
  contact: named('svcId name contactName contactType'),
});
const relatedRest = relations({
  bill: shown('bills'),
  account: shown('accounts'),
  currency: shown('currencies'),
  contact: shown('contacts'),
});
const lineFields = `k AS contact, c AS currency`;

/** One statement per workload and style; each returns the same answer as the service. */
export const statements = {
  payments: page(payments),
  payments_rest: page(paymentsRest),
  counts: page({ ...payments, wrap: graphql('billPayments', countOfCompany) }),
  counts_rest: page({ ...paymentsRest, wrap: counted }),
  small: page({
    ...payments,
    size: 20,
    fields: columns('t', 'svcId documentNumber paymentDate paymentMode amount'),
  }),
  small_rest: page({ ...paymentsRest, size: 20 }),
  related: page({ ...payments, fields: `${payments.fields}, ${related.fields}`, joins: related.joins }),
  related_rest: page({
    ...paymentsRest,
    fields: `${paymentsRest.fields}, ${relatedRest.fields}`,
    joins: relatedRest.joins,
  }),
  by_id_down: pageBy({ down: true }),
  by_created: pageBy({ sort: 'svc_created_at' }),
  by_created_down: pageBy({ sort: 'svc_created_at', down: true }),
  by_updated: pageBy({ sort: 'svc_updated_at' }),
  by_updated_down: pageBy({ sort: 'svc_updated_at', down: true }),
  of_contact: pageBy({ where: `contact_id = 'con-2'`, size: 5 }),
  of_mode: pageBy({ where: `payment_mode = 'CARD' AND amount >= 1000` }),
  since: pageBy({ sort: 'svc_updated_at', where: `svc_updated_at >= '2026-03-01Z'` }),
  lines: page({
    table: 'invoice_credit_notes',
    size: 100,
    fields: `${columns('t', NOTE)}, ${lines(columns('l', LINE))} AS "lineItems", ${lineFields}`,
    joins: `${referenced('contacts', 'k', 'contact_id', named('svcId name contactName contactType'))}
      ${referenced('currencies', 'c', 'currency_id', named('svcId code name symbol'))}`,
    wrap: graphql('invoiceCreditNotes'),
  }),
  lines_rest: page({
    table: 'invoice_credit_notes',
    size: 100,
    id: 'svc_id',
    fields: `${restColumns('t', 'invoice_credit_notes')}, ${lines(restColumns('l', 'line_items'))} AS line_items,
      ${lineFields}`,
    joins: `${referenced('contacts', 'k', 'contact_id', shown('contacts'))}
      ${referenced('currencies', 'c', 'currency_id', shown('currencies'))}`,
    wrap: rest,
  }),
  nested: page({
    table: 'accounts',
    size: 50,
    fields: `${columns('t', 'svcId name nominalCode category status')}, c AS currency,
      ${paymentsOfAccount} AS "billPayments"`,
    joins: referenced('currencies', 'c', 'currency_id', named('svcId code')),
    wrap: graphql('accounts'),
  }),
};
