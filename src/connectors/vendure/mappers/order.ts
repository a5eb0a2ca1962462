import { type ecommerceLineItem, type ecommerceOrder } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedLine, type UnifiedRecord } from '../../pull.js';
import { difference, sum, whole } from '../../values/decimals.js';
import { decimalOf, objectOf, objectsIn, textOf } from '../../values/platform-values.js';
import { requiredId } from '../pages.js';
import { PAYMENT_FIELDS, paymentOf } from './payment.js';
import { instantOf } from '../../values/times.js';
import { type Amounts, amountsOf, isOfSeller, stateOf } from './values.js';

/** Fields read by `toOrder`. */
export const ORDER_FIELDS = `
  code type state active orderPlacedAt createdAt currencyCode couponCodes
  customer { id }
  total totalWithTax
  lines {
    id quantity unitPrice linePrice proratedLinePrice proratedLinePriceWithTax
    productVariant { id productId sku name }
    taxLines { description taxRate }
  }
  shippingLines { id price discountedPrice discountedPriceWithTax shippingMethod { code name } }
  surcharges { id description price priceWithTax }
  ${PAYMENT_FIELDS}`;

/**
 * The order, unless it is a seller's part of another one. An order from several sellers also has a part for each, and
 * the default channel lists these parts beside the aggregate order, which has the payments.
 */
export const wholesOf = (order: PlatformObject, isDefault: boolean): readonly PlatformObject[] =>
  isDefault && isOfSeller(order) ? [] : [order];

type Line = UnifiedLine<typeof ecommerceLineItem>;

/** A placed order; null for a cart or a draft. */
export function toOrder(order: PlatformObject): UnifiedRecord<typeof ecommerceOrder> | null {
  const orderPlacedAt = textOf(order['orderPlacedAt']);
  if (orderPlacedAt === null) return null;
  const platformId = requiredId(order);
  const amount = amountsOf(order);
  const currency = textOf(order['currencyCode']);
  const totalAmount = amount(order['totalWithTax']);
  const lineItems = linesOf(order, platformId, amount);
  return {
    platformId,
    values: {
      currencyId: currency,
      currencyCode: currency,
      customerId: textOf(objectOf(order['customer'])?.['id']),
      orderName: textOf(order['code']),
      orderNumber: textOf(order['code']),
      orderStatus: stateOf(order['state']),
      subTotal: totalOf(lineItems, 'subTotal'),
      taxAmount: difference(totalAmount, amount(order['total'])),
      totalDiscount: totalOf(lineItems, 'totalDiscount'),
      totalAmount,
      ...paymentOf(order, amount, totalAmount),
      createdAt: instantOf(orderPlacedAt),
      updatedAt: instantOf(order['updatedAt']),
    },
    lines: { lineItems },
  };
}

/** Products, shipping and surcharges as lines, which add up to the order's total. */
function linesOf(order: PlatformObject, orderId: string, amount: Amounts): readonly Line[] {
  const common = { lineItemType: 'ECOMMERCE_ORDERS', lineItemTypeId: orderId } as const;
  const bought = objectsIn(order['lines']).map((line): Line => {
    const variant = objectOf(line['productVariant']);
    const values = priced({
      gross: amount(line['linePrice']),
      net: amount(line['proratedLinePrice']),
      withTax: amount(line['proratedLinePriceWithTax']),
    });
    return {
      platformId: textOf(line['id']),
      values: {
        ...common,
        itemId: textOf(variant?.['productId']),
        description: textOf(variant?.['name']),
        quantity: decimalOf(line['quantity']),
        unitAmount: amount(line['unitPrice']),
        ...values,
      },
    };
  });
  const shipped = objectsIn(order['shippingLines']).map((line): Line => {
    // The only price that Vendure does not round, which has fractions where prices include tax.
    const gross = amount(whole(decimalOf(line['price'])));
    const description = textOf(objectOf(line['shippingMethod'])?.['name']);
    const values = priced({
      gross,
      net: amount(line['discountedPrice']),
      withTax: amount(line['discountedPriceWithTax']),
    });
    return {
      platformId: `shipping:${requiredId(line)}`,
      values: { ...common, description, quantity: '1', unitAmount: gross, ...values },
    };
  });
  const charged = objectsIn(order['surcharges']).map((line): Line => {
    const gross = amount(line['price']);
    const values = priced({ gross, net: gross, withTax: amount(line['priceWithTax']) });
    const description = textOf(line['description']);
    return {
      platformId: `surcharge:${requiredId(line)}`,
      values: { ...common, description, quantity: '1', unitAmount: gross, ...values },
    };
  });
  return [...bought, ...shipped, ...charged];
}

interface Prices {
  readonly gross: string | null;
  /** After discounts, including those on the whole order. */
  readonly net: string | null;
  readonly withTax: string | null;
}

const priced = ({ gross, net, withTax }: Prices) => ({
  subTotal: gross,
  totalDiscount: difference(gross, net),
  taxAmount: difference(withTax, net),
  totalAmount: withTax,
});

function totalOf(lines: readonly Line[], name: 'subTotal' | 'totalDiscount'): string | null {
  return lines.reduce<string | null>((total, { values }) => sum(total, values[name] ?? null), '0');
}
