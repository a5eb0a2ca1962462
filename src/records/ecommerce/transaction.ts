import type { EcommerceTransactionModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { decimalText, graphqlOnly, text, timestamp } from '../fields.js';
import { coded, GRAPHQL_ONLY, one } from '../relations.js';

/** Reference 2.3, Ecommerce transaction. */
export const ecommerceTransaction = defineRecord<EcommerceTransactionModel>()({
  model: 'EcommerceTransaction',
  table: 'ecommerce_transactions',
  list: 'ecommerceTransactions',
  path: 'ecommerce/transactions',
  dataModel: 'ECOMMERCE_TRANSACTIONS',
  category: 'ECOMMERCE',
  fields: {
    amount: decimalText('amount'),
    fee: decimalText('fee'),
    type: text('type'),
    paymentMethod: text('payment_method'),
    status: text('status'),
    description: text('description'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    orderId: graphqlOnly(text('order_id')),
    createdAt: timestamp('created_at'),
    updatedAt: timestamp('updated_at'),
  },
  relations: {
    currency: coded('Currency', 'code', 'currencyCode'),
    order: one(GRAPHQL_ONLY, 'EcommerceOrder', 'orderId'),
  },
  rest: { metadata: ['platformUniqueId', 'svcDeletedAt'] },
});
