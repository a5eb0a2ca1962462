import { type ecommerceLineItem, type ecommerceOrder } from '../../../../records/index.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedLine, type UnifiedRecord } from '../../../pull.js';
import { decimalOf, objectOf, objectsIn, textOf, textsIn } from '../../../values/platform-values.js';
import { instantOf } from '../../../values/times.js';
import { numberOf } from '../../../values/gid.js';
import { gidOf } from '../gid.js';
import { amountOf, totalOf } from './money.js';
import { wordOf } from './words.js';

export function toOrder(object: PlatformObject): UnifiedRecord<typeof ecommerceOrder> {
  const ids = gidOf(object);
  const currency = textOf(object['currency']);
  return {
    ...ids,
    values: {
      currencyId: currency,
      currencyCode: currency,
      customerId: numberOf(objectOf(object['customer'])?.['id']),
      reference: textOf(object['checkout_reference']),
      orderName: textOf(object['name']),
      orderNumber: decimalOf(object['order_number']),
      description: textOf(object['note']),
      orderStatus: orderStatus(object),
      paymentStatus: wordOf(object['financial_status']),
      subTotal: amountOf(object['subtotal_price_set']),
      taxAmount: amountOf(object['total_tax_set']),
      totalDiscount: amountOf(object['total_discounts_set']),
      totalAmount: amountOf(object['total_price_set']),
      amountDue: amountOf(object['total_outstanding_set']),
      createdAt: instantOf(object['created_at']),
      updatedAt: instantOf(object['updated_at']),
    },
    lines: { lineItems: objectsIn(object['line_items']).map((line) => toLine(line, ids.platformId)) },
  };
}

/** Shop has no word for an open order: it is open until it is cancelled or has a fulfillment status. */
function orderStatus(object: PlatformObject): string {
  if (textOf(object['cancelled_at']) !== null) return 'CANCELLED';
  return wordOf(object['fulfillment_status']) ?? 'OPEN';
}

function toLine(line: PlatformObject, orderId: string): UnifiedLine<typeof ecommerceLineItem> {
  const taxes = textsIn(objectsIn(line['tax_lines']).map((tax) => tax['code']));
  return {
    platformId: numberOf(line['id']),
    values: {
      lineItemType: 'ECOMMERCE_ORDERS',
      lineItemTypeId: orderId,
      itemId: numberOf(line['product_id']),
      // Our lines have a single tax; with several, none of them can represent the rest.
      taxId: taxes.length === 1 ? (taxes[0] ?? null) : null,
      description: textOf(line['title']),
      quantity: decimalOf(line['quantity']),
      unitAmount: amountOf(line['price_set']),
      subTotal: amountOf(line['subtotal_set']),
      totalDiscount: amountOf(line['total_discount_set']),
      taxAmount: totalOf(line['tax_lines'], 'price_set'),
      totalAmount: amountOf(line['total_set']),
    },
  };
}
