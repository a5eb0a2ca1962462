import { columns, restColumns } from './limit-columns.js';

/**
 * A page of a company's records after a svc_id, as one JSON text with whether there are more. `fields` is the select
 * list of an item, `id` the name of its svc_id.
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

const graphql = (list, more = '') => {
  return (nodes, hasNext, end) =>
    `json_build_object('data', json_build_object('${list}', json_build_object('nodes', ${nodes},
      'pageInfo', json_build_object('hasNextPage', ${hasNext}, 'endCursor', ${end}::text)${more})))`;
};
const rest = (nodes, hasNext, end) =>
  `json_build_object('data', ${nodes}, 'next', CASE WHEN ${hasNext} THEN ${end}::text END, 'prev', $2::text,
    'total_count', NULL)`;

/** The record that `column` refers to, as a value of its own. */
const referenced = (
  table,
  alias,
  column,
  list,
) => `LEFT JOIN LATERAL (SELECT ${list(alias)} FROM ${table} ${alias}
  WHERE ${alias}.svc_company_id = t.svc_company_id AND ${alias}.connection_id = t.connection_id
    AND ${alias}.platform_id = t.${column}) ${alias} ON TRUE`;
const lines = (list) => `(SELECT COALESCE(json_agg(line), '[]') FROM (SELECT ${list} FROM line_items l
  WHERE l.svc_company_id = t.svc_company_id AND l.parent_svc_id = t.svc_id ORDER BY l.position) line)`;

const countOfCompany = `, 'totalCount',
  (SELECT count(*) FROM accounts WHERE svc_company_id = $1 AND svc_deleted_at IS NULL)`;

const notesOfContact = `(SELECT json_build_object(
    'edges', COALESCE(json_agg(edge), '[]'),
    'pageInfo', json_build_object('hasNextPage', EXISTS (SELECT FROM invoice_credit_notes i
        WHERE i.svc_company_id = t.svc_company_id AND i.connection_id = t.connection_id AND i.contact_id = t.platform_id
          AND i.svc_deleted_at IS NULL AND i.svc_id > max((edge.node)."svcId")),
      'endCursor', max(edge.cursor)))
  FROM (SELECT node."svcId"::text AS cursor, node
        FROM (SELECT ${columns('n', 'svcId documentNumber postedDate status totalAmount')}, currency
              FROM (SELECT * FROM invoice_credit_notes i WHERE i.svc_company_id = t.svc_company_id
                      AND i.connection_id = t.connection_id AND i.contact_id = t.platform_id
                      AND i.svc_deleted_at IS NULL ORDER BY i.svc_id LIMIT 10) n
              LEFT JOIN LATERAL (SELECT ${columns('m', 'svcId code')} FROM currencies m
                WHERE m.svc_company_id = n.svc_company_id AND m.connection_id = n.connection_id
                  AND m.platform_id = n.currency_id) currency ON TRUE
              ORDER BY n.svc_id) node) edge)`;

const ACCOUNT = `svcId svcCompanyId svcIntegrationType svcCreatedAt svcUpdatedAt platformId platformUniqueId name
  description nominalCode category subCategory status currentBalance currencyId currencyCode parentAccountId updatedAt`;
const NOTE = `svcId svcUpdatedAt platformId documentNumber invoiceIds memo postedDate remainingCredit status taxAmount
  totalAmount currencyCode updatedAt`;
const LINE = 'svcId accountId itemId description quantity unitAmount subTotal taxAmount totalAmount';

/** GraphQL's names of some columns, or REST's columns of a table, under whatever alias. */
const named = (names) => (alias) => columns(alias, names);
const shown = (table) => (alias) => restColumns(alias, table);

/** One statement a workload and style; each answers with what the service answers. */
export const statements = {
  accounts: page({
    table: 'accounts',
    size: 100,
    fields: columns('t', ACCOUNT),
    wrap: graphql('accounts'),
  }),
  counts: page({
    table: 'accounts',
    size: 100,
    fields: columns('t', ACCOUNT),
    wrap: graphql('accounts', countOfCompany),
  }),
  small: page({
    table: 'accounts',
    size: 20,
    fields: columns('t', 'svcId name nominalCode category currentBalance'),
    wrap: graphql('accounts'),
  }),
  accounts_rest: page({
    table: 'accounts',
    size: 100,
    id: 'svc_id',
    fields: `${restColumns('t', 'accounts')}, COALESCE(row_to_json(p), '{}') AS parent_account`,
    joins: referenced('accounts', 'p', 'parent_account_id', shown('accounts')),
    wrap: rest,
  }),
  creditnotes: page({
    table: 'invoice_credit_notes',
    size: 100,
    fields: `${columns('t', NOTE)}, ${lines(columns('l', LINE))} AS "lineItems", k AS contact, c AS currency`,
    joins: `${referenced('contacts', 'k', 'contact_id', named('svcId name contactName contactType'))}
      ${referenced('currencies', 'c', 'currency_id', named('svcId code name symbol'))}`,
    wrap: graphql('invoiceCreditNotes'),
  }),
  creditnotes_rest: page({
    table: 'invoice_credit_notes',
    size: 100,
    id: 'svc_id',
    fields: `${restColumns('t', 'invoice_credit_notes')}, ${lines(restColumns('l', 'line_items'))} AS line_items,
      k AS contact, c AS currency`,
    joins: `${referenced('contacts', 'k', 'contact_id', shown('contacts'))}
      ${referenced('currencies', 'c', 'currency_id', shown('currencies'))}`,
    wrap: rest,
  }),
  nested: page({
    table: 'contacts',
    size: 50,
    fields: `${columns('t', 'svcId name contactName contactType status')}, c AS currency,
      ${notesOfContact} AS "invoiceCreditNotes"`,
    joins: referenced('currencies', 'c', 'currency_id', named('svcId code')),
    wrap: graphql('contacts'),
  }),
};
