/** Closed value sets, Reference G1. A value that cannot be translated is UNKNOWN if the set has it, else null. */
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
export const VOUCHER_STATUSES = [
  'DRAFT',
  'SUBMITTED',
  'PARTIALLY_PAID',
  'PAID',
  'OVERDUE',
  'VOID',
  'UNKNOWN',
] as const;
const PAPERS = [
  'BILLS',
  'INVOICES',
  'BILL_CREDIT_NOTES',
  'INVOICE_CREDIT_NOTES',
  'EXPENSES',
  'PURCHASE_ORDERS',
  'SALES_ORDERS',
] as const;
export const LINE_ITEM_TYPES = [...PAPERS, 'GOODS_RECEIPT_NOTES'] as const;
export const DOCUMENT_TYPES = [...PAPERS, 'JOURNAL_ENTRIES'] as const;
export const ITEM_TYPES = ['INVENTORY', 'NON_INVENTORY', 'SERVICE', 'UNKNOWN'] as const;
export const JOURNAL_ENTRY_STATUSES = ['DRAFT', 'POSTED', 'VOID', 'ARCHIVED', 'UNKNOWN'] as const;
export const JOURNAL_LINE_TYPES = ['DEBIT', 'CREDIT'] as const;
export const DEBIT_OR_CREDIT = ['DEBIT', 'CREDIT'] as const;
export const ADDRESS_TYPES = ['BILLING', 'SHIPPING'] as const;
export const PHONE_NUMBER_TYPES = ['MOBILE', 'TELEPHONE', 'FAX'] as const;
export const EXTERNAL_LINK_TYPES = ['EMAIL', 'WEBSITE'] as const;
export const PAYMENT_STATUSES = ['CREATED', 'ATTEMPTED', 'PAID', 'FAILED'] as const;
export const PAYMENT_METHODS = ['UPI', 'EMI', 'NET_BANKING', 'WALLET', 'CARD'] as const;
export const PAYMENT_ORDER_STATUSES = ['CREATED', 'ATTEMPTED', 'PAID', 'CANCELLED'] as const;
export const PAYMENT_DISPUTE_STATUSES = ['WON', 'LOST', 'PENDING', 'OPEN', 'CLOSED'] as const;
export const PAYMENT_PAYOUT_STATUSES = ['CREATED', 'SUCCESS', 'FAILED'] as const;
export const PAYMENT_REFUND_STATUSES = ['PENDING', 'SUCCESS', 'FAILED'] as const;
export const PAYMENT_LINK_STATUSES = ['ACTIVE', 'INACTIVE'] as const;
export const PAYMENT_LINE_ITEM_TYPES = ['PAYMENT_INVOICES', 'PAYMENT_PAYMENT_LINKS'] as const;
export const ECOMMERCE_LINE_ITEM_TYPES = ['ECOMMERCE_ORDERS'] as const;
