/** Operations allowed on objects of a kind. */
interface KindRules {
  readonly create: boolean;
  readonly update: boolean;
  /** Whether objects can be deleted; of documents, only drafts can. */
  readonly hardDelete: 'yes' | 'drafts' | 'no';
  /** The field that is unique within the kind. */
  readonly number: 'Number' | 'Code' | 'Sku' | null;
  /** Prefix of the numbers that the platform assigns to objects created without one. */
  readonly prefix: string | null;
  /** The state that voids an object; null if it cannot be voided. */
  readonly voided: 'voided' | 'cancelled' | 'closed' | null;
}

const NONE: KindRules = {
  create: false,
  update: false,
  hardDelete: 'no',
  number: null,
  prefix: null,
  voided: null,
};
const WRITABLE: KindRules = { ...NONE, create: true, update: true, number: 'Number' };

export const BOOKS_KINDS = {
  Currencies: { ...NONE, number: 'Code' },
  TaxCodes: { ...WRITABLE, number: 'Code', prefix: 'TAX' },
  Dimensions: { ...WRITABLE, number: null },
  LedgerAccounts: { ...WRITABLE, hardDelete: 'yes', voided: 'closed' },
  Products: { ...WRITABLE, hardDelete: 'yes', number: 'Sku', voided: 'closed' },
  Partners: { ...WRITABLE, hardDelete: 'yes', number: null, voided: 'closed' },
  SalesOrders: { ...WRITABLE, hardDelete: 'yes', prefix: 'SO', voided: 'cancelled' },
  SalesInvoices: { ...WRITABLE, hardDelete: 'drafts', prefix: 'INV', voided: 'voided' },
  SalesCreditNotes: { ...WRITABLE, hardDelete: 'drafts', prefix: 'CN', voided: 'voided' },
  CustomerReceipts: { ...WRITABLE, prefix: 'REC', voided: 'voided' },
  PurchaseOrders: { ...WRITABLE, hardDelete: 'yes', prefix: 'PO', voided: 'cancelled' },
  PurchaseBills: { ...WRITABLE, hardDelete: 'drafts', prefix: 'BILL', voided: 'voided' },
  SupplierCredits: { ...WRITABLE, hardDelete: 'drafts', prefix: 'VCN', voided: 'voided' },
  SupplierPayments: { ...WRITABLE, prefix: 'PAY', voided: 'voided' },
  BankMovements: { ...WRITABLE, hardDelete: 'yes', number: null, voided: 'voided' },
  Journals: { ...WRITABLE, hardDelete: 'yes', prefix: 'JNL', voided: 'voided' },
  Expenses: { ...WRITABLE, hardDelete: 'yes', prefix: 'EXP', voided: 'voided' },
  CompanyDetails: NONE,
  Projects: { ...NONE, number: 'Code' },
  GoodsReceipts: { ...NONE, number: 'Number' },
  Attachments: { ...NONE, hardDelete: 'yes' },
} as const satisfies Readonly<Record<string, KindRules>>;

export type BooksKind = keyof typeof BOOKS_KINDS;

export const isBooksKind = (text: string): text is BooksKind => Object.hasOwn(BOOKS_KINDS, text);

export const rulesOf = (kind: BooksKind): KindRules => BOOKS_KINDS[kind];
