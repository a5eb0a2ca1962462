/**
 * The fields of records as the reference (2.2, 2.3) and the contract (section 5) give them, written down from there
 * and from nowhere else. `number` and `text` say how an amount stands on the wire.
 */
export type WireType =
  'integer' | 'number' | 'text' | 'boolean' | 'timestamp' | 'texts' | 'object' | 'objects';

export interface RecordContract {
  readonly path: string;
  readonly fields: Readonly<Record<string, WireType>>;
  readonly expand: readonly string[];
  /** Relations that `.../all` shows in `{data: ...}`. */
  readonly all?: readonly string[];
  /** Fields of `.../all` beside those of `/v3`. */
  readonly allFields?: Readonly<Record<string, WireType>>;
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

const ORDER = {
  currency_id: 'text',
  currency_rate: 'number',
  contact_id: 'text',
  delivery_date: 'timestamp',
  description: 'text',
  document_number: 'text',
  posted_date: 'timestamp',
  status: 'text',
  sub_total: 'number',
  tax_amount: 'number',
  total_amount: 'number',
  total_discount: 'number',
  updated_at: 'timestamp',
} as const;

const SALE = {
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
} as const;

const CREDIT_NOTE = {
  contact_id: 'text',
  currency_id: 'text',
  document_number: 'text',
  memo: 'text',
  posted_date: 'timestamp',
  remaining_credit: 'number',
  status: 'text',
  tax_amount: 'number',
  total_amount: 'number',
  updated_at: 'timestamp',
} as const;

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
    all: ['currency'],
  },
  PurchaseOrder: {
    path: 'accounting/purchase_orders',
    fields: { ...ORDER, bill_ids: 'texts' },
    expand: ['currency', 'line_items', 'contact', 'documents'],
    all: ['addresses', 'currency', 'line_items'],
    allFields: { payment_mode: 'text' },
  },
  SalesOrder: {
    path: 'accounting/sales_orders',
    fields: { ...ORDER, invoice_ids: 'texts' },
    expand: ['currency', 'line_items', 'contact', 'documents'],
    all: ['addresses', 'currency', 'line_items'],
  },
  TrackingCategory: {
    path: 'accounting/tracking_categories',
    fields: {
      name: 'text',
      parent_id: 'text',
      has_children: 'boolean',
      status: 'text',
      updated_at: 'timestamp',
    },
    expand: [],
    allFields: { raw_data: 'object' },
  },
  InvoiceCreditNote: {
    path: 'accounting/invoice_credit_notes',
    fields: { ...CREDIT_NOTE, invoice_ids: 'texts' },
    expand: ['currency', 'line_items', 'contact', 'invoices', 'payments'],
  },
  BillCreditNote: {
    path: 'accounting/bill_credit_notes',
    fields: { ...CREDIT_NOTE, bill_ids: 'texts' },
    expand: ['currency', 'line_items', 'contact', 'payments'],
  },
  JournalEntry: {
    path: 'accounting/journal_entries',
    fields: {
      account_id: 'text',
      amount: 'number',
      currency_id: 'text',
      currency_rate: 'number',
      description: 'text',
      document_number: 'text',
      journal_entry_type: 'text',
      posted_date: 'timestamp',
      updated_at: 'timestamp',
    },
    expand: ['currency', 'journal_lines', 'account'],
  },
  Item: {
    path: 'accounting/items',
    fields: {
      name: 'text',
      description: 'text',
      status: 'text',
      type: 'text',
      code: 'text',
      quantity_on_hand: 'number',
      is_bill_item: 'boolean',
      bill_item: 'object',
      is_invoice_item: 'boolean',
      invoice_item: 'object',
      updated_at: 'timestamp',
    },
    expand: [],
  },
  BankTransaction: {
    path: 'accounting/bank_transactions',
    fields: {
      account_id: 'text',
      amount: 'number',
      contact_id: 'text',
      currency_id: 'text',
      currency_rate: 'number',
      debit_or_credit: 'text',
      from_account_id: 'text',
      to_account_id: 'text',
      status: 'text',
      transaction_date: 'timestamp',
      type: 'text',
      updated_at: 'timestamp',
    },
    expand: ['account', 'from_account', 'to_account', 'currency', 'contact'],
  },
  BillPayment: {
    path: 'accounting/bill_payments',
    fields: {
      account_id: 'text',
      amount: 'text',
      bill_id: 'text',
      contact_id: 'text',
      credit_note_id: 'text',
      currency_id: 'text',
      currency_rate: 'text',
      document_number: 'text',
      memo: 'text',
      payment_date: 'timestamp',
      payment_id: 'text',
      payment_mode: 'text',
      updated_at: 'timestamp',
    },
    expand: ['bill', 'account', 'currency', 'contact'],
  },
  InvoicePayment: {
    path: 'accounting/invoice_payments',
    fields: {
      account_id: 'text',
      amount: 'number',
      invoice_id: 'text',
      contact_id: 'text',
      credit_note_id: 'text',
      currency_id: 'text',
      currency_rate: 'text',
      document_number: 'text',
      memo: 'text',
      payment_date: 'timestamp',
      payment_id: 'text',
      payment_mode: 'text',
      updated_at: 'timestamp',
    },
    expand: ['invoice', 'account', 'currency', 'contact'],
  },
  Document: {
    path: 'accounting/documents',
    fields: {
      document_type: 'text',
      document_type_id: 'text',
      document_uploaded: 'boolean',
      file_name: 'text',
      file_size: 'text',
      file_type: 'text',
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
  TaxRate: {
    path: 'accounting/tax_rates',
    fields: {
      name: 'text',
      code: 'text',
      tax_type: 'text',
      effective_tax_rate: 'number',
      total_tax_rate: 'number',
      components: 'objects',
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
    expand: [
      'currency',
      'phone_numbers',
      'addresses',
      'external_links',
      'invoices',
      'bills',
      'invoice_payments',
      'bill_payments',
      'purchase_orders',
      'sales_orders',
      'bank_transactions',
    ],
  },
  Invoice: {
    path: 'accounting/invoices',
    fields: { ...SALE, sales_order_ids: 'texts' },
    expand: ['currency', 'line_items', 'contact', 'documents', 'invoice_payments'],
  },
  Bill: {
    path: 'accounting/bills',
    fields: { ...SALE, purchase_order_ids: 'texts' },
    expand: ['currency', 'line_items', 'contact', 'documents', 'bill_payments'],
  },
  Payment: {
    path: 'payments/payments',
    fields: {
      amount: 'text',
      created_at: 'timestamp',
      currency_id: 'text',
      customer_id: 'text',
      description: 'text',
      invoice_id: 'text',
      order_id: 'text',
      payment_method: 'text',
      status: 'text',
    },
    expand: ['payment_line_items'],
  },
  PaymentLink: {
    path: 'payments/payment_links',
    fields: {
      amount: 'text',
      created_at: 'timestamp',
      currency_id: 'text',
      description: 'text',
      link: 'text',
      status: 'text',
      updated_at: 'timestamp',
    },
    expand: ['line_items'],
  },
  PaymentCustomer: {
    path: 'payments/customers',
    fields: {
      created_at: 'timestamp',
      name: 'text',
      tax_number: 'text',
      currency_id: 'text',
      external_links: 'objects',
      phone_numbers: 'objects',
      addresses: 'objects',
    },
    expand: [],
  },
  PaymentInvoice: {
    path: 'payments/invoices',
    fields: {
      contact_id: 'text',
      currency_id: 'text',
      document_number: 'text',
      posted_date: 'timestamp',
      due_date: 'timestamp',
      status: 'text',
      total_discount: 'number',
      sub_total: 'number',
      tax_amount: 'number',
      total_amount: 'number',
      amount_due: 'number',
      line_items: 'objects',
    },
    // The contract's own `raw_data` is a field to select; it is taken under expand too.
    expand: ['raw_data'],
  },
  PaymentOrder: {
    path: 'payments/orders',
    fields: {
      created_at: 'timestamp',
      reference: 'text',
      amount: 'number',
      amount_due: 'number',
      status: 'text',
      currency_id: 'text',
    },
    expand: [],
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
  EcommerceOrder: {
    path: 'ecommerce/orders',
    fields: {
      currency_id: 'text',
      reference: 'text',
      created_at: 'timestamp',
      updated_at: 'timestamp',
      order_name: 'text',
      order_number: 'text',
      description: 'text',
      total_discount: 'number',
      sub_total: 'number',
      tax_amount: 'number',
      total_amount: 'number',
      amount_due: 'number',
      order_status: 'text',
      payment_status: 'text',
    },
    expand: ['line_items'],
  },
};

const LINE = {
  item_id: 'text',
  tax_id: 'text',
  description: 'text',
  quantity: 'number',
  unit_amount: 'number',
  sub_total: 'number',
  tax_amount: 'number',
  total_amount: 'number',
  total_discount: 'number',
  line_item_type: 'text',
  line_item_type_id: 'text',
} as const;

/** Nested objects: where they are seen, and exactly what they hold. */
export const NESTED: readonly {
  readonly path: string;
  readonly name: string;
  readonly fields: Readonly<Record<string, WireType>>;
}[] = [
  {
    path: 'accounting/invoice_credit_notes?expand=line_items',
    name: 'line_items',
    fields: {
      ...LINE,
      svc_id: 'integer',
      platform_id: 'text',
      account_id: 'text',
      tracking_category_ids: 'texts',
      updated_at: 'timestamp',
    },
  },
  {
    path: 'accounting/journal_entries?expand=journal_lines',
    name: 'journal_lines',
    fields: {
      account_id: 'text',
      contact_id: 'text',
      description: 'text',
      journal_entry_id: 'text',
      net_amount: 'number',
      platform_id: 'text',
      tax_amount: 'number',
      tax_id: 'text',
      tracking_category_ids: 'texts',
      type: 'text',
      updated_at: 'timestamp',
    },
  },
  {
    path: 'payments/payment_links?expand=line_items',
    name: 'line_items',
    fields: { ...LINE, updated_at: 'timestamp' },
  },
  {
    path: 'payments/payments?expand=payment_line_items',
    name: 'payment_line_items',
    fields: { ...LINE, updated_at: 'timestamp' },
  },
  { path: 'ecommerce/orders?expand=line_items', name: 'line_items', fields: LINE },
  {
    path: 'accounting/contacts?expand=addresses',
    name: 'addresses',
    fields: {
      svc_id: 'integer',
      platform_id: 'text',
      city: 'text',
      country: 'text',
      data_model: 'text',
      data_model_id: 'text',
      locality: 'text',
      pincode: 'text',
      state: 'text',
      street: 'text',
      type: 'text',
      updated_at: 'timestamp',
    },
  },
  {
    path: 'accounting/contacts?expand=phone_numbers',
    name: 'phone_numbers',
    fields: { svc_id: 'integer', platform_id: 'text', number: 'text', type: 'text' },
  },
  {
    path: 'accounting/contacts?expand=external_links',
    name: 'external_links',
    fields: { svc_id: 'integer', platform_id: 'text', link: 'text', type: 'text' },
  },
  {
    path: 'accounting/tax_rates',
    name: 'components',
    fields: { name: 'text', rate: 'number', tax_agency: 'text', is_compound: 'boolean' },
  },
  {
    path: 'accounting/items',
    name: 'bill_item',
    fields: { account_id: 'text', tax_id: 'text', unit_price: 'number', description: 'text' },
  },
  {
    path: 'accounting/items',
    name: 'invoice_item',
    fields: { account_id: 'text', tax_id: 'text', unit_price: 'number', description: 'text' },
  },
];
