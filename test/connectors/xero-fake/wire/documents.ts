import { Decimal } from 'decimal.js';

import { type Attachment, type Currency, type TradeDocument } from '../domain.js';
import { remainderOf, subTotalOf, taxOf, totalDiscountOf, totalOf } from '../totals.js';
import { contactReference } from './contacts.js';
import { lineToWire, type LineView } from './lines.js';
import { day, dayText, instant, number, optional } from './values.js';

export function invoiceToWire(document: TradeDocument, view: LineView): object {
  const discount = totalDiscountOf(document);
  return {
    Type: document.type,
    InvoiceID: document.id,
    InvoiceNumber: document.number,
    Reference: document.reference,
    Payments: [],
    CreditNotes: [],
    Prepayments: [],
    Overpayments: [],
    AmountDue: number(remainderOf(document)),
    AmountPaid: number(document.paid),
    AmountCredited: number(document.credited),
    CurrencyRate: document.rate ? number(document.rate) : rateOf(document.currency),
    IsDiscounted: discount !== null,
    ...(discount && { TotalDiscount: number(discount) }),
    ...commonToWire(document, view),
    ...(document.dueDate !== null && {
      DueDateString: dayText(document.dueDate),
      DueDate: day(document.dueDate),
    }),
  };
}

export function creditNoteToWire(document: TradeDocument, view: LineView): object {
  return {
    CreditNoteID: document.id,
    CreditNoteNumber: document.number,
    ID: document.id,
    Payments: [],
    CurrencyRate: rateOf(document.currency),
    Type: document.type,
    Reference: document.reference,
    RemainingCredit: number(remainderOf(document)),
    Allocations: document.allocations.map((allocation) => ({
      Amount: number(allocation.amount),
      Date: day(document.date),
      Invoice: {
        InvoiceID: allocation.document.id,
        InvoiceNumber: allocation.document.number,
        LineItems: [],
      },
    })),
    ...commonToWire(document, view),
  };
}

export function purchaseOrderToWire(document: TradeDocument, view: LineView): object {
  return {
    PurchaseOrderID: document.id,
    PurchaseOrderNumber: document.number,
    Type: document.type,
    Reference: document.reference,
    CurrencyRate: rateOf(document.currency),
    IsDiscounted: false,
    ...(document.deliveryAddress !== null && { DeliveryAddress: document.deliveryAddress }),
    ...(document.dueDate !== null && {
      DeliveryDateString: dayText(document.dueDate),
      DeliveryDate: day(document.dueDate),
    }),
    ...commonToWire(document, view),
  };
}

function commonToWire(document: TradeDocument, view: LineView): object {
  return {
    HasErrors: false,
    HasAttachments: document.attachments.length > 0,
    Contact: contactReference(document.contact),
    DateString: dayText(document.date),
    Date: day(document.date),
    Status: document.status,
    LineAmountTypes: document.amountTypes,
    LineItems: document.lines.map((line) => lineToWire(line, document, view)),
    SubTotal: number(subTotalOf(document)),
    TotalTax: number(taxOf(document)),
    Total: number(totalOf(document)),
    UpdatedDateUTC: instant(document.updatedAt),
    ...optional('CurrencyCode', document.currency.id),
  };
}

/** How many units of it one of the base currency buys. */
export const rateOf = ({ worth }: Currency): number => number(new Decimal(1).dividedBy(worth));

export function attachmentToWire(attachment: Attachment, parent: string): object {
  return {
    AttachmentID: attachment.id,
    FileName: attachment.fileName,
    Url: `https://api.xero.com/api.xro/2.0/${parent}/Attachments/${encodeURIComponent(attachment.fileName)}`,
    MimeType: attachment.mimeType,
    ContentLength: attachment.size,
  };
}
