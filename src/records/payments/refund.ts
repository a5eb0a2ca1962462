import type { PaymentRefundModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { decimalNumber, graphqlOnly, oneOf, text, timestamp } from '../fields.js';
import { coded, GRAPHQL_ONLY, one } from '../relations.js';
import { PAYMENT_REFUND_STATUSES } from '../value-sets.js';

/** Reference G4, payments refunds. */
export const paymentRefund = defineRecord<PaymentRefundModel>()({
  model: 'PaymentRefund',
  table: 'payment_refunds',
  list: 'paymentRefunds',
  path: 'payments/refunds',
  dataModel: 'PAYMENT_REFUNDS',
  category: 'PAYMENTS',
  fields: {
    amount: decimalNumber('amount'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    description: text('description'),
    status: oneOf('status', PAYMENT_REFUND_STATUSES),
    paymentId: text('payment_id'),
    createdAt: timestamp('created_at'),
  },
  relations: {
    currency: coded('Currency', 'code', 'currencyCode'),
    payment: one(GRAPHQL_ONLY, 'Payment', 'paymentId'),
  },
});
