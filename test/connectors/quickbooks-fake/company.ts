import {
  type Account,
  type Attachable,
  type CardPayment,
  type CompanyInfo,
  type Contact,
  type Currency,
  type Deposit,
  type Dimension,
  type Item,
  type JournalEntry,
  type Kept,
  type Named,
  type Payment,
  type TaxCode,
  type TaxRate,
  type TradeDocument,
  type TradeEntity,
  type Transfer,
} from './domain.js';

export const REALM_ID = '4620816365000000000';

/** A transaction or file that is no more. */
export interface Removed {
  readonly entity: string;
  readonly id: string;
  readonly at: Date;
}

/** What kinds of objects there are, by their names in queries. */
export interface Shelves {
  readonly CompanyCurrency: Currency[];
  readonly Account: Account[];
  readonly Class: Dimension[];
  readonly Department: Dimension[];
  readonly TaxAgency: Named[];
  readonly TaxRate: TaxRate[];
  readonly TaxCode: TaxCode[];
  readonly Item: Item[];
  readonly Customer: Contact[];
  readonly Vendor: Contact[];
  readonly Employee: Contact[];
  readonly Invoice: TradeDocument[];
  readonly SalesReceipt: TradeDocument[];
  readonly CreditMemo: TradeDocument[];
  readonly RefundReceipt: TradeDocument[];
  readonly Bill: TradeDocument[];
  readonly VendorCredit: TradeDocument[];
  readonly PurchaseOrder: TradeDocument[];
  readonly Purchase: TradeDocument[];
  readonly PaymentMethod: Named[];
  readonly Payment: Payment[];
  readonly BillPayment: Payment[];
  readonly Deposit: Deposit[];
  readonly Transfer: Transfer[];
  readonly CreditCardPayment: CardPayment[];
  readonly JournalEntry: JournalEntry[];
  readonly Attachable: Attachable[];
}

export type EntityName = keyof Shelves;

/** A company at QuickBooks Online, with a clock of its own. */
export class QuickbooksCompany {
  readonly realmId = REALM_ID;
  readonly shelves: Shelves = {
    CompanyCurrency: [],
    Account: [],
    Class: [],
    Department: [],
    TaxAgency: [],
    TaxRate: [],
    TaxCode: [],
    Item: [],
    Customer: [],
    Vendor: [],
    Employee: [],
    Invoice: [],
    SalesReceipt: [],
    CreditMemo: [],
    RefundReceipt: [],
    Bill: [],
    VendorCredit: [],
    PurchaseOrder: [],
    Purchase: [],
    PaymentMethod: [],
    Payment: [],
    BillPayment: [],
    Deposit: [],
    Transfer: [],
    CreditCardPayment: [],
    JournalEntry: [],
    Attachable: [],
  };
  readonly removed: Removed[] = [];
  /** In seconds; it begins with ours, as changes are asked for by days before now. */
  time = Math.ceil(Date.now() / 1000);
  #transactions = 0;

  constructor(
    /** Where it is: taxes are told otherwise outside the United States. */
    readonly edition: 'US' | 'GB',
    readonly info: CompanyInfo,
    readonly home: Currency,
  ) {}

  get now(): Date {
    return new Date(this.time * 1000);
  }

  advance(seconds: number): void {
    this.time += seconds;
  }

  /** All transactions are counted together. */
  nextTransactionId(): string {
    this.#transactions += 1;
    return String(this.#transactions);
  }

  documents(entity: TradeEntity): TradeDocument[] {
    return this.shelves[entity];
  }

  /** Changed now. */
  touch(object: Kept): void {
    object.version += 1;
    object.updatedAt = this.now;
  }

  /** A transaction or file leaves every list; only the list of changes still tells of it. */
  remove(entity: EntityName, id: string): void {
    const shelf: Kept[] = this.shelves[entity];
    const index = shelf.findIndex((one) => one.id === id);
    if (index === -1) throw new Error(`there is no ${entity} ${id}`);
    shelf.splice(index, 1);
    this.removed.push({ entity, id, at: this.now });
  }
}
