import { type ecommerceLineItem, type ecommerceOrder } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedLine, type UnifiedRecord } from '../../pull.js';
import { difference, isNegative, isZero, product, sum } from '../../values/decimals.js';
import { numberOf } from '../../values/gid.js';
import { decimalOf, objectOf, objectsIn, textOf } from '../../values/platform-values.js';
import { instantOf } from '../../values/times.js';
import { DISCOUNTED, discountOf, idsOf, MONEY, moneyOf, TAXED, taxOf } from './values.js';

/** Fields read by `toOrder`, besides the lists below. */
export const ORDER_FIELDS = `
  name number note poNumber createdAt cancelledAt closed currencyCode taxesIncluded displayFinancialStatus
  customer { id }
  totalPriceSet ${MONEY} totalTaxSet ${MONEY} totalDiscountsSet ${MONEY} totalOutstandingSet ${MONEY}`;

/** Fields of `lineItems`. */
export const LINE_FIELDS = `id name quantity product { id } originalUnitPriceSet ${MONEY} ${DISCOUNTED} ${TAXED}`;

/** Fields of `shippingLines`. */
export const SHIPPING_FIELDS = `id title originalPriceSet ${MONEY} ${DISCOUNTED} ${TAXED}`;

type Line = UnifiedLine<typeof ecommerceLineItem>;

/** An order as it was placed and edited: what is returned or refunded later changes none of its amounts. */
export function toOrder(order: PlatformObject): UnifiedRecord<typeof ecommerceOrder> {
  const ids = idsOf(order);
  const currency = textOf(order['currencyCode']);
  const totalAmount = moneyOf(order['totalPriceSet']);
  const taxAmount = moneyOf(order['totalTaxSet']);
  const totalDiscount = moneyOf(order['totalDiscountsSet']);
  return {
    ...ids,
    values: {
      currencyId: currency,
      currencyCode: currency,
      customerId: numberOf(objectOf(order['customer'])?.['id']),
      reference: textOf(order['poNumber']),
      orderName: textOf(order['name']),
      orderNumber: decimalOf(order['number']),
      description: textOf(order['note']),
      orderStatus: statusOf(order),
      paymentStatus: textOf(order['displayFinancialStatus']),
      subTotal: difference(sum(totalAmount, totalDiscount), taxAmount),
      taxAmount,
      totalDiscount,
      totalAmount,
      amountDue: dueOf(order),
      createdAt: instantOf(order['createdAt']),
      updatedAt: instantOf(order['updatedAt']),
    },
    lines: { lineItems: linesOf(order, ids.platformId, totalAmount) },
  };
}

function statusOf(order: PlatformObject): string {
  if (textOf(order['cancelledAt']) !== null) return 'CANCELLED';
  return order['closed'] === true ? 'CLOSED' : 'OPEN';
}

/** What the shop owes the customer is not due, and on a cancelled order nothing is. */
function dueOf(order: PlatformObject): string | null {
  const outstanding = moneyOf(order['totalOutstandingSet']);
  return textOf(order['cancelledAt']) !== null || isNegative(outstanding) ? '0' : outstanding;
}

/**
 * The products and the shipping, and one line for what else the total consists of, such as duties and tips: together
 * they are the order's total.
 */
function linesOf(order: PlatformObject, orderId: string, total: string | null): readonly Line[] {
  const common = { lineItemType: 'ECOMMERCE_ORDERS', lineItemTypeId: orderId } as const;
  const isTaxed = order['taxesIncluded'] === true;
  const bought = nodesOf(order['lineItems']).map((line): Line => {
    const quantity = decimalOf(line['quantity']);
    const unitAmount = moneyOf(line['originalUnitPriceSet']);
    return {
      platformId: numberOf(line['id']),
      values: {
        ...common,
        itemId: numberOf(objectOf(line['product'])?.['id']),
        description: textOf(line['name']),
        quantity,
        unitAmount,
        ...priced(line, product(unitAmount, quantity), isTaxed),
      },
    };
  });
  const shipped = nodesOf(order['shippingLines']).map((line, index): Line => {
    const price = moneyOf(line['originalPriceSet']);
    return {
      platformId: `shipping:${numberOf(line['id']) ?? `${orderId}:${index}`}`,
      values: {
        ...common,
        description: textOf(line['title']),
        quantity: '1',
        unitAmount: price,
        ...priced(line, price, isTaxed),
      },
    };
  });
  const lines = [...bought, ...shipped];
  const rest = difference(
    total,
    lines.reduce<string | null>((all, { values }) => sum(all, values.totalAmount ?? null), '0'),
  );
  if (rest === null || isZero(rest)) return lines;
  const other = { unitAmount: rest, subTotal: rest, totalDiscount: '0', taxAmount: '0', totalAmount: rest };
  const description = 'Duties, tips, fees and changes';
  return [
    ...lines,
    { platformId: `rest:${orderId}`, values: { ...common, description, quantity: '1', ...other } },
  ];
}

/** The amounts of a line whose price is `gross`, in which tax is included or not. */
function priced(line: PlatformObject, gross: string | null, isTaxed: boolean) {
  const [taxAmount, totalDiscount] = [taxOf(line), discountOf(line)];
  const subTotal = isTaxed ? difference(gross, taxAmount) : gross;
  const totalAmount = sum(difference(subTotal, totalDiscount), taxAmount);
  return { subTotal, totalDiscount, taxAmount, totalAmount };
}

const nodesOf = (connection: unknown): readonly PlatformObject[] =>
  objectsIn(objectOf(connection)?.['nodes']);
