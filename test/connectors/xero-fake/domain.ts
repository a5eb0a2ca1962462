import { type Decimal } from 'decimal.js';

/** What Xero keeps of everything. */
export interface Kept {
  readonly id: string;
  status: string;
  updatedAt: Date;
}

/** The organisation itself; `id` is the tenant's. */
export interface Company extends Kept {
  name: string;
  readonly legalName: string;
  readonly taxNumber: string;
  readonly registrationNumber: string;
  readonly yearEnd: { readonly day: number; readonly month: number };
  readonly yearStart: string;
  readonly openedAt: Date;
}

/** `id` is its code. */
export interface Currency extends Kept {
  name: string;
  /** In the base currency, what one of it costs. */
  readonly worth: string;
}

/** `id` is its type. */
export interface TaxRate extends Kept {
  name: string;
  readonly reportType: string;
  /** In percent, as shown and as it comes to with compound components. */
  readonly rate: string;
  readonly effectiveRate: string;
  readonly components: readonly {
    readonly name: string;
    readonly rate: string;
    readonly isCompound: boolean;
  }[];
}

export interface Account extends Kept {
  name: string;
  readonly code: string | null;
  readonly description: string | null;
  readonly type: string;
  readonly accountClass: string;
  readonly currency: Currency | null;
  /** Receivables and payables, which documents are booked to without naming them. */
  readonly isControl?: boolean;
  /** Of one at a bank that was written; all others have the same. */
  readonly bank?: { readonly number: string; readonly type: string };
}

export interface TrackingOption extends Kept {
  name: string;
}

export interface TrackingCategory extends Kept {
  name: string;
  options: TrackingOption[];
}

/** What an item costs on one side of the trade. */
export interface ItemPrice {
  readonly unitPrice: Decimal | null;
  readonly account: Account | null;
  readonly taxRate: TaxRate | null;
}

export interface Item extends Kept {
  name: string;
  code: string;
  description: string | null;
  purchaseDescription: string | null;
  sale: ItemPrice | null;
  purchase: ItemPrice | null;
  /** Null for what is not tracked as inventory. */
  readonly inStock: number | null;
}

export interface Contact extends Kept {
  name: string;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  readonly website: string | null;
  taxNumber: string | null;
  companyNumber: string | null;
  currency: Currency | null;
  readonly isCustomer: boolean;
  readonly isSupplier: boolean;
  phone: readonly [country: string, area: string, number: string] | null;
  mobile: string | null;
  fax?: string | null;
  postal: PostalAddress | null;
  street?: PostalAddress | null;
}

export interface PostalAddress {
  readonly lines: readonly string[];
  readonly city: string;
  readonly region: string;
  readonly postalCode: string;
  readonly country: string;
}

/** An option of a category that something is tagged with. */
export interface Tag {
  readonly category: TrackingCategory;
  readonly option: TrackingOption;
}

export interface Line {
  readonly id: string;
  description: string;
  readonly quantity: Decimal;
  readonly unitPrice: Decimal;
  readonly item: Item | null;
  readonly account: Account;
  readonly taxRate: TaxRate;
  /** Either a share in percent or an amount. */
  readonly discount: { readonly rate: Decimal } | { readonly amount: Decimal } | null;
  /** Without tax, and the tax on it. */
  readonly net: Decimal;
  readonly tax: Decimal;
  readonly tags: readonly Tag[];
}

export type DocumentType = 'ACCREC' | 'ACCPAY' | 'ACCRECCREDIT' | 'ACCPAYCREDIT' | 'PURCHASEORDER';

export interface Attachment {
  readonly id: string;
  readonly fileName: string;
  readonly mimeType: string;
  readonly size: number;
}

/** An invoice, a bill, a credit note or a purchase order. */
export interface TradeDocument extends Kept {
  readonly type: DocumentType;
  number: string;
  reference: string;
  contact: Contact;
  date: string;
  dueDate: string | null;
  readonly deliveryAddress: string | null;
  currency: Currency;
  /** What one of the base currency buys of it, where it is not what the currency is worth. */
  rate?: Decimal | null;
  amountTypes: 'Exclusive' | 'Inclusive' | 'NoTax';
  lines: readonly Line[];
  /** Paid on it; of a credit note, paid back. */
  paid: Decimal;
  /** Credited to it; of a credit note, what others got of it. */
  credited: Decimal;
  readonly allocations: { readonly document: TradeDocument; readonly amount: Decimal }[];
  readonly attachments: Attachment[];
}

export interface Payment extends Kept {
  readonly type: 'ACCRECPAYMENT' | 'ACCPAYPAYMENT' | 'ARCREDITPAYMENT' | 'APCREDITPAYMENT';
  readonly document: TradeDocument;
  readonly account: Account;
  readonly date: string;
  readonly amount: Decimal;
  reference: string;
}

/** What was paid in advance, or too much, and is set off against documents. */
export interface Advance extends Kept {
  readonly type: 'RECEIVE-PREPAYMENT' | 'SPEND-PREPAYMENT' | 'RECEIVE-OVERPAYMENT' | 'SPEND-OVERPAYMENT';
  readonly contact: Contact;
  readonly currency: Currency;
  readonly date: string;
  readonly total: Decimal;
  reference: string;
  readonly allocated: Allocation[];
}

export interface Allocation {
  readonly id: string;
  readonly document: TradeDocument;
  readonly amount: Decimal;
  readonly date: string;
}

export interface BankTransaction extends Kept {
  readonly type: 'RECEIVE' | 'SPEND' | 'RECEIVE-TRANSFER' | 'SPEND-TRANSFER';
  readonly account: Account;
  /** Transfers have none. */
  readonly contact: Contact | null;
  readonly currency: Currency;
  readonly date: string;
  readonly total: Decimal;
  reference: string;
}

export interface BankTransfer extends Kept {
  readonly from: BankTransaction;
  readonly to: BankTransaction;
  readonly amount: Decimal;
  readonly date: string;
  readonly createdAt: Date;
  reference: string;
}

export interface JournalLine {
  readonly account: Account;
  readonly description: string;
  /** What its account gets: debits are positive. */
  readonly amount: Decimal;
  /** Of the same sign. */
  readonly tax: Decimal;
  readonly tags: readonly Tag[];
}

export interface ManualJournal extends Kept {
  narration: string;
  readonly date: string;
  readonly onCashBasis: boolean;
  /** How its lines are written: with their taxes or without. */
  readonly amountTypes: 'NoTax' | 'Inclusive' | 'Exclusive';
  readonly lines: readonly JournalLine[];
  readonly attachments: Attachment[];
}

/** All that a tenant has. */
export interface Organisation {
  readonly tenantId: string;
  readonly company: Company;
  readonly currencies: readonly Currency[];
  readonly taxRates: TaxRate[];
  readonly accounts: Account[];
  readonly trackingCategories: TrackingCategory[];
  items: Item[];
  readonly contacts: Contact[];
  readonly documents: TradeDocument[];
  readonly payments: Payment[];
  readonly advances: Advance[];
  readonly bankTransactions: BankTransaction[];
  readonly bankTransfers: BankTransfer[];
  readonly manualJournals: ManualJournal[];
}
