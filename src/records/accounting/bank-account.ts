import type { BankAccountModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { decimalNumber, graphqlOnly, text, timestamp } from '../fields.js';
import { GRAPHQL_ONLY, one } from '../relations.js';

/** Reference G4, bank accounts. */
export const bankAccount = defineRecord<BankAccountModel>()({
  model: 'BankAccount',
  table: 'bank_accounts',
  list: 'bankAccounts',
  path: 'accounting/bank_accounts',
  unversionedPath: 'accounting/bank_account',
  dataModel: 'BANK_ACCOUNTS',
  category: 'ACCOUNTING',
  fields: {
    institutionName: text('institution_name'),
    accountName: text('account_name'),
    accountNumber: text('account_number'),
    balance: decimalNumber('balance'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    category: text('category'),
    updatedAt: timestamp('updated_at'),
  },
  relations: {
    currency: one('currency', 'Currency', 'currencyId'),
    // Platforms name both by one id.
    account: one(GRAPHQL_ONLY, 'Account', 'platformId'),
  },
});
