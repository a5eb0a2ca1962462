import { type Decimal } from 'decimal.js';

import { type Account, type Payment, type TradeDocument } from '../domain.js';
import { remainderOf } from '../totals.js';
import { dayOf, guidOf, kept, nth } from './kept.js';

const PAYMENT_TYPES = {
  ACCREC: 'ACCRECPAYMENT',
  ACCPAY: 'ACCPAYPAYMENT',
  ACCRECCREDIT: 'ARCREDITPAYMENT',
  ACCPAYCREDIT: 'APCREDITPAYMENT',
} as const;

/** Pays what is said to be paid, a part of some other documents, and sets credit off against invoices and bills. */
export function settle(documents: readonly TradeDocument[], accounts: readonly Account[]): Payment[] {
  setOff(documents, 'ACCRECCREDIT', 'ACCREC');
  setOff(documents, 'ACCPAYCREDIT', 'ACCPAY');
  const banks = accounts.filter(({ type }) => type === 'BANK');
  const payments: Payment[] = [];
  const pay = (document: TradeDocument, amount: Decimal, status = 'AUTHORISED') => {
    if (document.type === 'PURCHASEORDER' || !amount.isPositive() || amount.isZero()) return;
    const index = payments.length;
    if (status === 'AUTHORISED') document.paid = document.paid.plus(amount);
    payments.push({
      ...kept(guidOf(`payment ${index}`), index, status),
      type: PAYMENT_TYPES[document.type],
      document,
      account: nth(banks, index),
      date: dayOf(index + 30),
      amount,
      reference: index % 4 === 0 ? '' : `Payment ${index}`,
    });
  };
  for (const [index, document] of documents.entries()) {
    const due = remainderOf(document);
    if (document.status === 'PAID' && index % 4 === 0) {
      const half = due.dividedBy(2).toDecimalPlaces(2);
      pay(document, half);
      pay(document, due.minus(half));
    } else if (document.status === 'PAID') {
      pay(document, due);
    } else if (document.status === 'AUTHORISED' && index % 3 === 0) {
      pay(document, due.dividedBy(4).toDecimalPlaces(2));
    } else if (document.status === 'AUTHORISED' && index % 3 === 1) {
      pay(document, due, 'DELETED');
    }
  }
  return payments;
}

/** Half of each third credit note goes to two open documents of the same currency. */
function setOff(
  documents: readonly TradeDocument[],
  creditType: TradeDocument['type'],
  type: TradeDocument['type'],
): void {
  const isOpen = (document: TradeDocument) => document.status === 'AUTHORISED';
  const open = documents.filter((document) => document.type === type && isOpen(document));
  for (const [index, note] of documents.filter((one) => one.type === creditType && isOpen(one)).entries()) {
    if (index % 3 !== 0) continue;
    const share = remainderOf(note).dividedBy(4).toDecimalPlaces(2);
    const targets = open.filter(
      (one) => one.currency === note.currency && remainderOf(one).greaterThan(share),
    );
    for (const document of targets.slice(index, index + 2)) {
      note.allocations.push({ document, amount: share });
      note.credited = note.credited.plus(share);
      document.credited = document.credited.plus(share);
    }
  }
}
