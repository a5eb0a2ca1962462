/** The two sides of the books: what customers buy from the company, and what it buys from vendors. */
export interface Side {
  readonly name: 'sales' | 'purchases';
  readonly contactType: 'CUSTOMER' | 'VENDOR';
  /** How platform ids and document numbers begin. */
  readonly prefix: Readonly<Record<Paper, string>>;
  readonly lineItemType: Readonly<Record<Exclude<Paper, 'payment'>, string>>;
  /** Where what is owed stands: receivables or payables. */
  readonly controlAccountId: string;
  /** The account that a card is paid to or from. */
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
