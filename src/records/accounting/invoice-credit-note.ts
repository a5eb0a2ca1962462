import type { InvoiceCreditNoteModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { date, decimalNumber, graphqlOnly, text, textList, timestamp, wordOf } from '../fields.js';
import { lines, many, one, referenced } from '../relations.js';
import { VOUCHER_STATUSES } from '../value-sets.js';

/** Reference 2.3, Invoice credit note. */
export const invoiceCreditNote = defineRecord<InvoiceCreditNoteModel>()({
  model: 'InvoiceCreditNote',
  table: 'invoice_credit_notes',
  list: 'invoiceCreditNotes',
  path: 'accounting/invoice_credit_notes',
  dataModel: 'INVOICE_CREDIT_NOTES',
  category: 'ACCOUNTING',
  fields: {
    contactId: text('contact_id'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    documentNumber: text('document_number'),
    invoiceIds: textList('invoice_ids'),
    memo: text('memo'),
    postedDate: date('posted_date'),
    remainingCredit: decimalNumber('remaining_credit'),
    status: wordOf('status', VOUCHER_STATUSES),
    taxAmount: decimalNumber('tax_amount'),
    totalAmount: decimalNumber('total_amount'),
    updatedAt: timestamp('updated_at'),
  },
  relations: {
    currency: one('currency', 'Currency', 'currencyId'),
    lineItems: lines('line_items', 'LineItem'),
    contact: one('contact', 'Contact', 'contactId'),
    invoices: referenced('invoices', 'Invoice', 'invoiceIds'),
    payments: many('payments', 'InvoicePayment', 'creditNoteId'),
  },
  rest: { all: ['currency', 'lineItems'] },
});
