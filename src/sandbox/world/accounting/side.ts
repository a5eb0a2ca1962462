/** The two sides of the books: sales to customers, and purchases from vendors. */
export interface Side {
  readonly name: 'sales' | 'purchases';
  readonly contactType: 'CUSTOMER' | 'VENDOR';
  /** Prefixes of platform ids and document numbers. */
  readonly prefix: Readonly<Record<Paper, string>>;
  readonly lineItemType: Readonly<Record<Exclude<Paper, 'payment'>, string>>;
  /** The control account for amounts owed: receivables or payables. */
  readonly controlAccountId: string;
  /** The account for card payments. */
  readonly cardAccountId: string;
}

export type Paper = 'order' | 'document' | 'note' | 'payment';

export const SALES: Side = {
  name: 'sales',
  contactType: 'CUSTOMER',
  prefix: { order: 'SO', document: 'INV', note: 'CN', payment: 'REC' },
  lineItemType: { order: 'SALES_ORDERS', document: 'INVOICES', note: 'INVOICE_CREDIT_NOTES' },
  controlAccountId: 'acc-1100',
  cardAccountId: 'acc-1030',
};

export const PURCHASES: Side = {
  name: 'purchases',
  contactType: 'VENDOR',
  prefix: { order: 'PO', document: 'BILL', note: 'VCN', payment: 'PAY' },
  lineItemType: { order: 'PURCHASE_ORDERS', document: 'BILLS', note: 'BILL_CREDIT_NOTES' },
  controlAccountId: 'acc-2100',
  cardAccountId: 'acc-2400',
};

/** `inv-7` and `INV-0007`. */
export function named(side: Side, paper: Paper, index: number): { platformId: string; number: string } {
  const prefix = side.prefix[paper];
  return {
    platformId: `${prefix.toLowerCase()}-${index + 1}`,
    number: `${prefix}-${String(index + 1).padStart(4, '0')}`,
  };
}
