/** Closed value sets, contract section 4. A value that cannot be translated is UNKNOWN where the set has it, else null. */
export const ACCOUNT_CATEGORIES = [
  'ASSET',
  'EXPENSE',
  'LIABILITY',
  'EQUITY',
  'INCOME',
  'BANK',
  'UNKNOWN',
] as const;
export const CONTACT_TYPES = ['CUSTOMER', 'VENDOR'] as const;
export const RECORD_STATUSES = ['ACTIVE', 'ARCHIVED', 'UNKNOWN'] as const;
export const LINE_ITEM_TYPES = [
  'BILLS',
  'INVOICES',
  'BILL_CREDIT_NOTES',
  'INVOICE_CREDIT_NOTES',
  'EXPENSES',
  'PURCHASE_ORDERS',
  'SALES_ORDERS',
] as const;
