import { columns, restColumns } from './limit-columns.js';

/**
 * A page of a company's records after a svc_id, as one JSON text. `fields` is the select list of an item; the row
 * beyond the page is read too, because the answer says whether there are more.
 */
function page({ table, fields, joins = '', size, wrap }) {
  return {
    parameters: ['company', 'after'],
    text: `SELECT ${wrap(
      `COALESCE(json_agg(item ORDER BY svc_id) FILTER (WHERE place <= ${size}), '[]')`,
      `count(*) > ${size}`,
      `max(svc_id) FILTER (WHERE place <= ${size})`,
    )}::text
      FROM (SELECT t.svc_id, row_number() OVER (ORDER BY t.svc_id) AS place,
              (SELECT row_to_json(fields) FROM (SELECT ${fields}) fields) AS item
            FROM (SELECT * FROM ${table} WHERE svc_company_id = $1 AND svc_id > $2 AND svc_deleted_at IS NULL
                  ORDER BY svc_id LIMIT ${size + 1}) t ${joins}) items`,
  };
}

const graphql =
  (list, more = '') =>
  (nodes, hasNext, end) =>
    `json_build_object('data', json_build_object('${list}', json_build_object('nodes', ${nodes},
    'pageInfo', json_build_object('hasNextPage', ${hasNext}, 'endCursor', ${end}::text)${more})))`;
const rest = (nodes, hasNext, end) =>
  `json_build_object('data', ${nodes}, 'next', CASE WHEN ${hasNext} THEN ${end}::text END, 'prev', $2::text,
    'total_count', NULL)`;

const referenced = (
  table,
  alias,
  column,
) => `LEFT JOIN ${table} ${alias} ON ${alias}.svc_company_id = t.svc_company_id
  AND ${alias}.connection_id = t.connection_id AND ${alias}.platform_id = t.${column}`;
const object = (alias, list) =>
  `CASE WHEN ${alias}.svc_id IS NOT NULL THEN (SELECT row_to_json(o) FROM (SELECT ${list}) o) END`;
const lines = (
  list,
) => `(SELECT COALESCE(json_agg(row_to_json(o)), '[]') FROM (SELECT ${list} FROM line_items l
  WHERE l.svc_company_id = t.svc_company_id AND l.parent_svc_id = t.svc_id ORDER BY l.position) o)`;

const currency = referenced('currencies', 'c', 'currency_id');
const contact = referenced('contacts', 'k', 'contact_id');
const parent = referenced('accounts', 'p', 'parent_account_id');
const countOfCompany = `, 'totalCount', (SELECT count(*) FROM accounts WHERE svc_company_id = $1 AND svc_deleted_at IS NULL)`;

const notesOfContact = `(SELECT json_build_object(
    'edges', COALESCE(json_agg(json_build_object('cursor', svc_id::text, 'node', node) ORDER BY svc_id)
      FILTER (WHERE place <= 10), '[]'),
    'pageInfo', json_build_object('hasNextPage', count(*) > 10, 'endCursor', max(svc_id) FILTER (WHERE place <= 10)::text))
  FROM (SELECT n.svc_id, row_number() OVER (ORDER BY n.svc_id) AS place, (SELECT row_to_json(o) FROM (
          SELECT ${columns('n', 'svcId documentNumber postedDate status')}, n.total_amount::text AS "totalAmount",
            (SELECT json_build_object('svcId', m.svc_id, 'code', m.code) FROM currencies m
             WHERE m.svc_company_id = n.svc_company_id AND m.connection_id = n.connection_id
               AND m.platform_id = n.currency_id) AS currency) o) AS node
        FROM (SELECT * FROM invoice_credit_notes i WHERE i.svc_company_id = t.svc_company_id
                AND i.connection_id = t.connection_id AND i.contact_id = t.platform_id AND i.svc_deleted_at IS NULL
              ORDER BY i.svc_id LIMIT 11) n) notes)`;

const account = columns(
  't',
  `svcId svcCompanyId svcIntegrationType svcCreatedAt svcUpdatedAt platformId platformUniqueId name description
   nominalCode category subCategory status currentBalance currencyId currencyCode parentAccountId updatedAt`,
);

/** One statement a workload and style; each answers with what the service answers. */
export const statements = {
  accounts: page({ table: 'accounts', size: 100, fields: account, wrap: graphql('accounts') }),
  counts: page({ table: 'accounts', size: 100, fields: account, wrap: graphql('accounts', countOfCompany) }),
  small: page({
    table: 'accounts',
    size: 20,
    fields: columns('t', 'svcId name nominalCode category currentBalance'),
    wrap: graphql('accounts'),
  }),
  accounts_rest: page({
    table: 'accounts',
    size: 100,
    fields: `${restColumns('t', 'accounts')},
      COALESCE(${object('p', restColumns('p', 'accounts'))}, '{}') AS parent_account`,
    joins: parent,
    wrap: rest,
  }),
  creditnotes: page({
    table: 'invoice_credit_notes',
    size: 100,
    fields: `${columns(
      't',
      `svcId svcUpdatedAt platformId documentNumber invoiceIds memo postedDate remainingCredit status taxAmount
       totalAmount currencyCode updatedAt`,
    )},
      ${lines(columns('l', 'svcId accountId itemId description quantity unitAmount subTotal taxAmount totalAmount'))}
        AS "lineItems",
      ${object('k', columns('k', 'svcId name contactName contactType'))} AS contact,
      ${object('c', columns('c', 'svcId code name symbol'))} AS currency`,
    joins: `${currency} ${contact}`,
    wrap: graphql('invoiceCreditNotes'),
  }),
  creditnotes_rest: page({
    table: 'invoice_credit_notes',
    size: 100,
    fields: `${restColumns('t', 'invoice_credit_notes')},
      ${lines(restColumns('l', 'line_items'))} AS line_items,
      ${object('k', restColumns('k', 'contacts'))} AS contact,
      ${object('c', restColumns('c', 'currencies'))} AS currency`,
    joins: `${currency} ${contact}`,
    wrap: rest,
  }),
  nested: page({
    table: 'contacts',
    size: 50,
    fields: `${columns('t', 'svcId name contactName contactType status')},
      ${object('c', columns('c', 'svcId code'))} AS currency, ${notesOfContact} AS "invoiceCreditNotes"`,
    joins: currency,
    wrap: graphql('contacts'),
  }),
};
