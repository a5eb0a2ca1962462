import type { PaymentLineItemModel } from '../../db/__generated__/models.js';
import { defineLine } from '../define.js';
import { decimalNumber, oneOf, text, timestamp } from '../fields.js';
import { GRAPHQL_ONLY, one } from '../relations.js';
import { PAYMENT_LINE_ITEM_TYPES } from '../value-sets.js';

/** Reference 2.3, Payment-link line item. */
export const paymentLineItem = defineLine<PaymentLineItemModel>()({
  model: 'PaymentLineItem',
  table: 'payment_line_items',
  list: 'paymentLineItems',
  path: 'payments/line_items',
  dataModel: 'PAYMENT_LINE_ITEMS',
  category: 'PAYMENTS',
  fields: {
    lineItemType: oneOf('line_item_type', PAYMENT_LINE_ITEM_TYPES),
    lineItemTypeId: text('line_item_type_id'),
    itemId: text('item_id'),
    taxId: text('tax_id'),
    description: text('description'),
    quantity: decimalNumber('quantity'),
    unitAmount: decimalNumber('unit_amount'),
    subTotal: decimalNumber('sub_total'),
    taxAmount: decimalNumber('tax_amount'),
    totalAmount: decimalNumber('total_amount'),
    totalDiscount: decimalNumber('total_discount'),
    updatedAt: timestamp('updated_at'),
  },
  relations: {
    item: one(GRAPHQL_ONLY, 'PaymentItem', 'itemId'),
    taxRate: one(GRAPHQL_ONLY, 'PaymentTaxRate', 'taxId'),
  },
});
