/** Terms of Books for values of the generated worlds. */
type Words = Readonly<Record<string, string>>;

export const ACCOUNT_CLASSES: Words = {
  ASSET: 'assets',
  BANK: 'bank',
  LIABILITY: 'liabilities',
  EQUITY: 'equity',
  INCOME: 'revenue',
  EXPENSE: 'costs',
  UNKNOWN: 'suspense',
};
export const STATES: Words = { ACTIVE: 'open', ARCHIVED: 'closed' };
export const TAX_SIDES: Words = { SALES: 'sales', PURCHASE: 'purchases', BOTH: 'both' };
export const NATURES: Words = { INVENTORY: 'stocked', NON_INVENTORY: 'non-stocked', SERVICE: 'service' };
export const ROLES: Words = { CUSTOMER: 'customer', VENDOR: 'supplier' };
export const ADDRESS_USES: Words = { BILLING: 'invoice', SHIPPING: 'delivery' };
export const PHONE_USES: Words = { TELEPHONE: 'landline', MOBILE: 'mobile', FAX: 'fax' };
export const DOCUMENT_STATES: Words = {
  DRAFT: 'draft',
  SUBMITTED: 'sent',
  PARTIALLY_PAID: 'part-settled',
  PAID: 'settled',
  OVERDUE: 'overdue',
  VOID: 'voided',
};
export const CREDIT_STATES: Words = {
  DRAFT: 'draft',
  SUBMITTED: 'open',
  PARTIALLY_PAID: 'part-used',
  PAID: 'used',
  VOID: 'voided',
};
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
export const MOVEMENT_KINDS: Words = {
  EXPENSE: 'spend',
  DEPOSIT: 'receive',
  TRANSFER: 'transfer',
  CREDIT_CARD: 'spend',
  FEE: 'spend',
};
export const MOVEMENT_NATURES: Words = {
  EXPENSE: 'expense',
  DEPOSIT: 'deposit',
  TRANSFER: 'transfer',
  CREDIT_CARD: 'card',
  FEE: 'fee',
};
export const MOVEMENT_STATES: Words = { PENDING: 'pending', CLEARED: 'cleared' };
export const JOURNAL_NATURES: Words = {
  STANDARD: 'standard',
  ADJUSTING: 'adjusting',
  RECURRING: 'recurring',
  OPENING: 'opening',
};

/** Natures of entries that the books post themselves. */
export const LEDGER_NATURES: Words = {
  INVOICE: 'invoice',
  CREDIT_NOTE: 'credit note',
  RECEIPT: 'receipt',
  BILL: 'bill',
  SUPPLIER_CREDIT: 'supplier credit',
  PAYMENT: 'payment',
  EXPENSE: 'expense',
  BANK: 'bank',
};

/** The term for a value; the worlds always have one. */
export function word(words: Words, value: string | null | undefined): string {
  const found = words[value ?? ''];
  if (found === undefined) throw new Error(`Books has no word for ${value ?? 'nothing'}`);
  return found;
}
