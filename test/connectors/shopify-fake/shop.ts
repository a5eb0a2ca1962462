import { Decimal } from 'decimal.js';

import { type Customer, type Kept, type Line, type Order, type Product, type Variant } from './domain.js';

/** A shop at Shopify, with a clock of its own in whole seconds. */
export class ShopifyShop {
  readonly domain = 'harbour-furniture.myshopify.com';
  readonly currency = 'EUR';
  readonly createdAt = new Date('2024-01-05T08:00:00Z');
  updatedAt = this.createdAt;
  name = 'Harbour Furniture';
  /** What the app may read. */
  scopes: readonly string[] = [
    'read_orders',
    'read_all_orders',
    'read_products',
    'read_customers',
    'read_inventory',
  ];

  readonly orders: Order[] = [];
  readonly customers: Customer[] = [];
  readonly products: Product[] = [];
  readonly variants: Variant[] = [];

  #seconds = Date.parse('2026-03-01T10:00:00Z') / 1000;
  #lastId = 5_400_000_000_000;

  get now(): Date {
    return new Date(this.#seconds * 1000);
  }

  advance(seconds: number): void {
    this.#seconds += seconds;
  }

  nextId(): number {
    this.#lastId += 32_768;
    return this.#lastId;
  }

  /** What every new object has. */
  keep(): Kept {
    return { id: this.nextId(), createdAt: this.now, updatedAt: this.now };
  }

  touch(object: Kept): void {
    object.updatedAt = this.now;
  }
}

/** What a line costs before discounts. */
export const grossOf = ({ price, quantity }: Line): Decimal => new Decimal(price).times(quantity);

export const totalOf = (amounts: readonly string[]): Decimal =>
  amounts.reduce((total, amount) => total.plus(amount), new Decimal(0));

/** What an order comes to, as a customer pays it. */
export function totalsOf({ lines, shipping, isTaxed, tip }: Order) {
  const all = [...lines, ...shipping];
  const gross = all.reduce((total, line) => total.plus(grossOf(line)), new Decimal(0));
  const tax = totalOf(all.flatMap(({ taxes }) => taxes));
  const discount = totalOf(all.flatMap(({ discounts }) => discounts));
  const total = gross
    .minus(discount)
    .plus(isTaxed ? 0 : tax)
    .plus(tip);
  return { tax, discount, total };
}
