import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { bill, billCreditNote, billPayment, purchaseOrder } from '../../../records/index.js';
import { money } from '../money.js';
import { CITIES, createAddress } from '../people.js';
import type { Random } from '../random.js';
import { day, instant } from '../time.js';
import { currencyFields, currencyWithoutRate } from './currencies.js';
import { PURCHASES } from './side.js';
import { type DemoPayment, settle, type Settlement } from './settlement.js';
import {
  createTrade,
  type DemoDocument,
  type DemoNote,
  type DemoOrder,
  documentsByOrder,
  type TradeOptions,
} from './trade.js';

/** Purchase orders, bills, credit notes and payments. */
export function createPurchases(random: Random, options: Omit<TradeOptions, 'side'>) {
  const trade = createTrade(random, { ...options, side: PURCHASES });
  const ofOrder = documentsByOrder(trade.documents);
  const settlement = settle(random, PURCHASES, trade);
  return {
    orders: trade.orders.map((order) =>
      orderRecord(random, order, ofOrder.get(order.platformId) ?? [], settlement),
    ),
    bills: trade.documents.map((document) => billRecord(document, settlement)),
    creditNotes: trade.notes.map((note) => noteRecord(note, settlement)),
    payments: settlement.payments.map(paymentRecord),
  };
}

function orderRecord(
  random: Random,
  order: DemoOrder,
  bills: readonly DemoDocument[],
  settlement: Settlement,
): UnifiedRecord<typeof purchaseOrder> {
  const { platformId, contact, posted } = order;
  const paid = bills.length > 0 && bills.every((document) => settlement.status(document) === 'PAID');
  const owner = { dataModel: 'PURCHASE_ORDERS', platformId };
  return {
    platformId,
    values: {
      contactId: contact.platformId,
      ...currencyFields(contact.currency),
      description: `Order to ${contact.record.values.name ?? ''}`,
      documentNumber: order.number,
      postedDate: day(posted),
      deliveryDate: day(posted + random.integer(5, 21)),
      status: order.state === 'PLACED' ? (paid ? 'PAID' : 'SUBMITTED') : order.state,
      ...order.totals,
      paymentMode: random.pick(['BANK_TRANSFER', 'CREDIT_CARD']),
      billIds: bills.map((document) => document.platformId),
      updatedAt: instant(posted + 0.1),
    },
    lines: {
      lineItems: order.lines,
      addresses: [
        createAddress(random, owner, contact.city, 'BILLING'),
        createAddress(random, owner, CITIES[0], 'SHIPPING'),
      ],
    },
  };
}

function billRecord(document: DemoDocument, settlement: Settlement): UnifiedRecord<typeof bill> {
  return {
    platformId: document.platformId,
    deleted: document.deleted,
    values: {
      contactId: document.contact.platformId,
      ...currencyFields(document.contact.currency),
      documentNumber: document.number,
      postedDate: day(document.posted),
      dueDate: day(document.due),
      memo: document.posted % 5 === 0 ? 'Delivered in parts' : null,
      status: settlement.status(document),
      ...document.totals,
      amountDue: money(settlement.amountLeft(document)),
      purchaseOrderIds: document.orderId === null ? [] : [document.orderId],
      updatedAt: instant(document.posted + 0.2),
    },
    lines: { lineItems: document.lines },
  };
}

function noteRecord(note: DemoNote, settlement: Settlement): UnifiedRecord<typeof billCreditNote> {
  const { taxAmount, totalAmount } = note.totals;
  const reasons = ['Arrived damaged', 'Sent back', 'Billed twice', 'Volume rebate'];
  return {
    platformId: note.platformId,
    values: {
      contactId: note.contact.platformId,
      ...currencyWithoutRate(note.contact.currency),
      documentNumber: note.number,
      billIds: note.use === 'APPLIED' || note.use === 'HALF' ? [note.source.platformId] : [],
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

function paymentRecord(payment: DemoPayment, index: number): UnifiedRecord<typeof billPayment> {
  return {
    platformId: payment.platformId,
    values: {
      paymentId: `remittance-${40_500 + index}`,
      billId: payment.documentId,
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
