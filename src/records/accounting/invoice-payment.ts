import type { InvoicePaymentModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { date, decimalNumber, decimalText, graphqlOnly, text, timestamp } from '../fields.js';
import { one } from '../relations.js';

/** Reference G4, invoice payments. */
export const invoicePayment = defineRecord<InvoicePaymentModel>()({
  model: 'InvoicePayment',
  table: 'invoice_payments',
  list: 'invoicePayments',
  path: 'accounting/invoice_payments',
  dataModel: 'INVOICE_PAYMENTS',
  category: 'ACCOUNTING',
  fields: {
    paymentId: text('payment_id'),
    invoiceId: text('invoice_id'),
    creditNoteId: text('credit_note_id'),
    accountId: text('account_id'),
    contactId: text('contact_id'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    currencyRate: decimalText('currency_rate'),
    amount: decimalNumber('amount'),
    paymentMode: text('payment_mode'),
    documentNumber: text('document_number'),
    memo: text('memo'),
    paymentDate: date('payment_date'),
    updatedAt: timestamp('updated_at'),
  },
  relations: {
    invoice: one('invoice', 'Invoice', 'invoiceId'),
    account: one('account', 'Account', 'accountId'),
    currency: one('currency', 'Currency', 'currencyId'),
    contact: one('contact', 'Contact', 'contactId'),
  },
});
