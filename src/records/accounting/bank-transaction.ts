import type { BankTransactionModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { date, decimalNumber, graphqlOnly, text, timestamp, wordOf } from '../fields.js';
import { GRAPHQL_ONLY, one } from '../relations.js';
import { DEBIT_OR_CREDIT } from '../value-sets.js';

/** Reference 2.3, Bank transaction. */
export const bankTransaction = defineRecord<BankTransactionModel>()({
  model: 'BankTransaction',
  table: 'bank_transactions',
  list: 'bankTransactions',
  path: 'accounting/bank_transactions',
  dataModel: 'BANK_TRANSACTIONS',
  category: 'ACCOUNTING',
  fields: {
    accountId: text('account_id'),
    fromAccountId: text('from_account_id'),
    toAccountId: text('to_account_id'),
    contactId: text('contact_id'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    currencyRate: decimalNumber('currency_rate'),
    amount: decimalNumber('amount'),
    debitOrCredit: wordOf('debit_or_credit', DEBIT_OR_CREDIT),
    type: text('type'),
    status: text('status'),
    transactionDate: date('transaction_date'),
    updatedAt: timestamp('updated_at'),
  },
  relations: {
    account: one('account', 'Account', 'accountId'),
    fromAccount: one(GRAPHQL_ONLY, 'Account', 'fromAccountId'),
    toAccount: one(GRAPHQL_ONLY, 'Account', 'toAccountId'),
    fromBankAccount: one('from_account', 'BankAccount', 'fromAccountId'),
    toBankAccount: one('to_account', 'BankAccount', 'toAccountId'),
    currency: one('currency', 'Currency', 'currencyId'),
    contact: one('contact', 'Contact', 'contactId'),
  },
});
