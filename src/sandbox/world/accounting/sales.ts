import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { invoice, invoiceCreditNote, invoicePayment, salesOrder } from '../../../records/index.js';
import { money } from '../money.js';
import { createAddress } from '../people.js';
import type { Random } from '../random.js';
import { day, instant } from '../time.js';
import { currencyFields, currencyWithoutRate } from './currencies.js';
import { SALES } from './side.js';
import { type DemoPayment, settle, type Settlement } from './settlement.js';
import {
  createTrade,
  type DemoDocument,
  type DemoNote,
  type DemoOrder,
  documentsByOrder,
  type TradeOptions,
} from './trade.js';

/** Sales orders, invoices, credit notes and payments. */
export function createSales(random: Random, options: Omit<TradeOptions, 'side'>) {
  const trade = createTrade(random, { ...options, side: SALES });
  const ofOrder = documentsByOrder(trade.documents);
  const settlement = settle(random, SALES, trade);
  return {
    orders: trade.orders.map((order) =>
      orderRecord(random, order, ofOrder.get(order.platformId) ?? [], settlement),
    ),
    invoices: trade.documents.map((document) => invoiceRecord(document, settlement)),
    creditNotes: trade.notes.map((note) => noteRecord(note, settlement)),
    payments: settlement.payments.map(paymentRecord),
  };
}

function orderRecord(
  random: Random,
  order: DemoOrder,
  invoices: readonly DemoDocument[],
  settlement: Settlement,
): UnifiedRecord<typeof salesOrder> {
  const { platformId, contact, posted } = order;
  const paid = invoices.length > 0 && invoices.every((document) => settlement.status(document) === 'PAID');
  const owner = { dataModel: 'SALES_ORDERS', platformId };
  return {
    platformId,
    values: {
      contactId: contact.platformId,
      ...currencyFields(contact.currency),
      description: `Order of ${contact.record.values.name ?? ''}`,
      documentNumber: order.number,
      postedDate: day(posted),
      deliveryDate: day(posted + random.integer(5, 21)),
      status: order.state === 'PLACED' ? (paid ? 'PAID' : 'SUBMITTED') : order.state,
      ...order.totals,
      invoiceIds: invoices.map((document) => document.platformId),
      updatedAt: instant(posted + 0.1),
    },
    lines: {
      lineItems: order.lines,
      addresses: [
        createAddress(random, owner, contact.city, 'BILLING'),
        createAddress(random, owner, contact.city, 'SHIPPING'),
      ],
    },
  };
}

function invoiceRecord(document: DemoDocument, settlement: Settlement): UnifiedRecord<typeof invoice> {
  return {
    platformId: document.platformId,
    deleted: document.deleted,
    values: {
      contactId: document.contact.platformId,
      ...currencyFields(document.contact.currency),
      documentNumber: document.number,
      postedDate: day(document.posted),
      dueDate: day(document.due),
      memo: document.posted % 5 === 0 ? 'Thank you for your order' : null,
      status: settlement.status(document),
      ...document.totals,
      amountDue: money(settlement.amountLeft(document)),
      salesOrderIds: document.orderId === null ? [] : [document.orderId],
      updatedAt: instant(document.posted + 0.2),
    },
    lines: { lineItems: document.lines },
  };
}

function noteRecord(note: DemoNote, settlement: Settlement): UnifiedRecord<typeof invoiceCreditNote> {
  const { taxAmount, totalAmount } = note.totals;
  const reasons = ['Damaged in transit', 'Returned', 'Price adjustment', 'Goodwill'];
  return {
    platformId: note.platformId,
    values: {
      contactId: note.contact.platformId,
      ...currencyWithoutRate(note.contact.currency),
      documentNumber: note.number,
      invoiceIds: note.use === 'APPLIED' || note.use === 'HALF' ? [note.source.platformId] : [],
      memo: reasons[Math.floor(note.posted) % reasons.length] ?? null,
      postedDate: day(note.posted),
      remainingCredit: money(settlement.amountLeft(note)),
      status: settlement.status(note),
      taxAmount,
      totalAmount,
      updatedAt: instant(note.posted + 0.3),
    },
    lines: { lineItems: note.lines },
  };
}

function paymentRecord(payment: DemoPayment, index: number): UnifiedRecord<typeof invoicePayment> {
  return {
    platformId: payment.platformId,
    values: {
      paymentId: `receipt-${90_100 + index}`,
      invoiceId: payment.documentId,
      creditNoteId: payment.noteId,
      accountId: payment.accountId,
      contactId: payment.contact.platformId,
      ...currencyFields(payment.contact.currency),
      amount: money(payment.amount),
      paymentMode: payment.mode,
      documentNumber: payment.number,
      memo: payment.documentId === null ? 'Refund' : null,
      paymentDate: day(payment.paid),
      updatedAt: instant(payment.paid + index / 200),
    },
  };
}
