/** Columns that every record has, in the order of `META`. */
const META_COLUMNS = `svc_organisation_id, svc_company_id, svc_id, connection_id, svc_integration_type, platform_id,
  platform_unique_id, svc_created_at, svc_updated_at, svc_deleted_at, raw_data, data_hash, mapper_version`;

const meta = (firstId, name, number = 'i') => `(c - 1) / 5 + 1, 1000 + c, ${firstId} + i, 2000 + c, 'XERO',
  '${name}-' || ${number}, 'xero/' || c || '/${name}/' || ${number}, timestamptz '2026-01-01Z' + i * interval '1 second',
  timestamptz '2026-02-01Z' + i * 7919 % 20000000 * interval '1 second',
  CASE WHEN i % 100 = 37 THEN timestamptz '2026-10-01Z' END, ${raw(name)}, md5('${name}' || i) || md5(i::text), 1`;

/** About 1.3 KB, as a platform's object with its links and history. */
const raw = (name) => `jsonb_build_object('${name}ID', md5('${name}' || i), 'Status', 'ACTIVE', 'Number', i,
  'UpdatedDateUTC', '/Date(' || 1700000000000 + i || '+0000)/', 'History', repeat('Changed by an employee; ', 20),
  'Address', repeat('1 Harbour Street, Sydney, ', 20), 'Links', jsonb_build_array(md5(i::text), md5(i || 'b')))`;

/** A number from 0 to below `n` that looks random, for `salt` and the row. */
const pick = (n, salt) => `((i * 2654435761 + ${salt} * 40503) / 65536 % ${n})`;
const choose = (values, salt) => `(ARRAY['${values.join("','")}'])[${pick(values.length, salt)} + 1]`;
const money = (salt) => `(${pick(10_000_000, salt)} / 100.0)::numeric(12, 2)`;
const CURRENCIES = ['AUD', 'NZD', 'USD', 'EUR', 'GBP', 'JPY', 'CAD', 'SGD'];
const currencyCode = (salt) => choose(CURRENCIES, salt);
/** A contact for every forty credit notes of the company, but enough for some pages. */
const contactCount = 'greatest(160, total / 40)';

/** Fills the record tables from `bench_rows`, one statement a table. */
export function recordsSql() {
  return [
    `INSERT INTO currencies (${META_COLUMNS}, code, name, symbol, is_base_currency, exchange_rate, updated_at)
     SELECT ${meta(100_000, 'cur', 'code')}, code, code || ' currency', '$', code = 'AUD', 1 + n / 10.0, '2026-03-01Z'
     FROM (SELECT c, n, code, (c - 1) * 8 + n AS i FROM generate_series(1, 20) c,
           unnest(ARRAY['${CURRENCIES.join("','")}']) WITH ORDINALITY AS u (code, n)) currency ORDER BY i`,
    `INSERT INTO contacts (${META_COLUMNS}, name, contact_name, contact_type, currency_id, tax_number, status,
       updated_at)
     SELECT ${meta(40_000_000, 'con', 'n')}, 'Customer ' || md5(i::text), 'Person ' || i,
       ${choose(['CUSTOMER', 'VENDOR'], 1)}, 'cur-' || ${currencyCode(2)}, 'ABN ' || ${pick(1_000_000_000, 3)}, 'ACTIVE',
       timestamptz '2026-03-01Z' + i * interval '1 minute'
     FROM (SELECT c, n, row_number() OVER (ORDER BY c, n) AS i
           FROM (SELECT DISTINCT c, total FROM bench_rows) t, generate_series(1, ${contactCount}) n) contact
     ORDER BY i`,
    `INSERT INTO accounts (${META_COLUMNS}, name, description, nominal_code, category, sub_category, status,
       current_balance, currency_id, currency_code, parent_account_id, updated_at)
     SELECT ${meta(10_000_000, 'acc', 'n')}, 'Account ' || n, 'What is booked here, number ' || i,
       (1000 + n)::text, ${choose(['ASSET', 'LIABILITY', 'EQUITY', 'INCOME', 'EXPENSE'], 1)},
       ${choose(['BANK', 'CURRENT', 'FIXED', 'SALES'], 2)}, 'ACTIVE', ${money(3)}, 'cur-' || ${currencyCode(4)},
       ${currencyCode(4)}, CASE WHEN n > 5 AND i % 5 = 0 THEN 'acc-' || n / 5 END,
       timestamptz '2026-03-01Z' + i * interval '1 second'
     FROM bench_rows ORDER BY i`,
    `INSERT INTO invoice_credit_notes (${META_COLUMNS}, contact_id, currency_id, currency_code, document_number,
       invoice_ids, memo, posted_date, remaining_credit, status, tax_amount, total_amount, updated_at)
     SELECT ${meta(20_000_000, 'cn', 'n')}, 'con-' || 1 + ${pick(contactCount, 1)}, 'cur-' || ${currencyCode(2)},
       ${currencyCode(2)}, 'CN-' || n, '{}', 'Returned goods, note ' || i, date '2026-01-01' + ${pick(300, 3)}::int,
       ${money(4)}, ${choose(['SUBMITTED', 'PAID', 'DRAFT'], 5)}, ${money(6)}, ${money(7)},
       timestamptz '2026-03-01Z' + i * interval '1 second'
     FROM bench_rows ORDER BY i`,
    `INSERT INTO line_items (svc_organisation_id, svc_company_id, svc_id, connection_id, parent_svc_id, position,
       platform_id, line_item_type, line_item_type_id, account_id, item_id, description, quantity, unit_amount,
       sub_total, tax_amount, total_amount, total_discount, tracking_category_ids, updated_at)
     SELECT (c - 1) / 5 + 1, 1000 + c, 200000000 + i * 2 + line, 2000 + c, 20000000 + i, line, 'cn-' || n || ':' || line,
       'INVOICE_CREDIT_NOTES', 'cn-' || n, 'acc-' || n, 'item-' || ${pick(500, 1)}, 'Line ' || line || ' of note ' || n,
       1 + ${pick(9, 2)}, ${money(3)}, ${money(4)}, ${money(5)}, ${money(6)}, 0, '{}', '2026-03-01Z'
     FROM bench_rows, generate_series(0, 1) line ORDER BY i, line`,
    `SELECT setval('svc_id_seq', 1000000000)`,
  ];
}
