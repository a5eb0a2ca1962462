import type { AccountModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { decimalNumber, graphqlOnly, oneOf, text, timestamp } from '../fields.js';
import { many, one } from '../relations.js';
import { ACCOUNT_CATEGORIES } from '../value-sets.js';

/** Reference 2.3, Account. */
export const account = defineRecord<AccountModel>()({
  model: 'Account',
  table: 'accounts',
  list: 'accounts',
  path: 'accounting/accounts',
  dataModel: 'ACCOUNTS',
  category: 'ACCOUNTING',
  fields: {
    name: text('name'),
    description: text('description'),
    nominalCode: text('nominal_code'),
    category: oneOf('category', ACCOUNT_CATEGORIES),
    subCategory: text('sub_category'),
    status: text('status'),
    currentBalance: decimalNumber('current_balance'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    parentAccountId: text('parent_account_id'),
    updatedAt: timestamp('updated_at'),
  },
  relations: {
    currency: one('currency', 'Currency', 'currencyId'),
    parentAccount: one('parent_account', 'Account', 'parentAccountId'),
    childAccounts: many('child_accounts', 'Account', 'parentAccountId'),
    billPayments: many('bill_payments', 'BillPayment', 'accountId'),
    invoicePayments: many('invoice_payments', 'InvoicePayment', 'accountId'),
    bankTransactions: many('bank_transactions', 'BankTransaction', 'accountId'),
  },
  rest: { always: { parentAccount: '{}' }, all: ['currency'] },
});
