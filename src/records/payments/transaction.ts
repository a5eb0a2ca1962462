import type { PaymentTransactionModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { decimalText, graphqlOnly, text, timestamp } from '../fields.js';
import { coded, GRAPHQL_ONLY, one } from '../relations.js';

/** Reference G4, payments transactions. */
export const paymentTransaction = defineRecord<PaymentTransactionModel>()({
  model: 'PaymentTransaction',
  table: 'payment_transactions',
  list: 'paymentTransactions',
  path: 'payments/transactions',
  dataModel: 'PAYMENT_TRANSACTIONS',
  category: 'PAYMENTS',
  fields: {
    amount: decimalText('amount'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    type: text('type'),
    description: text('description'),
    status: text('status'),
    source: text('source'),
    payoutId: graphqlOnly(text('payout_id')),
    createdAt: timestamp('created_at'),
  },
  relations: {
    currency: coded('Currency', 'code', 'currencyCode'),
    payout: one(GRAPHQL_ONLY, 'PaymentPayout', 'payoutId'),
  },
});
