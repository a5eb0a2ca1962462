/** Books' words by ours; the mappers have the opposite direction. */
type Words = Readonly<Record<string, string>>;

export const INVOICE_STATES: Words = { DRAFT: 'draft', SUBMITTED: 'sent', VOID: 'voided' };
export const CREDIT_NOTE_STATES: Words = { DRAFT: 'draft', SUBMITTED: 'open', VOID: 'voided' };
export const ORDER_STATES: Words = {
  DRAFT: 'draft',
  SUBMITTED: 'confirmed',
  PAID: 'completed',
  VOID: 'cancelled',
};
export const PAYMENT_MEANS: Words = {
  BANK_TRANSFER: 'bank transfer',
  CREDIT_CARD: 'card',
  CHEQUE: 'cheque',
  CASH: 'cash',
  CREDIT_NOTE: 'credit',
};
export const ACCOUNT_CLASSES: Words = {
  ASSET: 'assets',
  BANK: 'bank',
  LIABILITY: 'liabilities',
  EQUITY: 'equity',
  INCOME: 'revenue',
  EXPENSE: 'costs',
  UNKNOWN: 'suspense',
};
export const RECORD_STATES: Words = { ACTIVE: 'open', ARCHIVED: 'closed' };
export const TAX_SIDES: Words = { SALES: 'sales', PURCHASE: 'purchases', BOTH: 'both' };
export const ITEM_NATURES: Words = {
  INVENTORY: 'stocked',
  NON_INVENTORY: 'non-stocked',
  SERVICE: 'service',
};
export const ROLES: Words = { CUSTOMER: 'customer', VENDOR: 'supplier' };
export const ADDRESS_USES: Words = { BILLING: 'invoice', SHIPPING: 'delivery' };
export const JOURNAL_NATURES: Words = {
  STANDARD: 'standard',
  ADJUSTING: 'adjusting',
  RECURRING: 'recurring',
};
