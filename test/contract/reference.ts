/**
 * The fields of records as the reference (2.2, 2.3) and the contract (section 5) give them, written down from there
 * and from nowhere else. `number` and `text` say how an amount stands on the wire.
 */
export type WireType = 'integer' | 'number' | 'text' | 'boolean' | 'timestamp' | 'texts' | 'object';

export interface RecordContract {
  readonly path: string;
  readonly fields: Readonly<Record<string, WireType>>;
  readonly expand: readonly string[];
}

export const METADATA: Readonly<Record<string, WireType>> = {
  svc_id: 'integer',
  svc_company_id: 'integer',
  svc_created_at: 'timestamp',
  svc_updated_at: 'timestamp',
  platform_id: 'text',
};

export const ALL_METADATA: Readonly<Record<string, WireType>> = {
  ...METADATA,
  svc_integration_type: 'text',
  svc_organisation_id: 'integer',
};

export const CONTRACT: Readonly<Record<string, RecordContract>> = {
  Account: {
    path: 'accounting/accounts',
    fields: {
      name: 'text',
      description: 'text',
      nominal_code: 'text',
      category: 'text',
      sub_category: 'text',
      status: 'text',
      current_balance: 'number',
      currency_id: 'text',
      parent_account_id: 'text',
      parent_account: 'object',
      updated_at: 'timestamp',
    },
    expand: ['currency'],
  },
  InvoiceCreditNote: {
    path: 'accounting/invoice_credit_notes',
    fields: {
      contact_id: 'text',
      currency_id: 'text',
      document_number: 'text',
      invoice_ids: 'texts',
      memo: 'text',
      posted_date: 'timestamp',
      remaining_credit: 'number',
      status: 'text',
      tax_amount: 'number',
      total_amount: 'number',
      updated_at: 'timestamp',
    },
    expand: ['currency', 'line_items', 'contact', 'invoices'],
  },
  EcommerceTransaction: {
    path: 'ecommerce/transactions',
    fields: {
      platform_unique_id: 'text',
      svc_deleted_at: 'timestamp',
      amount: 'text',
      fee: 'text',
      type: 'text',
      payment_method: 'text',
      status: 'text',
      description: 'text',
      currency_id: 'text',
      created_at: 'timestamp',
      updated_at: 'timestamp',
    },
    expand: [],
  },
  Currency: {
    path: 'accounting/currencies',
    fields: {
      code: 'text',
      name: 'text',
      symbol: 'text',
      is_base_currency: 'boolean',
      exchange_rate: 'number',
      updated_at: 'timestamp',
    },
    expand: [],
  },
  Contact: {
    path: 'accounting/contacts',
    fields: {
      name: 'text',
      contact_name: 'text',
      contact_type: 'text',
      currency_id: 'text',
      tax_number: 'text',
      registration_number: 'text',
      status: 'text',
      updated_at: 'timestamp',
    },
    expand: ['currency', 'invoices'],
  },
  Invoice: {
    path: 'accounting/invoices',
    fields: {
      currency_id: 'text',
      contact_id: 'text',
      total_discount: 'number',
      sub_total: 'number',
      tax_amount: 'number',
      total_amount: 'number',
      amount_due: 'number',
      document_number: 'text',
      posted_date: 'timestamp',
      due_date: 'timestamp',
      memo: 'text',
      updated_at: 'timestamp',
      status: 'text',
      currency_rate: 'number',
      sales_order_ids: 'texts',
    },
    expand: ['currency', 'line_items', 'contact'],
  },
};

/** Order / credit note line item. */
export const LINE_ITEM: Readonly<Record<string, WireType>> = {
  svc_id: 'integer',
  account_id: 'text',
  description: 'text',
  item_id: 'text',
  line_item_type: 'text',
  line_item_type_id: 'text',
  platform_id: 'text',
  quantity: 'number',
  sub_total: 'number',
  tax_amount: 'number',
  tax_id: 'text',
  total_amount: 'number',
  total_discount: 'number',
  tracking_category_ids: 'texts',
  unit_amount: 'number',
  updated_at: 'timestamp',
};
