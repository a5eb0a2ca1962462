import { Decimal } from 'decimal.js';

import { type QuickbooksCompany } from '../company.js';
import { type Applied, type Payment, type TradeDocument } from '../domain.js';
import { balanceOf, sumOf, ZERO } from '../totals.js';
import { dayOf, indexes, kept } from './kept.js';
import { accountNamed } from './settings.js';

/** Every third invoice is paid, some in part; two payments pay several, some apply a credit and some nothing. */
export function makePayments(company: QuickbooksCompany): void {
  const { Invoice, CreditMemo, JournalEntry, PaymentMethod } = company.shelves;
  PaymentMethod.push({ ...kept('1', 0), name: 'Check', active: true });
  PaymentMethod.push({ ...kept('2', 1), name: 'Cash', active: true });
  const open = Invoice.slice(0, 90).filter(({ isVoid }) => !isVoid);
  for (const [index, invoice] of open.entries()) {
    if (index % 3 !== 0) continue;
    const share = index % 2 === 0 ? balanceOf(invoice) : halfOf(invoice);
    const others = index % 12 === 0 ? sameContact(open, invoice) : [];
    const parts = [
      settle(invoice, share),
      ...others.map((one) => settle(one, halfOf(one))),
      ...(index % 15 === 3 ? journalPart(JournalEntry[0]?.id, invoice) : []),
    ];
    // Some pay more than there is to pay.
    const more = index % 15 === 6 ? new Decimal(10) : ZERO;
    const paid = sumOf(parts.map(({ amount }) => amount)).plus(more);
    addPayment(company, invoice, parts, index, paid);
  }
  for (const [index, memo] of CreditMemo.entries()) {
    if (index % 3 !== 0 || memo.isVoid) continue;
    const [invoice] = sameContact(open, memo).filter((one) => balanceOf(one).greaterThan(1));
    if (!invoice) continue;
    const amount = Decimal.min(balanceOf(invoice), balanceOf(memo));
    addPayment(company, memo, [settle(invoice, amount), settle(memo, amount)], 200 + index, ZERO);
  }
  for (const index of indexes(4)) {
    const [invoice] = open.slice(index);
    if (invoice) addPayment(company, invoice, [], 300 + index, new Decimal(`${120 + index}`));
  }
}

function sameContact(open: readonly TradeDocument[], { id, contact }: TradeDocument): TradeDocument[] {
  const alike = open.filter((one) => one.contact === contact && one.id !== id && one.settled.isZero());
  return alike.slice(0, 2);
}

const halfOf = (document: TradeDocument): Decimal =>
  balanceOf(document).dividedBy(2).toDecimalPlaces(document.currency.digits, Decimal.ROUND_DOWN);

function settle(document: TradeDocument, amount: Decimal): Applied {
  document.settled = document.settled.plus(amount);
  return { type: document.entity as Applied['type'], id: document.id, amount };
}

const journalPart = (id: string | undefined, { currency }: TradeDocument): Applied[] =>
  id === undefined || !currency.isHome ? [] : [{ type: 'JournalEntry', id, amount: new Decimal('12.5') }];

function addPayment(
  company: QuickbooksCompany,
  { contact, currency, entity }: TradeDocument,
  applied: readonly Applied[],
  index: number,
  total = sumOf(applied.map(({ amount }) => amount)),
): void {
  if (!contact) throw new Error('nobody pays it');
  const isSale = entity === 'Invoice' || entity === 'CreditMemo';
  const isCard = index % 4 === 1;
  const own: Omit<Payment, 'entity'> = {
    ...kept(company.nextTransactionId(), index),
    contact,
    date: dayOf(index + 10),
    currency,
    total,
    applied,
    account: null,
    payType: null,
    number: index % 2 === 0 ? `${2000 + index}` : null,
    note: index % 5 === 0 ? `Paid no. ${index}` : null,
  };
  if (isSale) {
    const account = total.isZero() ? null : accountNamed(company, isCard ? 'Checking' : 'Undeposited Funds');
    company.shelves.Payment.push({ ...own, entity: 'Payment', account });
  } else {
    const account = accountNamed(company, isCard ? 'Mastercard' : 'Checking');
    const payType = isCard ? 'CreditCard' : 'Check';
    company.shelves.BillPayment.push({ ...own, entity: 'BillPayment', account, payType });
  }
  link(company, applied, isSale ? 'Payment' : isCard ? 'BillPaymentCreditCard' : 'BillPaymentCheck', own.id);
}

/** What is paid names what paid it; credits do not. */
function link({ shelves }: QuickbooksCompany, applied: readonly Applied[], type: string, id: string): void {
  for (const part of applied) {
    if (part.type !== 'Invoice' && part.type !== 'Bill') continue;
    shelves[part.type].find((one) => one.id === part.id)?.links.push({ type, id });
  }
}

/** Of a voided payment nothing is left but the note. */
export function voidPayments({ shelves }: QuickbooksCompany): void {
  for (const name of ['Payment', 'BillPayment'] as const) {
    const index = shelves[name].findIndex(({ applied }) => applied.length === 1);
    const [found] = shelves[name].slice(index);
    if (!found) throw new Error(`there is no ${name}`);
    const { id, ...rest } = found;
    const own = { total: ZERO, applied: [], note: 'Voided' };
    shelves[name].push({ ...rest, id: `${id}000`, ...own });
  }
}

/** Every second bill is paid, one payment pays two, and one applies a credit of the vendor. */
export function makeBillPayments(company: QuickbooksCompany): void {
  const { Bill, VendorCredit } = company.shelves;
  for (const [index, bill] of Bill.entries()) {
    if (index % 2 !== 0) continue;
    const share = index % 4 === 0 ? balanceOf(bill) : halfOf(bill);
    const others = index % 6 === 0 ? sameContact(Bill, bill).slice(0, 1) : [];
    const parts = [settle(bill, share), ...others.map((one) => settle(one, halfOf(one)))];
    const paid = sumOf(parts.map(({ amount }) => amount)).plus(index % 10 === 8 ? 10 : 0);
    addPayment(company, bill, parts, index, paid);
  }
  for (const [index, credit] of VendorCredit.entries()) {
    const bill = Bill.find((one) => one.contact === credit.contact && balanceOf(one).greaterThan(1));
    if (index % 3 !== 0 || !bill) continue;
    const amount = Decimal.min(balanceOf(bill), balanceOf(credit));
    addPayment(company, credit, [settle(bill, amount), settle(credit, amount)], 100 + index, ZERO);
  }
}
