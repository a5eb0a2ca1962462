import type { BillCreditNoteModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { date, decimalNumber, graphqlOnly, text, textList, timestamp, wordOf } from '../fields.js';
import { lines, many, one, referenced } from '../relations.js';
import { VOUCHER_STATUSES } from '../value-sets.js';

/** Reference G4, bill credit notes. */
export const billCreditNote = defineRecord<BillCreditNoteModel>()({
  model: 'BillCreditNote',
  table: 'bill_credit_notes',
  list: 'billCreditNotes',
  path: 'accounting/bill_credit_notes',
  dataModel: 'BILL_CREDIT_NOTES',
  category: 'ACCOUNTING',
  fields: {
    contactId: text('contact_id'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    documentNumber: text('document_number'),
    billIds: textList('bill_ids'),
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
    payments: many('payments', 'BillPayment', 'creditNoteId'),
    bills: referenced('bills', 'Bill', 'billIds'),
  },
});
