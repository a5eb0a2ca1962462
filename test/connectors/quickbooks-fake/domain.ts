import { type Decimal } from 'decimal.js';

/** What QuickBooks Online keeps of everything. */
export interface Kept {
  /** Digits, often more than a double can hold. */
  readonly id: string;
  /** Shown as `SyncToken`. */
  version: number;
  readonly createdAt: Date;
  /** In whole seconds. */
  updatedAt: Date;
}

/** An entry of a name list: it is never deleted, only made inactive. */
export interface Named extends Kept {
  name: string;
  active: boolean;
}

/** The home currency is none of the company's list of currencies. */
export interface Currency extends Named {
  readonly code: string;
  /** In the home currency, what one of it costs. */
  readonly rate: Decimal;
  readonly digits: number;
  readonly isHome: boolean;
}

export interface Account extends Named {
  /** `AccountType` */
  readonly type: string;
  readonly subType: string;
  readonly classification: 'Asset' | 'Liability' | 'Equity' | 'Revenue' | 'Expense';
  readonly number: string | null;
  description: string | null;
  readonly currency: Currency;
  balance: Decimal;
  readonly parent: Account | null;
}

/** A class or a department. */
export interface Dimension extends Named {
  readonly kind: 'Class' | 'Department';
  readonly parent: Dimension | null;
}

export interface TaxRate extends Named {
  readonly rate: Decimal;
  readonly agency: Named;
}

export type TaxApplication = 'TaxOnAmount' | 'TaxOnAmountPlusTax';

export interface TaxPart {
  readonly rate: TaxRate;
  readonly applies: TaxApplication;
}

export interface TaxCode extends Named {
  description: string;
  readonly taxable: boolean;
  /** `TAX` and `NON` of US companies, which have nothing but a name. */
  readonly isPseudo: boolean;
  readonly sales: readonly TaxPart[];
  readonly purchases: readonly TaxPart[];
}

export interface PostalAddress {
  /** Of QuickBooks' own list of addresses. */
  readonly id: string;
  readonly lines: readonly string[];
  readonly city: string | null;
  readonly state: string | null;
  readonly postalCode: string | null;
  readonly country: string | null;
}

export interface Contact extends Named {
  readonly kind: 'Customer' | 'Vendor' | 'Employee';
  readonly given: string | null;
  readonly middle: string | null;
  readonly family: string | null;
  readonly company: string | null;
  readonly parent: Contact | null;
  readonly currency: Currency;
  readonly taxNumber: string | null;
  phone: string | null;
  readonly alternatePhone: string | null;
  readonly mobile: string | null;
  readonly fax: string | null;
  email: string | null;
  readonly website: string | null;
  readonly billing: PostalAddress | null;
  readonly shipping: PostalAddress | null;
}

export type ItemType = 'Inventory' | 'Service' | 'NonInventory' | 'Group' | 'Category';

export interface Item extends Named {
  readonly type: ItemType;
  readonly sku: string | null;
  description: string | null;
  readonly purchaseDescription: string | null;
  unitPrice: Decimal | null;
  readonly purchaseCost: Decimal | null;
  readonly income: Account | null;
  readonly expense: Account | null;
  readonly asset: Account | null;
  readonly inStock: Decimal | null;
  readonly category: Item | null;
  readonly salesTax: TaxCode | null;
  readonly purchaseTax: TaxCode | null;
}

interface Coded {
  readonly id: string;
  readonly description: string | null;
  readonly amount: Decimal;
  /** With tax, where the document's amounts were entered so. */
  readonly gross: Decimal | null;
  readonly taxCode: TaxCode | null;
  readonly class: Dimension | null;
}

export interface ItemLine extends Coded {
  readonly kind: 'item';
  readonly item: Item;
  readonly account: Account | null;
  readonly quantity: Decimal | null;
  readonly unitPrice: Decimal | null;
}

export interface AccountLine extends Coded {
  readonly kind: 'account';
  readonly account: Account;
}

export interface GroupLine {
  readonly kind: 'group';
  readonly id: string;
  readonly item: Item;
  readonly quantity: Decimal;
  readonly lines: readonly ItemLine[];
}

export interface NoteLine {
  readonly kind: 'note';
  readonly id: string;
  readonly description: string;
}

export interface DiscountLine {
  readonly kind: 'discount';
  readonly percent: Decimal | null;
  readonly amount: Decimal;
  readonly account: Account;
}

/** What delivery costs: a line of an item that is none. */
export interface ShippingLine {
  readonly kind: 'shipping';
  readonly amount: Decimal;
}

export type Line = ItemLine | AccountLine | GroupLine | NoteLine | DiscountLine | ShippingLine;

/** What a tax came to on a document. */
export interface TaxSum {
  readonly rate: TaxRate;
  readonly taxed: Decimal;
  readonly amount: Decimal;
}

/** How amounts were entered, which only companies outside the United States are asked. */
export type TaxMode = 'TaxExcluded' | 'TaxInclusive' | 'NotApplicable';

export type TradeEntity =
  | 'Invoice'
  | 'SalesReceipt'
  | 'CreditMemo'
  | 'RefundReceipt'
  | 'Bill'
  | 'VendorCredit'
  | 'PurchaseOrder'
  | 'Purchase';

/** What customers get. */
export const SALES: readonly TradeEntity[] = ['Invoice', 'SalesReceipt', 'CreditMemo', 'RefundReceipt'];

/** A transaction that another one names. */
export interface Link {
  readonly type: string;
  readonly id: string;
}

export interface TradeDocument extends Kept {
  readonly entity: TradeEntity;
  number: string | null;
  readonly contact: Contact | null;
  readonly date: string;
  readonly dueDate: string | null;
  readonly currency: Currency;
  lines: readonly Line[];
  tax: readonly TaxSum[];
  readonly taxMode: TaxMode | null;
  /** Of the document as a whole. */
  readonly taxCode: TaxCode | null;
  readonly department: Dimension | null;
  /** What the customer reads, and what only the company does. */
  readonly message: string | null;
  note: string | null;
  /** Paid on it, or of a credit what was used of it. */
  settled: Decimal;
  readonly links: Link[];
  isVoid: boolean;
  isClosed: boolean;
  readonly shipTo: PostalAddress | null;
  /** Of a purchase. */
  readonly payment: {
    readonly type: 'Cash' | 'Check' | 'CreditCard';
    readonly account: Account;
    readonly isRefund: boolean;
  } | null;
  /** Of a sale that was paid, or a refund that was paid out, when it was made. */
  readonly receipt: {
    readonly account: Account;
    readonly method: Named | null;
    readonly reference: string | null;
  } | null;
}

export interface Applied {
  readonly type: 'Invoice' | 'CreditMemo' | 'Bill' | 'VendorCredit' | 'JournalEntry';
  readonly id: string;
  readonly amount: Decimal;
}

/** A customer's payment, or one of bills. */
export interface Payment extends Kept {
  readonly entity: 'Payment' | 'BillPayment';
  readonly contact: Contact;
  readonly date: string;
  readonly currency: Currency;
  total: Decimal;
  applied: readonly Applied[];
  /** Unknown of a payment that only applies a credit. */
  readonly account: Account | null;
  readonly payType: 'Check' | 'CreditCard' | null;
  number: string | null;
  note: string | null;
}

export interface DepositLine {
  readonly id: string;
  readonly account: Account;
  readonly contact: Contact | null;
  readonly amount: Decimal;
  readonly description: string | null;
}

export interface Deposit extends Kept {
  readonly account: Account;
  readonly date: string;
  readonly currency: Currency;
  readonly lines: readonly DepositLine[];
  /** Payments that it brings to the bank. */
  readonly payments: readonly { readonly id: string; readonly amount: Decimal }[];
  note: string | null;
}

export interface Transfer extends Kept {
  readonly from: Account;
  readonly to: Account;
  readonly date: string;
  readonly amount: Decimal;
  note: string | null;
}

/** What is paid off a credit card, in the home currency. */
export interface CardPayment extends Kept {
  readonly bank: Account;
  readonly card: Account;
  readonly vendor: Contact | null;
  readonly date: string;
  readonly amount: Decimal;
  note: string | null;
}

export interface JournalLine {
  readonly id: string;
  readonly side: 'Debit' | 'Credit';
  readonly account: Account;
  readonly amount: Decimal;
  readonly description: string | null;
  readonly contact: Contact | null;
  readonly class: Dimension | null;
  readonly department: Dimension | null;
}

export interface JournalEntry extends Kept {
  number: string | null;
  readonly date: string;
  readonly currency: Currency;
  note: string | null;
  readonly isAdjustment: boolean;
  readonly lines: readonly JournalLine[];
}

export interface Attachable extends Kept {
  /** Null for a note that is no file. */
  fileName: string | null;
  readonly contentType: string | null;
  readonly content: string;
  readonly text: string | null;
  readonly refs: readonly { readonly type: string; readonly id: string }[];
}

/** The company itself. */
export interface CompanyInfo extends Kept {
  name: string;
  readonly legalName: string;
  readonly employerId: string;
  /** From January as 1. */
  readonly firstMonth: number;
  readonly address: PostalAddress;
}
