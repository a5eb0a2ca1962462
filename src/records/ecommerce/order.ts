import type { EcommerceOrderModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { decimalNumber, graphqlOnly, text, timestamp } from '../fields.js';
import { coded, GRAPHQL_ONLY, lines, many, one } from '../relations.js';

/** Reference G4, ecommerce orders. */
export const ecommerceOrder = defineRecord<EcommerceOrderModel>()({
  model: 'EcommerceOrder',
  table: 'ecommerce_orders',
  list: 'ecommerceOrders',
  path: 'ecommerce/orders',
  dataModel: 'ECOMMERCE_ORDERS',
  category: 'ECOMMERCE',
  fields: {
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    customerId: graphqlOnly(text('customer_id')),
    reference: text('reference'),
    orderName: text('order_name'),
    orderNumber: text('order_number'),
    description: text('description'),
    orderStatus: text('order_status'),
    paymentStatus: text('payment_status'),
    subTotal: decimalNumber('sub_total'),
    taxAmount: decimalNumber('tax_amount'),
    totalDiscount: decimalNumber('total_discount'),
    totalAmount: decimalNumber('total_amount'),
    amountDue: decimalNumber('amount_due'),
    createdAt: timestamp('created_at'),
    updatedAt: timestamp('updated_at'),
  },
  relations: {
    currency: coded('Currency', 'code', 'currencyCode'),
    lineItems: lines('line_items', 'EcommerceLineItem'),
    customer: one(GRAPHQL_ONLY, 'EcommerceCustomer', 'customerId'),
    fulfillments: many('fulfillments', 'EcommerceFulfillment', 'orderId'),
    transactions: many('transactions', 'EcommerceTransaction', 'orderId'),
  },
  rest: { expand: ['lineItems'] },
});
