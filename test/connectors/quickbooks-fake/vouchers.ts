import { type Attachable } from './domain.js';

const TYPES: Readonly<Record<string, string>> = {
  Invoice: 'INVOICES',
  CreditMemo: 'INVOICE_CREDIT_NOTES',
  Bill: 'BILLS',
  VendorCredit: 'BILL_CREDIT_NOTES',
  PurchaseOrder: 'PURCHASE_ORDERS',
  Purchase: 'EXPENSES',
  JournalEntry: 'JOURNAL_ENTRIES',
};

export interface Voucher {
  readonly type: string;
  readonly id: string;
}

/** What a file belongs to, the first where there are several; null for a note, and for files of nothing of ours. */
export function voucherOf({ fileName, refs }: Attachable): Voucher | null {
  if (fileName === null) return null;
  const [first] = refs.flatMap(({ type, id }) => {
    const ours = TYPES[type];
    return ours === undefined ? [] : [{ type: ours, id }];
  });
  return first ?? null;
}
