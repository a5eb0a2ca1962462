import { Decimal } from 'decimal.js';

import { type UnifiedLine, type UnifiedRecord } from '../../../src/connectors/pull.js';
import { comparable } from '../asked-for.js';
import { type Expected } from '../conformance.js';
import { definitionFor } from '../plain-values.js';
import { type Customer, type Kept, type Line, type Order, type Product, type Variant } from './domain.js';
import { parcelsOf } from './models.js';
import { grossOf, type ShopifyShop, totalOf, totalsOf } from './shop.js';

/** What a connector must make of a shop, told from what it is and not from what is sent of it. */
export function expectedOf(shop: ShopifyShop): Expected {
  const { currency } = shop;
  const money = { currencyId: currency, currencyCode: currency };
  const made: Readonly<Record<string, () => readonly UnifiedRecord[]>> = {
    ECOMMERCE_ORDERS: () => shop.orders.map((order) => expectedOrder(order, money)),
    ECOMMERCE_TRANSACTIONS: () =>
      shop.orders.flatMap((order) =>
        order.transactions.map((one) => ({
          ...ids('OrderTransaction', one),
          values: {
            amount: one.amount,
            fee: totalOf(one.fees).toFixed(),
            type: one.kind,
            paymentMethod: one.isCard ? 'CREDIT_CARD' : one.gateway.toUpperCase(),
            status: one.status === 'SUCCESS' ? 'ACTIVE' : one.status,
            description: one.errorCode,
            ...money,
            orderId: String(order.id),
            createdAt: one.createdAt.toISOString(),
            updatedAt: order.updatedAt.toISOString(),
          },
        })),
      ),
    ECOMMERCE_FULFILLMENTS: () =>
      shop.orders.flatMap((order) =>
        parcelsOf(order).map((one) => ({
          ...ids('Fulfillment', one),
          values: {
            carrierName: one.carrier,
            trackingNumber: one.number,
            trackingLink: one.link,
            deliveryService: order.shipping[0]?.name ?? null,
            orderId: String(order.id),
            ...times(one),
          },
        })),
      ),
    ECOMMERCE_CUSTOMERS: () => shop.customers.map((customer) => expectedCustomer(customer, money)),
    ECOMMERCE_PRODUCTS: () => shop.products.map(expectedProduct),
    ECOMMERCE_INVENTORIES: () => shop.variants.map(expectedInventory),
    ECOMMERCE_COMPANY_INFO: () => [
      {
        ...ids('Shop', { id: 61_000_000_001 }),
        values: {
          name: shop.name,
          website: 'https://harbour.example.com',
          email: 'hello@harbour.example.com',
          ...money,
          createdAt: shop.createdAt.toISOString(),
          updatedAt: shop.updatedAt.toISOString(),
        },
      },
    ],
  };
  return {
    of: (dataModel) => made[dataModel]?.() ?? [],
    comparable: (dataModel, record) => ({
      ...comparable(definitionFor(dataModel), record),
      platformUniqueId: record.platformUniqueId,
    }),
  };
}

const ids = (type: string, { id }: { readonly id: number }) => ({
  platformId: String(id),
  platformUniqueId: `gid://shopify/${type}/${id}`,
});

const times = ({ createdAt, updatedAt }: Pick<Kept, 'createdAt' | 'updatedAt'>) => ({
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

function expectedOrder(order: Order, money: object): UnifiedRecord {
  const { tax, discount, total } = totalsOf(order);
  return {
    ...ids('Order', order),
    values: {
      ...money,
      customerId: order.customer && String(order.customer.id),
      reference: order.poNumber,
      orderName: `#${order.number}`,
      orderNumber: String(order.number),
      description: order.note,
      orderStatus: order.cancelledAt ? 'CANCELLED' : order.isClosed ? 'CLOSED' : 'OPEN',
      paymentStatus: order.status,
      subTotal: total.minus(tax).plus(discount).toFixed(),
      taxAmount: tax.toFixed(),
      totalDiscount: discount.toFixed(),
      totalAmount: total.toFixed(),
      amountDue: order.cancelledAt ? '0' : Decimal.max(order.outstanding, 0).toFixed(),
      ...times(order),
    },
    lines: {
      lineItems: [
        ...order.lines.map((line) => expectedLine(order, line, String(line.id))),
        ...order.shipping.map((line) => expectedLine(order, line, `shipping:${line.id}`)),
        ...(Number(order.tip) === 0 ? [] : [expectedTip(order)]),
      ],
    },
  };
}

const ofOrder = ({ id }: Order) =>
  ({ lineItemType: 'ECOMMERCE_ORDERS', lineItemTypeId: String(id) }) as const;

function expectedLine(order: Order, line: Line, platformId: string): UnifiedLine {
  const [discount, tax] = [totalOf(line.discounts), totalOf(line.taxes)];
  const net = order.isTaxed ? grossOf(line).minus(tax) : grossOf(line);
  return {
    platformId,
    values: {
      ...ofOrder(order),
      itemId: line.product && String(line.product.id),
      description: line.name,
      quantity: String(line.quantity),
      unitAmount: line.price,
      subTotal: net.toFixed(),
      totalDiscount: discount.toFixed(),
      taxAmount: tax.toFixed(),
      totalAmount: net.minus(discount).plus(tax).toFixed(),
    },
  };
}

const expectedTip = (order: Order): UnifiedLine => ({
  platformId: `rest:${order.id}`,
  values: {
    ...ofOrder(order),
    description: 'Duties, tips, fees and changes',
    quantity: '1',
    unitAmount: order.tip,
    subTotal: order.tip,
    totalDiscount: '0',
    taxAmount: '0',
    totalAmount: order.tip,
  },
});

const expectedCustomer = (customer: Customer, money: object): UnifiedRecord => {
  const { firstName, lastName, address } = customer;
  return {
    ...ids('Customer', customer),
    values: {
      name: firstName === null ? null : `${firstName} ${lastName}`,
      email: customer.email,
      phone: customer.phone ?? address?.phone ?? null,
      ...money,
      status: 'ACTIVE',
      addressType: address && 'SHIPPING',
      addressStreet: address?.street ?? null,
      addressLocality: address?.more ?? null,
      addressCity: address?.city ?? null,
      addressState: address?.province ?? null,
      addressPincode: address?.zip ?? null,
      addressCountry: address?.country ?? null,
      ...times(customer),
    },
  };
};

const PRODUCT_STATUS = {
  ACTIVE: 'ACTIVE',
  UNLISTED: 'ACTIVE',
  ARCHIVED: 'ARCHIVED',
  DRAFT: 'UNKNOWN',
} as const;

const expectedProduct = (product: Product): UnifiedRecord => ({
  ...ids('Product', product),
  values: {
    name: product.title,
    description: product.description === '' ? null : product.description,
    status: PRODUCT_STATUS[product.status],
    ...times(product),
  },
});

const expectedInventory = (variant: Variant): UnifiedRecord => ({
  ...ids('ProductVariant', variant),
  values: {
    productId: String(variant.product.id),
    description: variant.name,
    sku: variant.sku,
    quantity: variant.isTracked ? String(variant.quantity) : null,
    ...times(variant),
  },
});
