import {
  type Customer,
  type Line,
  type Order,
  type Parcel,
  type Product,
  type Transaction,
} from './domain.js';
import { ShopifyShop } from './shop.js';

/** More than three pages of customers, of which an import of one second fills more than one. */
const CUSTOMERS = 620;
const IMPORTED = 320;
const PRODUCTS = 24;
const ORDERS = 45;
/** One order has more lines than the first page within it and the next one hold. */
const MANY_LINES = 130;
const MANY_PARTS = 14;

/** A shop that trades, with more in some lists than a page holds. */
export function makeShop(): ShopifyShop {
  const shop = new ShopifyShop();
  for (let index = 0; index < CUSTOMERS; index += 1) {
    if (index >= IMPORTED) shop.advance(40);
    shop.customers.push(makeCustomer(shop, index));
  }
  for (let index = 0; index < PRODUCTS; index += 1) {
    shop.advance(60);
    const product = makeProduct(shop, index);
    shop.products.push(product);
    for (const size of index % 4 === 0 ? ['Oak', 'Pine'] : ['Default Title']) {
      shop.variants.push({
        ...shop.keep(),
        product,
        name: `${product.title} - ${size}`,
        sku: index % 5 === 0 ? null : `SKU-${index}-${size}`,
        quantity: index * 3 - 4,
        isTracked: index % 7 !== 0,
      });
    }
  }
  for (let index = 0; index < ORDERS; index += 1) {
    shop.advance(300);
    shop.orders.push(makeOrder(shop, index));
  }
  shop.advance(300);
  return shop;
}

export const makeCustomer = (shop: ShopifyShop, index: number): Customer => ({
  ...shop.keep(),
  firstName: index % 9 === 0 ? null : `Ada ${index}`,
  lastName: index % 9 === 0 ? null : 'Brandt',
  email: index % 4 === 0 ? null : `ada${index}@example.com`,
  phone: index % 3 === 0 ? `+4930${100_000 + index}` : null,
  address:
    index % 5 === 0
      ? null
      : {
          street: `Quay ${index}`,
          more: index % 2 === 0 ? 'Shed 4' : null,
          city: 'Hamburg',
          province: index % 2 === 0 ? 'Hamburg' : null,
          zip: '20457',
          country: 'DE',
          phone: '+4940555',
        },
});

const STATUSES = ['ACTIVE', 'ACTIVE', 'ACTIVE', 'DRAFT', 'ACTIVE', 'ARCHIVED', 'UNLISTED'] as const;

export const makeProduct = (shop: ShopifyShop, index: number): Product => ({
  ...shop.keep(),
  title: `Chair ${index}`,
  description: index % 3 === 0 ? '' : `A chair with ${index % 4} legs`,
  status: STATUSES[index % STATUSES.length] ?? 'ACTIVE',
});

export function makeOrder(shop: ShopifyShop, index: number): Order {
  const isTaxed = index % 2 === 1;
  const hasMany = index === 3;
  const lines = Array.from({ length: hasMany ? MANY_LINES : 1 + (index % 6) }, (_, at) =>
    makeLine(shop, { index, at }),
  );
  const shipping = Array.from({ length: hasMany ? 3 : index % 3 === 2 ? 0 : 1 }, () => ({
    ...makeLine(shop, { index, at: 0 }),
    name: index % 2 === 0 ? 'Standard' : 'Express',
    product: null,
    quantity: 1,
    price: '7.90',
    discounts: index % 4 === 0 ? ['7.90'] : [],
    taxes: index % 4 === 0 ? ['0.00'] : ['1.26'],
  }));
  const isPending = index % 5 === 4;
  return {
    ...shop.keep(),
    number: 1001 + index,
    customer: index % 6 === 5 ? null : (shop.customers[index] ?? null),
    lines,
    shipping,
    isTaxed,
    tip: index % 8 === 1 ? '5.00' : '0.00',
    transactions: Array.from({ length: hasMany ? MANY_PARTS : 1 + (index % 3) }, (_, at) =>
      makeTransaction(shop, index + at),
    ),
    parcels: Array.from({ length: hasMany ? MANY_PARTS : index % 3 }, (_, at) =>
      makeParcel(shop, index + at),
    ),
    note: index % 4 === 0 ? `Leave at door ${index}` : null,
    poNumber: index % 10 === 0 ? `PO-${index}` : null,
    cancelledAt: index % 11 === 10 ? shop.now : null,
    isClosed: index % 2 === 0,
    status: isPending ? 'PENDING' : index % 5 === 3 ? 'REFUNDED' : 'PAID',
    outstanding: isPending ? '12.30' : index % 5 === 3 ? '-4.00' : '0.00',
  };
}

const makeLine = (shop: ShopifyShop, { index, at }: { index: number; at: number }): Line => ({
  id: shop.nextId(),
  name: `Chair ${at} - Oak`,
  // A custom item, or one of a product that was deleted, has none.
  product: at % 5 === 4 ? null : (shop.products[at % shop.products.length] ?? null),
  quantity: 1 + (at % 3),
  price: `${19 + index}.${at % 2 === 0 ? '99' : '5'}`,
  discounts: at % 2 === 0 ? [] : ['1.10', '0.05'],
  taxes: at % 3 === 2 ? [] : ['3.19', '0.40'],
});

export const makeTransaction = (shop: ShopifyShop, index: number): Transaction => ({
  id: shop.nextId(),
  kind: (['SALE', 'AUTHORIZATION', 'CAPTURE', 'REFUND'] as const)[index % 4] ?? 'SALE',
  status: index % 7 === 6 ? 'FAILURE' : index % 7 === 5 ? 'PENDING' : 'SUCCESS',
  gateway: index % 3 === 0 ? 'paypal' : 'shopify_payments',
  isCard: index % 3 === 1,
  errorCode: index % 7 === 6 ? 'CARD_DECLINED' : null,
  amount: `${10 + index}.10`,
  fees: index % 3 === 0 ? [] : ['0.30', `0.${10 + index}`],
  createdAt: shop.now,
});

export const makeParcel = (shop: ShopifyShop, index: number): Parcel => ({
  id: shop.nextId(),
  status: 'SUCCESS',
  carrier: index % 4 === 0 ? null : 'DHL',
  number: index % 4 === 0 ? null : `JD01${index}`,
  link: index % 4 === 0 ? null : `https://track.example.com/JD01${index}`,
  createdAt: shop.now,
  updatedAt: shop.now,
});
