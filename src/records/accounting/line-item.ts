import type { LineItemModel } from '../../db/__generated__/models.js';
import { defineLine } from '../define.js';
import { decimalNumber, graphqlOnly, oneOf, text, textList, timestamp } from '../fields.js';
import { one, referenced } from '../relations.js';
import { LINE_ITEM_TYPES } from '../value-sets.js';

/** Reference 2.3, Order / credit note line item. */
export const lineItem = defineLine<LineItemModel>()({
  model: 'LineItem',
  table: 'line_items',
  list: 'lineItems',
  path: 'accounting/line_items',
  dataModel: 'LINE_ITEMS',
  category: 'ACCOUNTING',
  fields: {
    lineItemType: oneOf('line_item_type', LINE_ITEM_TYPES),
    lineItemTypeId: text('line_item_type_id'),
    accountId: text('account_id'),
    accountCode: graphqlOnly(text('account_code')),
    itemId: text('item_id'),
    itemCode: graphqlOnly(text('item_code')),
    taxId: text('tax_id'),
    projectId: text('project_id'),
    description: text('description'),
    quantity: decimalNumber('quantity'),
    unitAmount: decimalNumber('unit_amount'),
    subTotal: decimalNumber('sub_total'),
    taxAmount: decimalNumber('tax_amount'),
    totalAmount: decimalNumber('total_amount'),
    totalDiscount: decimalNumber('total_discount'),
    trackingCategoryIds: textList('tracking_category_ids'),
    updatedAt: timestamp('updated_at'),
  },
  relations: {
    account: one('account', 'Account', 'accountId'),
    item: one('item', 'Item', 'itemId'),
    taxRate: one('tax', 'TaxRate', 'taxId'),
    project: one('project', 'Project', 'projectId'),
    trackingCategories: referenced('tracking_categories', 'TrackingCategory', 'trackingCategoryIds'),
  },
  rest: { metadata: ['svcId', 'platformId'] },
});
