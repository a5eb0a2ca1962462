/** Columns that every record has, in the order of `META`. */
const META_COLUMNS = `svc_organisation_id, svc_company_id, svc_id, connection_id, svc_integration_type, platform_id,
  platform_unique_id, svc_created_at, svc_updated_at, svc_deleted_at, raw_data, data_hash, mapper_version`;

const metaOf =
  (raw) =>
  (firstId, name, number = 'i') =>
    `(c - 1) / 5 + 1, 1000 + c, ${firstId} + i, 2000 + c, 'XERO',
  '${name}-' || ${number}, 'xero/' || c || '/${name}/' || ${number}, timestamptz '2026-01-01Z' + i * interval '1 second',
  timestamptz '2026-02-01Z' + i * 7919 % 20000000 * interval '1 second',
  CASE WHEN i % 100 = 37 THEN timestamptz '2026-10-01Z' END, ${raw(name)}, md5('${name}' || i) || md5(i::text), 1`;

const RAW_DATA = {
  /** About 1.3 KB, like a platform's object with its links and history. */
  usual: (name) => `jsonb_build_object('${name}ID', md5('${name}' || i), 'Status', 'ACTIVE', 'Number', i,
    'UpdatedDateUTC', '/Date(' || 1700000000000 + i || '+0000)/', 'History', repeat('Changed by an employee; ', 20),
    'Address', repeat('1 Harbour Street, Sydney, ', 20), 'Links', jsonb_build_array(md5(i::text), md5(i || 'b')))`,
  small: (name) => `jsonb_build_object('${name}ID', i)`,
};

/** A random-looking number from 0 to below `n`, for `salt` and the row. */
const pick = (n, salt) => `((i * 2654435761 + ${salt} * 40503) / 65536 % ${n})`;
const choose = (values, salt) => `(ARRAY['${values.join("','")}'])[${pick(values.length, salt)} + 1]`;
const money = (salt) => `(${pick(10_000_000, salt)} / 100.0)::numeric(12, 2)`;
const CURRENCIES = ['AUD', 'NZD', 'USD', 'EUR', 'GBP', 'JPY', 'CAD', 'SGD'];
const currencyCode = (salt) => choose(CURRENCIES, salt);
/**
 * One contact and account for every forty payments of the company, but enough for several pages; one bill for every
 * four payments.
 */
const few = 'greatest(160, total / 40)';
const billCount = 'greatest(160, total / 4)';
/** The rows of every company, numbered `i` overall and `n` within their company. */
const each = (count) => `(SELECT c, n, row_number() OVER (ORDER BY c, n) AS i
  FROM (SELECT DISTINCT c, total FROM bench_rows) t, generate_series(1, ${count}) n) each_of_company ORDER BY i`;
const updated = `timestamptz '2026-03-01Z' + i * interval '1 second'`;

/** Fills the record tables from `bench_rows`, with one statement per table. */
export function recordsSql(raw) {
  const meta = metaOf(RAW_DATA[raw]);
  return [
    `INSERT INTO currencies (${META_COLUMNS}, code, name, symbol, is_base_currency, exchange_rate, updated_at)
     SELECT ${meta(100_000, 'cur', 'code')}, code, code || ' currency', '$', code = 'AUD', 1 + n / 10.0, '2026-03-01Z'
     FROM (SELECT c, n, code, (c - 1) * 8 + n AS i FROM generate_series(1, 20) c,
           unnest(ARRAY['${CURRENCIES.join("','")}']) WITH ORDINALITY AS u (code, n)) currency ORDER BY i`,
    `INSERT INTO contacts (${META_COLUMNS}, name, contact_name, contact_type, currency_id, tax_number, status,
       updated_at)
     SELECT ${meta(200_000_000, 'con', 'n')}, 'Customer ' || md5(i::text), 'Person ' || i,
       ${choose(['CUSTOMER', 'VENDOR'], 1)}, 'cur-' || ${currencyCode(2)}, 'ABN ' || ${pick(1_000_000_000, 3)}, 'ACTIVE',
       ${updated} FROM ${each(few)}`,
    `INSERT INTO accounts (${META_COLUMNS}, name, description, nominal_code, category, sub_category, status,
       current_balance, currency_id, currency_code, parent_account_id, updated_at)
     SELECT ${meta(100_000_000, 'acc', 'n')}, 'Account ' || n, 'What is booked here, number ' || i,
       (1000 + n)::text, ${choose(['ASSET', 'LIABILITY', 'EQUITY', 'INCOME', 'EXPENSE'], 1)},
       ${choose(['BANK', 'CURRENT', 'FIXED', 'SALES'], 2)}, 'ACTIVE', ${money(3)}, 'cur-' || ${currencyCode(4)},
       ${currencyCode(4)}, CASE WHEN n > 5 AND i % 5 = 0 THEN 'acc-' || n / 5 END, ${updated} FROM ${each(few)}`,
    `INSERT INTO bills (${META_COLUMNS}, contact_id, currency_id, currency_code, currency_rate, document_number,
       posted_date, due_date, memo, status, sub_total, tax_amount, total_amount, amount_due, purchase_order_ids, updated_at)
     SELECT ${meta(300_000_000, 'bill', 'n')}, 'con-' || 1 + ${pick(160, 1)}, 'cur-' || ${currencyCode(2)},
       ${currencyCode(2)}, 1, 'BILL-' || n, date '2026-01-01' + ${pick(300, 3)}::int,
       date '2026-02-01' + ${pick(300, 3)}::int, 'What was bought, bill ' || i, ${choose(['SUBMITTED', 'PAID', 'DRAFT'], 5)},
       ${money(6)}, ${money(7)}, ${money(8)}, ${money(9)}, '{}', ${updated} FROM ${each(billCount)}`,
    `INSERT INTO bill_payments (${META_COLUMNS}, payment_id, bill_id, account_id, contact_id, currency_id, currency_code,
       currency_rate, amount, payment_mode, document_number, memo, payment_date, updated_at)
     SELECT ${meta(400_000_000, 'pay', 'n')}, 'payment-' || n, 'bill-' || 1 + ${pick(billCount, 1)},
       'acc-' || 1 + ${pick(few, 2)}, 'con-' || 1 + ${pick(few, 3)}, 'cur-' || ${currencyCode(4)}, ${currencyCode(4)}, 1,
       ${money(5)}, ${choose(['CASH', 'CHEQUE', 'CARD', 'TRANSFER'], 6)}, 'PAY-' || n, 'Payment of a bill, number ' || i,
       date '2026-01-01' + ${pick(300, 7)}::int, ${updated}
     FROM bench_rows ORDER BY i`,
    `INSERT INTO invoice_credit_notes (${META_COLUMNS}, contact_id, currency_id, currency_code, document_number,
       invoice_ids, memo, posted_date, remaining_credit, status, tax_amount, total_amount, updated_at)
     SELECT ${meta(500_000_000, 'cn', 'n')}, 'con-' || 1 + ${pick(160, 1)}, 'cur-' || ${currencyCode(2)},
       ${currencyCode(2)}, 'CN-' || n, '{}', 'Returned goods, note ' || i, date '2026-01-01' + ${pick(300, 3)}::int,
       ${money(4)}, ${choose(['SUBMITTED', 'PAID', 'DRAFT'], 5)}, ${money(6)}, ${money(7)}, ${updated}
     FROM ${each(billCount)}`,
    `INSERT INTO line_items (svc_organisation_id, svc_company_id, svc_id, connection_id, parent_svc_id, position,
       platform_id, line_item_type, line_item_type_id, account_id, item_id, description, quantity, unit_amount,
       sub_total, tax_amount, total_amount, total_discount, tracking_category_ids, updated_at)
     SELECT svc_organisation_id, svc_company_id, 600000000 + i * 2 + line, connection_id, svc_id, line,
       platform_id || ':' || line, 'INVOICE_CREDIT_NOTES', platform_id, 'acc-' || 1 + ${pick(160, 6)},
       'item-' || ${pick(500, 1)}, 'Line ' || line || ' of ' || platform_id, 1 + ${pick(9, 2)}, ${money(3)}, ${money(4)},
       ${money(5)}, ${money(6)}, 0, '{}', '2026-03-01Z'
     FROM (SELECT n.*, svc_id - 500000000 AS i FROM invoice_credit_notes n) note, generate_series(0, 1) line
     ORDER BY i, line`,
    `SELECT setval('svc_id_seq', 1000000000)`,
  ];
}
