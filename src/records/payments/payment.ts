import type { PaymentModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { decimalText, graphqlOnly, oneOf, text, timestamp } from '../fields.js';
import { coded, linesOf, many, one } from '../relations.js';
import { PAYMENT_METHODS, PAYMENT_STATUSES } from '../value-sets.js';

/** Reference 2.3, Payment. */
export const payment = defineRecord<PaymentModel>()({
  model: 'Payment',
  table: 'payments',
  list: 'payments',
  path: 'payments/payments',
  dataModel: 'PAYMENT_PAYMENTS',
  category: 'PAYMENTS',
  fields: {
    amount: decimalText('amount'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    customerId: text('customer_id'),
    description: text('description'),
    invoiceId: text('invoice_id'),
    orderId: text('order_id'),
    paymentMethod: oneOf('payment_method', PAYMENT_METHODS),
    status: oneOf('status', PAYMENT_STATUSES),
    createdAt: timestamp('created_at'),
  },
  relations: {
    currency: coded('Currency', 'code', 'currencyCode'),
    customer: one('customer', 'PaymentCustomer', 'customerId'),
    invoice: one('invoice', 'PaymentInvoice', 'invoiceId'),
    order: one('order', 'PaymentOrder', 'orderId'),
    refunds: many('refunds', 'PaymentRefund', 'paymentId'),
    disputes: many('disputes', 'PaymentDispute', 'paymentId'),
    paymentLineItems: linesOf('payment_line_items', 'PaymentLineItem', 'invoice'),
  },
  rest: { expand: ['customer', 'invoice', 'order', 'paymentLineItems'] },
});
