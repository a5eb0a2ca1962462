import type { BillPaymentModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { date, decimalText, graphqlOnly, text, timestamp } from '../fields.js';
import { one } from '../relations.js';

/** Reference 2.3, Bill payment. */
export const billPayment = defineRecord<BillPaymentModel>()({
  model: 'BillPayment',
  table: 'bill_payments',
  list: 'billPayments',
  path: 'accounting/bill_payments',
  dataModel: 'BILL_PAYMENTS',
  category: 'ACCOUNTING',
  fields: {
    paymentId: text('payment_id'),
    billId: text('bill_id'),
    creditNoteId: text('credit_note_id'),
    accountId: text('account_id'),
    contactId: text('contact_id'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    currencyRate: decimalText('currency_rate'),
    amount: decimalText('amount'),
    paymentMode: text('payment_mode'),
    documentNumber: text('document_number'),
    memo: text('memo'),
    paymentDate: date('payment_date'),
    updatedAt: timestamp('updated_at'),
  },
  relations: {
    bill: one('bill', 'Bill', 'billId'),
    account: one('account', 'Account', 'accountId'),
    currency: one('currency', 'Currency', 'currencyId'),
    contact: one('contact', 'Contact', 'contactId'),
  },
});
