import type { PaymentDisputeModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { decimalText, graphqlOnly, oneOf, text, timestamp } from '../fields.js';
import { coded, GRAPHQL_ONLY, one } from '../relations.js';
import { PAYMENT_DISPUTE_STATUSES } from '../value-sets.js';

/** Reference G4, payments disputes. */
export const paymentDispute = defineRecord<PaymentDisputeModel>()({
  model: 'PaymentDispute',
  table: 'payment_disputes',
  list: 'paymentDisputes',
  path: 'payments/disputes',
  dataModel: 'PAYMENT_DISPUTES',
  category: 'PAYMENTS',
  fields: {
    amount: decimalText('amount'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    reasonCode: text('reason_code'),
    reasonDescription: text('reason_description'),
    status: oneOf('status', PAYMENT_DISPUTE_STATUSES),
    paymentId: text('payment_id'),
    createdAt: timestamp('created_at'),
  },
  relations: {
    currency: coded('Currency', 'code', 'currencyCode'),
    payment: one(GRAPHQL_ONLY, 'Payment', 'paymentId'),
  },
});
