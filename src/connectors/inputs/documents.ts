import { customFields } from './custom-fields.js';
import { aboveZero, choice, day, rawData, reference, references, text } from './fields.js';
import { lineItems } from './lines.js';

/** Write items of documents with lines: no computed amounts, short lines (Reference G4). */

/** The statuses of invoices, bills, orders and credit notes (Reference G1) that callers may set. */
const DOCUMENT_STATUSES = ['DRAFT', 'SUBMITTED', 'PAID', 'VOID'] as const;

const document = {
  platform_id: text(200),
  contact_id: reference('CONTACTS'),
  document_number: text(100),
  posted_date: day(),
  currency_id: reference('CURRENCIES'),
  currency_rate: aboveZero(),
  line_items: lineItems(),
  custom_fields: customFields(),
  raw_data: rawData(),
};

export const invoiceShape = {
  ...document,
  due_date: day(),
  memo: text(),
  status: choice(DOCUMENT_STATUSES),
  sales_order_ids: references('SALES_ORDERS'),
};

const { sales_order_ids: _salesOrders, ...invoiceOrBill } = invoiceShape;
export const billShape = { ...invoiceOrBill, purchase_order_ids: references('PURCHASE_ORDERS') };

const creditNote = { ...document, memo: text(), status: choice(DOCUMENT_STATUSES) };
export const invoiceCreditNoteShape = { ...creditNote, invoice_ids: references('INVOICES') };
export const billCreditNoteShape = { ...creditNote, bill_ids: references('BILLS') };

const order = {
  ...document,
  description: text(),
  delivery_date: day(),
  status: choice(DOCUMENT_STATUSES),
};
export const salesOrderShape = order;
export const purchaseOrderShape = { ...order, payment_mode: text(100) };

export const expenseShape = {
  ...document,
  account_id: reference('ACCOUNTS'),
  payment_mode: text(100),
  memo: text(),
};
