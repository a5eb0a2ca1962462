import type { CustomField } from './custom-fields.js';
import type { Money } from './values.js';

/** Fields of every Books object. */
export interface BooksObject {
  readonly Guid: string;
  readonly CreatedOn: string;
  readonly ChangedOn: string;
  readonly Reference?: string | null;
}

export interface PartnerReference {
  readonly Guid: string;
  readonly Title: string;
}

/** A line of a document. */
export interface BooksLine {
  readonly LineGuid: string;
  readonly ProductSku: string | null;
  readonly AccountNumber: string | null;
  readonly TaxCode: string | null;
  /** The GUID of a project. */
  readonly Project: string | null;
  readonly Text: string | null;
  readonly Quantity: string;
  readonly UnitPrice: Money;
  readonly LineTotal: Money;
  readonly Discount: Money;
  readonly Tax: Money;
  readonly Gross: Money;
  readonly DimensionOptions: readonly string[];
}

export interface DocumentTotals {
  readonly LinesTotal: Money;
  readonly DiscountTotal: Money;
  readonly TaxTotal: Money;
  readonly GrandTotal: Money;
}

/** The part of an invoice, bill or credit note that one object settles. */
export interface Settlement {
  /** The receipt or payment; if a credit note is applied to a document, each is the other's. */
  readonly By: string;
  readonly Amount: Money;
  /** The amount that this takes off the control account, in the base currency. */
  readonly InBase: Money;
}

/** Invoices, bills, credit notes, orders and expenses. */
export interface BooksDocument extends BooksObject, DocumentTotals {
  readonly Number: string | null;
  readonly Partner: PartnerReference | null;
  readonly Currency: string;
  readonly ExchangeRate: string;
  readonly Date: string;
  readonly State: string;
  readonly Text: string | null;
  readonly Lines: readonly BooksLine[];
  readonly CustomFields?: readonly CustomField[];
  /** Of invoices and bills. */
  readonly Outstanding?: Money;
  /** Of credit notes. */
  readonly Remaining?: Money;
  /**
   * Of invoices, bills and credit notes. Documents stored before settlements existed have none, and no exchange
   * differences.
   */
  readonly Settlements?: readonly Settlement[];
  readonly [field: string]: unknown;
}

/** A line of a journal. */
export interface JournalLine {
  readonly LineGuid: string;
  readonly AccountNumber: string;
  readonly Partner: string | null;
  readonly Text: string | null;
  readonly Debit: Money | null;
  readonly Credit: Money | null;
  /** The same in the currency of an account in a foreign one; null for others. */
  readonly InAccountCurrency?: Money | null;
  readonly TaxCode: string | null;
  readonly Tax: Money;
  readonly DimensionOptions: readonly string[];
}

/** The object that an entry was posted for; a manual journal has none. */
export interface JournalSource {
  readonly Guid: string;
}

/** An entry of the ledger. */
export interface BooksJournal extends BooksObject {
  readonly Number: string | null;
  readonly Date: string;
  readonly Text: string | null;
  readonly Nature: string;
  readonly State: string;
  readonly Currency: string;
  readonly ExchangeRate: string;
  readonly Total: Money;
  readonly Lines: readonly JournalLine[];
  readonly Source: JournalSource | null;
}
