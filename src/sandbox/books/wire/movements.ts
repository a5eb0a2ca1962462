import type { UnifiedLine, UnifiedRecord } from '../../../connectors/pull.js';
import type {
  bankTransaction,
  billPayment,
  document,
  invoicePayment,
  journalEntry,
  journalLine,
} from '../../../records/index.js';
import type { BooksObject, JournalLine, JournalSource } from '../objects.js';
import { POSTED_PREFIX } from '../../world/accounting/general-ledger.js';
import { moneyOf, toBooksDay } from '../values.js';
import { idAndTimes } from './object-parts.js';
import type { BooksNames } from './names.js';
import {
  JOURNAL_NATURES,
  LEDGER_NATURES,
  MOVEMENT_KINDS,
  MOVEMENT_NATURES,
  MOVEMENT_STATES,
  PAYMENT_MEANS,
  word,
} from './words.js';

const optionalGuid = (names: BooksNames, id: string | null | undefined): string | null =>
  id == null ? null : names.guid(id);

export function toCustomerReceipt(record: UnifiedRecord, names: BooksNames): BooksObject {
  const { values } = record as UnifiedRecord<typeof invoicePayment>;
  return settlementOf(record, names, {
    numbers: { Number: values.documentNumber, ReceiptNo: values.paymentId },
    document: { Invoice: optionalGuid(names, values.invoiceId) },
  });
}

export function toSupplierPayment(record: UnifiedRecord, names: BooksNames): BooksObject {
  const { values } = record as UnifiedRecord<typeof billPayment>;
  return settlementOf(record, names, {
    numbers: { Number: values.documentNumber, RemittanceNo: values.paymentId },
    document: { Bill: optionalGuid(names, values.billId) },
  });
}

function settlementOf(
  record: UnifiedRecord,
  names: BooksNames,
  { numbers, document }: { readonly numbers: object; readonly document: object },
): BooksObject {
  const { values } = record as UnifiedRecord<typeof invoicePayment | typeof billPayment>;
  const { Guid, ...times } = idAndTimes(record, names);
  const own = {
    ...numbers,
    Partner: names.partner(values.contactId),
    ...document,
    CreditNote: optionalGuid(names, values.creditNoteId),
    AccountNumber: names.accountNumber(values.accountId),
    Amount: moneyOf(values.amount ?? 0, values.currencyCode ?? ''),
    ExchangeRate: values.currencyRate,
    PaymentMeans: word(PAYMENT_MEANS, values.paymentMode),
    Text: values.memo,
    Date: toBooksDay(values.paymentDate ?? ''),
    State: 'booked',
    Reference: null,
  };
  return { Guid, ...own, ...times };
}

export function toBankMovement(record: UnifiedRecord, names: BooksNames): BooksObject {
  const { values } = record as UnifiedRecord<typeof bankTransaction>;
  const { Guid, ...times } = idAndTimes(record, names);
  const own = {
    Kind: word(MOVEMENT_KINDS, values.type),
    Nature: word(MOVEMENT_NATURES, values.type),
    StatementAccountNumber: names.accountNumber(values.accountId),
    FromAccountNumber: names.accountNumber(values.fromAccountId),
    ToAccountNumber: names.accountNumber(values.toAccountId),
    Partner: names.partner(values.contactId),
    Amount: moneyOf(values.amount ?? 0, values.currencyCode ?? ''),
    ExchangeRate: values.currencyRate,
    Date: toBooksDay(values.transactionDate ?? ''),
    State: word(MOVEMENT_STATES, values.status),
    Text: null,
    Reference: null,
  };
  return { Guid, ...own, ...times };
}

export function toJournal(record: UnifiedRecord, names: BooksNames): BooksObject {
  const { values, lines } = record as UnifiedRecord<typeof journalEntry>;
  const { Guid, ...times } = idAndTimes(record, names);
  const currency = values.currencyCode ?? '';
  const entries = (lines?.['journalLines'] ?? []) as readonly UnifiedLine<typeof journalLine>[];
  const own = {
    Number: values.documentNumber,
    Date: toBooksDay(values.postedDate ?? ''),
    Text: values.description,
    Nature: word({ ...JOURNAL_NATURES, ...LEDGER_NATURES }, values.journalEntryType),
    State: 'posted',
    Currency: currency,
    ExchangeRate: values.currencyRate,
    Total: moneyOf(values.amount ?? 0, currency),
    Lines: entries.map((entry) => toJournalLine(entry, currency, names)),
    Source: sourceOf(record, names),
    Reference: null,
  };
  return { Guid, ...own, ...times };
}

/** The document that an entry was posted for. */
function sourceOf({ platformId }: UnifiedRecord, names: BooksNames): JournalSource | null {
  if (!platformId.startsWith(POSTED_PREFIX)) return null;
  return { Guid: names.guid(platformId.slice(POSTED_PREFIX.length)) };
}

function toJournalLine(
  { platformId, values }: UnifiedLine<typeof journalLine>,
  currency: string,
  names: BooksNames,
): JournalLine {
  const amount = moneyOf(values.netAmount ?? 0, currency);
  return {
    LineGuid: names.guid(platformId ?? ''),
    AccountNumber: names.accountNumber(values.accountId) ?? '',
    Partner: optionalGuid(names, values.contactId),
    Text: values.description ?? null,
    Debit: values.type === 'DEBIT' ? amount : null,
    Credit: values.type === 'CREDIT' ? amount : null,
    InAccountCurrency: null,
    TaxCode: names.taxCode(values.taxId),
    Tax: moneyOf(values.taxAmount ?? 0, currency),
    DimensionOptions: (values.trackingCategoryIds ?? []).map(names.guid),
  };
}

/** The kinds that files are attached to, by the world's data model. */
const ATTACHED_KINDS: Readonly<Record<string, string>> = {
  INVOICES: 'SalesInvoices',
  BILLS: 'PurchaseBills',
  SALES_ORDERS: 'SalesOrders',
  PURCHASE_ORDERS: 'PurchaseOrders',
  INVOICE_CREDIT_NOTES: 'SalesCreditNotes',
  BILL_CREDIT_NOTES: 'SupplierCredits',
  JOURNAL_ENTRIES: 'Journals',
  EXPENSES: 'Expenses',
};

export interface BooksAttachment extends BooksObject {
  readonly FileName: string;
  readonly ContentType: string;
  readonly Size: number;
  readonly Uploaded: boolean;
  readonly AttachedTo: { readonly Kind: string; readonly Guid: string };
}

export function toAttachment(record: UnifiedRecord, names: BooksNames): BooksAttachment {
  const { values } = record as UnifiedRecord<typeof document>;
  const { Guid, ...times } = idAndTimes(record, names);
  return {
    Guid,
    FileName: values.fileName ?? '',
    ContentType: values.fileType ?? '',
    Size: Number(values.fileSize ?? 0),
    Uploaded: values.documentUploaded ?? false,
    AttachedTo: {
      Kind: word(ATTACHED_KINDS, values.documentType),
      Guid: names.guid(values.documentTypeId ?? ''),
    },
    Reference: null,
    ...times,
  };
}
