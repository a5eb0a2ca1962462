import type { ExpenseModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { date, decimalNumber, graphqlOnly, text, timestamp } from '../fields.js';
import { lines, many, one } from '../relations.js';

/** Reference G4, expenses. */
export const expense = defineRecord<ExpenseModel>()({
  model: 'Expense',
  table: 'expenses',
  list: 'expenses',
  path: 'accounting/expenses',
  dataModel: 'EXPENSES',
  category: 'ACCOUNTING',
  fields: {
    contactId: text('contact_id'),
    accountId: text('account_id'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    currencyRate: decimalNumber('currency_rate'),
    documentNumber: text('document_number'),
    postedDate: date('posted_date'),
    paymentMode: text('payment_mode'),
    memo: text('memo'),
    subTotal: decimalNumber('sub_total'),
    taxAmount: decimalNumber('tax_amount'),
    totalDiscount: decimalNumber('total_discount'),
    totalAmount: decimalNumber('total_amount'),
    updatedAt: timestamp('updated_at'),
  },
  relations: {
    account: one('account', 'Account', 'accountId'),
    contact: one('contact', 'Contact', 'contactId'),
    currency: one('currency', 'Currency', 'currencyId'),
    lineItems: lines('line_items', 'LineItem'),
    documents: many('documents', 'Document', 'documentTypeId', { documentType: 'EXPENSES' }),
  },
});
