import { type Decimal } from 'decimal.js';

/** What an organization keeps, told in a form of the fake's own. */
export interface Kept {
  readonly id: string;
  readonly createdAt: Date;
  updatedAt: Date;
}

export interface Currency extends Kept {
  readonly code: string;
  readonly name: string;
  readonly symbol: string;
  readonly isBase: boolean;
  rate: Decimal;
}

export interface Tax extends Kept {
  name: string;
  rate: Decimal;
  readonly kind: 'tax' | 'compound_tax' | 'tax_group';
  readonly agency: string;
  /** Of a group. */
  readonly members: readonly Tax[];
}

export interface Account extends Kept {
  name: string;
  readonly code: string;
  readonly type: string;
  readonly parentId: string;
  balance: Decimal;
  isActive: boolean;
  readonly description?: string;
  /** Where it was named. */
  readonly currency?: Currency;
  /** Where it is one at a bank, or of a card. */
  readonly bank: { readonly name: string; readonly number: string; readonly currency: Currency } | null;
}

export interface Item extends Kept {
  readonly name: string;
  description: string;
  readonly sku: string;
  readonly kind: 'sales' | 'purchases' | 'sales_and_purchases' | 'inventory';
  readonly product: 'goods' | 'service';
  /** Of what is bought, where it was written. */
  readonly remark?: string | undefined;
  price: Decimal;
  readonly cost: Decimal;
  readonly stock: Decimal | null;
  readonly income: Account;
  readonly outlay: Account;
  readonly tax: Tax | null;
  isActive: boolean;
}

export interface Place {
  readonly address: string;
  readonly street2: string;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
  readonly country: string;
}

export interface Contact extends Kept {
  name: string;
  readonly kind: 'customer' | 'vendor';
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
  readonly mobile: string;
  readonly fax: string;
  readonly website: string;
  readonly taxNumber: string;
  readonly currency: Currency;
  readonly billing: Place | null;
  readonly shipping: Place | null;
  readonly remarks?: string;
  isActive: boolean;
}

export interface Line {
  readonly id: string;
  readonly item: Item | null;
  readonly account: Account;
  readonly description: string;
  readonly quantity: Decimal;
  readonly price: Decimal;
  readonly discount: Decimal;
  readonly tax: Tax | null;
  readonly tagId: string | null;
}

export const DOCUMENT_KINDS = [
  'invoice',
  'bill',
  'creditnote',
  'vendorcredit',
  'salesorder',
  'purchaseorder',
  'expense',
] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

export interface TradeDocument extends Kept {
  readonly kind: DocumentKind;
  readonly number: string;
  readonly contact: Contact | null;
  readonly currency: Currency;
  readonly date: string;
  readonly dueDate: string;
  status: string;
  notes: string;
  readonly reference?: string;
  /** Where it is not the currency's. */
  readonly rate?: Decimal;
  readonly lines: readonly Line[];
  /** Prices include the tax. */
  readonly isInclusive: boolean;
  /** Of the whole. */
  readonly discount: Decimal;
  readonly shipping: Decimal;
  readonly adjustment: Decimal;
  /** What was paid, credited or used of it. */
  settled: Decimal;
  /** Orders of a document, documents of an order, what a credit was applied to. */
  linkedIds: string[];
  /** What an expense was paid from. */
  readonly paidFrom: Account | null;
}

export interface Payment extends Kept {
  readonly kind: 'customer' | 'vendor';
  readonly number: string;
  readonly contact: Contact;
  readonly currency: Currency;
  readonly date: string;
  readonly mode: string;
  notes: string;
  readonly reference?: string;
  /** Where it is not the currency's. */
  readonly rate?: Decimal;
  readonly amount: Decimal;
  applied: readonly { readonly id: string; readonly amount: Decimal }[];
  readonly account: Account;
}

export interface JournalLine {
  readonly id: string;
  readonly account: Account;
  readonly contact: Contact | null;
  readonly side: 'debit' | 'credit';
  readonly amount: Decimal;
  readonly description: string;
}

export interface Journal extends Kept {
  readonly number: string;
  readonly date: string;
  readonly currency: Currency;
  notes: string;
  readonly status: 'published' | 'draft';
  readonly lines: readonly JournalLine[];
}
