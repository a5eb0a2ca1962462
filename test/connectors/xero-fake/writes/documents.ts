import { Decimal } from 'decimal.js';

import { type DocumentType, type TradeDocument } from '../domain.js';
import { contactOf, currencyOf } from './find.js';
import { dayIn, listIn, numberIn, textIn } from './input.js';
import { linesOf } from './lines.js';
import { type Write } from './write.js';

/** How numbers of a list's objects are called, and what is said of one that is taken. */
const NUMBERS: Readonly<Record<DocumentType, readonly [name: string, taken: string | null]>> = {
  ACCREC: ['InvoiceNumber', 'Invoice # must be unique.'],
  // Suppliers number as they like.
  ACCPAY: ['InvoiceNumber', null],
  ACCRECCREDIT: ['CreditNoteNumber', 'Credit note number must be unique.'],
  ACCPAYCREDIT: ['CreditNoteNumber', null],
  PURCHASEORDER: ['PurchaseOrderNumber', 'Order number must be unique'],
};
const TODAY = '2026-03-01';
const STATES = ['DRAFT', 'SUBMITTED', 'AUTHORISED'];

/** `types` are those of the list. */
export function createDocument(write: Write, types: readonly DocumentType[]): TradeDocument | null {
  const { organisation, body, complaints, kept } = write;
  const type = types.length === 1 ? types[0] : types.find((one) => one === textIn(body, 'Type'));
  if (!type) {
    complaints.add('Type must be specified');
    return null;
  }
  const contact = contactOf(organisation, body, complaints);
  const lines = listIn(body, 'LineItems') ?? [];
  if (lines.length === 0) complaints.add('One or more line items must be specified');
  const [first] = organisation.currencies;
  if (!contact || !first) return null;
  const status = textIn(body, 'Status') ?? 'DRAFT';
  if (!STATES.includes(status)) complaints.add(`Status ${status} is not valid for a new document`);
  const nothing = new Decimal(0);
  const empty: TradeDocument = {
    ...kept(status),
    type,
    number: `${type}-${organisation.documents.length}`,
    reference: '',
    contact,
    date: TODAY,
    dueDate: null,
    deliveryAddress: null,
    currency: first,
    amountTypes: 'Exclusive',
    lines: [],
    paid: nothing,
    credited: nothing,
    allocations: [],
    attachments: [],
  };
  const document = documentOf(write, empty);
  if (!complaints.isEmpty) return null;
  organisation.documents.push(document);
  return document;
}

export function updateDocument(write: Write, document: TradeDocument): TradeDocument | null {
  const { body, complaints, organisation } = write;
  const type = textIn(body, 'Type');
  if (type !== undefined && type !== document.type) complaints.add('Invoice type cannot be changed');
  if (document.status === 'VOIDED' || document.status === 'DELETED' || document.status === 'PAID') {
    complaints.add('Invoice not of valid status for modification');
  }
  if (!document.paid.isZero() || !document.credited.isZero()) {
    complaints.add('This document cannot be edited as it has a payment or credit note allocated to it.');
  }
  const contact =
    body['Contact'] === undefined ? document.contact : contactOf(organisation, body, complaints);
  const status = textIn(body, 'Status') ?? document.status;
  const isApproved = document.status === 'AUTHORISED';
  if (status === 'VOIDED' && !isApproved) complaints.add('Invoice not of valid status for modification');
  if (status === 'DELETED' && isApproved) complaints.add('Invoice not of valid status for modification');
  const changed = documentOf(write, { ...document, contact: contact ?? document.contact, status });
  if (!complaints.isEmpty) return null;
  return Object.assign(document, changed, { updatedAt: write.kept('').updatedAt });
}

function documentOf(write: Write, before: TradeDocument): TradeDocument {
  const { organisation, body, complaints } = write;
  const [numberName, taken] = NUMBERS[before.type];
  const number = textIn(body, numberName) ?? before.number;
  const isTaken = organisation.documents.some(
    (one) => one.type === before.type && one.number === number && one.id !== before.id,
  );
  if (taken !== null && isTaken) complaints.add(taken);
  const hasReference = before.type !== 'ACCPAY' && before.type !== 'ACCPAYCREDIT';
  const dueName = before.type === 'PURCHASEORDER' ? 'DeliveryDate' : 'DueDate';
  const date = dayIn(body, 'Date') ?? before.date;
  if (date < '2020-01-01') {
    complaints.add(
      'The document date cannot be before the period lock date, currently set to 31 December 2019',
    );
  }
  const amountTypes =
    (textIn(body, 'LineAmountTypes') as TradeDocument['amountTypes'] | undefined) ?? before.amountTypes;
  const inputs = listIn(body, 'LineItems');
  const options = {
    amountTypes,
    isSale: before.type === 'ACCREC' || before.type === 'ACCRECCREDIT',
    hasDiscounts: before.type === 'ACCREC',
  };
  return {
    ...before,
    number,
    reference: (hasReference ? textIn(body, 'Reference') : undefined) ?? before.reference,
    date,
    dueDate: dayIn(body, dueName) ?? before.dueDate,
    currency: currencyOf(organisation, body, complaints) ?? before.currency,
    rate: numberIn(body, 'CurrencyRate') ?? before.rate ?? null,
    amountTypes,
    lines: inputs ? linesOf(write, inputs, options) : before.lines,
  };
}
