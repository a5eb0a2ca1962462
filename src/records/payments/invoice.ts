import type { PaymentInvoiceModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { date, decimalNumber, graphqlOnly, text } from '../fields.js';
import { coded, lines, one } from '../relations.js';

/** Reference G4, payments invoices. */
export const paymentInvoice = defineRecord<PaymentInvoiceModel>()({
  model: 'PaymentInvoice',
  table: 'payment_invoices',
  list: 'paymentInvoices',
  path: 'payments/invoices',
  dataModel: 'PAYMENT_INVOICES',
  category: 'PAYMENTS',
  fields: {
    contactId: text('contact_id'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    documentNumber: text('document_number'),
    postedDate: date('posted_date'),
    dueDate: date('due_date'),
    status: text('status'),
    subTotal: decimalNumber('sub_total'),
    taxAmount: decimalNumber('tax_amount'),
    totalDiscount: decimalNumber('total_discount'),
    totalAmount: decimalNumber('total_amount'),
    amountDue: decimalNumber('amount_due'),
  },
  relations: {
    currency: coded('Currency', 'code', 'currencyCode'),
    customer: one('customer', 'PaymentCustomer', 'contactId'),
    lineItems: lines('line_items', 'PaymentLineItem'),
  },
  rest: { always: { lineItems: '[]' }, expand: ['customer'] },
});
