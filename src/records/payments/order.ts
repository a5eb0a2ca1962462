import type { PaymentOrderModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { decimalNumber, graphqlOnly, oneOf, text, timestamp } from '../fields.js';
import { coded, many } from '../relations.js';
import { PAYMENT_ORDER_STATUSES } from '../value-sets.js';

/** Reference G4, payments orders. */
export const paymentOrder = defineRecord<PaymentOrderModel>()({
  model: 'PaymentOrder',
  table: 'payment_orders',
  list: 'paymentOrders',
  path: 'payments/orders',
  dataModel: 'PAYMENT_ORDERS',
  category: 'PAYMENTS',
  fields: {
    reference: text('reference'),
    amount: decimalNumber('amount'),
    amountDue: decimalNumber('amount_due'),
    status: oneOf('status', PAYMENT_ORDER_STATUSES),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    createdAt: timestamp('created_at'),
  },
  relations: {
    currency: coded('Currency', 'code', 'currencyCode'),
    payments: many('payments', 'Payment', 'orderId'),
  },
  rest: { expand: [] },
});
