import type { EcommerceLineItemModel } from '../../db/__generated__/models.js';
import { defineLine } from '../define.js';
import { decimalNumber, oneOf, text } from '../fields.js';
import { GRAPHQL_ONLY, one } from '../relations.js';
import { ECOMMERCE_LINE_ITEM_TYPES } from '../value-sets.js';

/** Reference G3, ecommerce line. */
export const ecommerceLineItem = defineLine<EcommerceLineItemModel>()({
  model: 'EcommerceLineItem',
  table: 'ecommerce_line_items',
  list: 'ecommerceLineItems',
  path: 'ecommerce/line_items',
  dataModel: 'ECOMMERCE_LINE_ITEMS',
  category: 'ECOMMERCE',
  fields: {
    lineItemType: oneOf('line_item_type', ECOMMERCE_LINE_ITEM_TYPES),
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
  },
  relations: { product: one(GRAPHQL_ONLY, 'EcommerceProduct', 'itemId') },
});
