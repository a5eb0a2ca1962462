/** Decimals are strings in GraphQL answers. */
const DECIMALS = new Set(
  'amount currentBalance remainingCredit taxAmount totalAmount subTotal quantity unitAmount totalDiscount'.split(
    ' ',
  ),
);

/** A select list with GraphQL names. */
export function columns(alias, names) {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => {
      const column = `${alias}.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
      return `${column}${DECIMALS.has(name) ? '::text' : ''} AS "${name}"`;
    })
    .join(', ');
}

const METADATA = 'svc_id svc_company_id svc_created_at svc_updated_at platform_id';
const REST = {
  accounts: `${METADATA} name description nominal_code category sub_category status current_balance currency_id
    parent_account_id updated_at`,
  bill_payments: `${METADATA} payment_id bill_id credit_note_id account_id contact_id currency_id currency_rate amount
    payment_mode document_number memo payment_date updated_at`,
  bills: `${METADATA} contact_id currency_id currency_rate document_number posted_date due_date memo status sub_total
    tax_amount total_discount total_amount amount_due purchase_order_ids updated_at`,
  invoice_credit_notes: `${METADATA} contact_id currency_id document_number invoice_ids memo posted_date
    remaining_credit status tax_amount total_amount updated_at`,
  line_items: `svc_id platform_id line_item_type line_item_type_id account_id item_id tax_id description quantity
    unit_amount sub_total tax_amount total_amount total_discount tracking_category_ids updated_at`,
  contacts: `${METADATA} name contact_name contact_type currency_id tax_number registration_number status updated_at`,
  currencies: `${METADATA} code name symbol is_base_currency exchange_rate updated_at`,
};

/** The select list of the columns that REST shows of a table. */
export function restColumns(alias, table) {
  return REST[table]
    .trim()
    .split(/\s+/)
    .map((name) => `${alias}.${name}`)
    .join(', ');
}
