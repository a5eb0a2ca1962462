import { Decimal } from 'decimal.js';
import type { UnifiedRecord } from '../../../connectors/pull.js';
import type {
  bill,
  billCreditNote,
  expense,
  goodsReceiptNote,
  invoice,
  invoiceCreditNote,
  purchaseOrder,
  salesOrder,
} from '../../../records/index.js';
import { BASE_CURRENCY, currencyFields } from '../../world/accounting/currencies.js';
import type { Settlements } from '../../world/accounting/settlements.js';
import { customFieldsOf } from '../custom-fields.js';
import type { BooksDocument, BooksLine, DocumentTotals, Settlement } from '../objects.js';
import { moneyOf, toBooksDay } from '../values.js';
import { addressesOf, idAndTimes, linesOf } from './object-parts.js';
import type { BooksNames } from './names.js';
import { CREDIT_STATES, DOCUMENT_STATES, ORDER_STATES, PAYMENT_MEANS, word } from './words.js';

/** Totals of a document's lines. */
export function totalsOf(lines: readonly BooksLine[], currency: string): DocumentTotals {
  const sum = (part: 'LineTotal' | 'Discount' | 'Tax' | 'Gross') =>
    moneyOf(
      lines.reduce((total, line) => total.plus(line[part].Amount), new Decimal(0)),
      currency,
    );
  return {
    LinesTotal: sum('LineTotal'),
    DiscountTotal: sum('Discount'),
    TaxTotal: sum('Tax'),
    GrandTotal: sum('Gross'),
  };
}

type Paper = UnifiedRecord<typeof invoice | typeof bill | typeof salesOrder | typeof purchaseOrder>;

/** Fields of all documents, in the order of the documentation; `own` goes in the middle. */
function documentOf(
  record: UnifiedRecord,
  names: BooksNames,
  { state, text, own }: { readonly state: string; readonly text: string | null; readonly own: object },
): BooksDocument {
  const { values } = record as Paper;
  const { Guid, ...times } = idAndTimes(record, names);
  const currency = values.currencyCode ?? '';
  const lines = linesOf(record, currency, names);
  return {
    Guid,
    Number: values.documentNumber ?? null,
    Partner: names.partner(values.contactId),
    Currency: currency,
    // Credit notes in the world have no rate.
    ExchangeRate: values.currencyRate ?? currencyFields(currency).currencyRate,
    Date: toBooksDay(values.postedDate ?? ''),
    State: state,
    Text: text,
    ...own,
    Lines: lines,
    ...totalsOf(lines, currency),
    CustomFields: customFieldsOf('Documents', values.documentNumber),
    Reference: null,
    ...times,
  };
}

/** The settlements of a document or credit note. */
function settlementsOf(
  { platformId, values }: UnifiedRecord,
  names: BooksNames,
  settlements: Settlements,
): Settlement[] {
  const { currencyCode } = values as Paper['values'];
  return (settlements.get(platformId) ?? []).map(({ by, amount, inBase }) => ({
    By: names.guid(by),
    Amount: moneyOf(amount, currencyCode ?? BASE_CURRENCY),
    InBase: moneyOf(inBase, BASE_CURRENCY),
  }));
}

export function toSalesInvoice(
  record: UnifiedRecord,
  names: BooksNames,
  settlements: Settlements,
): BooksDocument {
  const { values } = record as UnifiedRecord<typeof invoice>;
  return documentOf(record, names, {
    state: word(DOCUMENT_STATES, values.status),
    text: values.memo ?? null,
    own: {
      DueDate: toBooksDay(values.dueDate ?? ''),
      SalesOrders: (values.salesOrderIds ?? []).map(names.guid),
      Outstanding: moneyOf(values.amountDue ?? 0, values.currencyCode ?? ''),
      Settlements: settlementsOf(record, names, settlements),
    },
  });
}

export function toPurchaseBill(
  record: UnifiedRecord,
  names: BooksNames,
  settlements: Settlements,
): BooksDocument {
  const { values } = record as UnifiedRecord<typeof bill>;
  return documentOf(record, names, {
    state: word(DOCUMENT_STATES, values.status),
    text: values.memo ?? null,
    own: {
      DueDate: toBooksDay(values.dueDate ?? ''),
      PurchaseOrders: (values.purchaseOrderIds ?? []).map(names.guid),
      Outstanding: moneyOf(values.amountDue ?? 0, values.currencyCode ?? ''),
      Settlements: settlementsOf(record, names, settlements),
    },
  });
}

/** The documents that each credit note was applied to, by the note's id in the world. */
export type Applications = ReadonlyMap<
  string,
  readonly { readonly document: string; readonly amount: string }[]
>;

/** A credit note; each amount applied names its document as `name`. */
const creditNote =
  (name: 'Invoice' | 'Bill') =>
  (
    record: UnifiedRecord,
    names: BooksNames,
    { applications, settlements }: { applications: Applications; settlements: Settlements },
  ): BooksDocument => {
    const { values } = record as UnifiedRecord<typeof invoiceCreditNote | typeof billCreditNote>;
    const currency = values.currencyCode ?? '';
    return documentOf(record, names, {
      state: word(CREDIT_STATES, values.status),
      text: values.memo ?? null,
      own: {
        Applied: (applications.get(record.platformId) ?? []).map(({ document, amount }) => ({
          [name]: names.guid(document),
          Amount: moneyOf(amount, currency),
        })),
        Remaining: moneyOf(values.remainingCredit ?? 0, currency),
        Settlements: settlementsOf(record, names, settlements),
      },
    });
  };

export const toSalesCreditNote = creditNote('Invoice');
export const toSupplierCredit = creditNote('Bill');

export function toSalesOrder(record: UnifiedRecord, names: BooksNames): BooksDocument {
  const { values } = record as UnifiedRecord<typeof salesOrder>;
  return documentOf(record, names, {
    state: word(ORDER_STATES, values.status),
    text: values.description ?? null,
    own: {
      DeliveryDate: toBooksDay(values.deliveryDate ?? ''),
      Addresses: addressesOf(record),
      Invoices: (values.invoiceIds ?? []).map(names.guid),
    },
  });
}

export function toPurchaseOrder(record: UnifiedRecord, names: BooksNames): BooksDocument {
  const { values } = record as UnifiedRecord<typeof purchaseOrder>;
  return documentOf(record, names, {
    state: word(ORDER_STATES, values.status),
    text: values.description ?? null,
    own: {
      DeliveryDate: toBooksDay(values.deliveryDate ?? ''),
      Addresses: addressesOf(record),
      PaymentMeans: values.paymentMode == null ? null : word(PAYMENT_MEANS, values.paymentMode),
      Bills: (values.billIds ?? []).map(names.guid),
    },
  });
}

export function toGoodsReceipt(record: UnifiedRecord, names: BooksNames): BooksDocument {
  const { values } = record as UnifiedRecord<typeof goodsReceiptNote>;
  return documentOf(record, names, {
    state: 'received',
    text: values.description ?? null,
    own: {
      DeliveryDate: toBooksDay(values.deliveryDate ?? ''),
      PaymentMeans: values.paymentMode == null ? null : word(PAYMENT_MEANS, values.paymentMode),
      PurchaseOrders: (values.purchaseOrderIds ?? []).map(names.guid),
    },
  });
}

/** All expenses in the worlds are paid. */
export function toExpense(record: UnifiedRecord, names: BooksNames): BooksDocument {
  const { values } = record as UnifiedRecord<typeof expense>;
  return documentOf(record, names, {
    state: 'booked',
    text: values.memo ?? null,
    own: {
      AccountNumber: names.accountNumber(values.accountId),
      PaymentMeans: values.paymentMode == null ? null : word(PAYMENT_MEANS, values.paymentMode),
    },
  });
}
