import { type Attachable } from './domain.js';

const TYPES: Readonly<Record<string, string>> = {
  Invoice: 'INVOICES',
  SalesReceipt: 'INVOICES',
  CreditMemo: 'INVOICE_CREDIT_NOTES',
  RefundReceipt: 'INVOICE_CREDIT_NOTES',
  Bill: 'BILLS',
  VendorCredit: 'BILL_CREDIT_NOTES',
  PurchaseOrder: 'PURCHASE_ORDERS',
  Purchase: 'EXPENSES',
  JournalEntry: 'JOURNAL_ENTRIES',
};

/** Ours of a document: receipts are of the same record types as documents that are not paid on the spot. */
export const documentId = (entity: string, id: string): string =>
  entity.endsWith('Receipt') ? `${entity.toLowerCase()}:${id}` : id;

export interface Voucher {
  readonly type: string;
  readonly id: string;
}

/** What a file belongs to, the first where there are several; null for a note, and for files of nothing of ours. */
export function voucherOf({ fileName, refs }: Attachable): Voucher | null {
  if (fileName === null) return null;
  const [first] = refs.flatMap(({ type, id }) => {
    const ours = TYPES[type];
    return ours === undefined ? [] : [{ type: ours, id: documentId(type, id) }];
  });
  return first ?? null;
}
