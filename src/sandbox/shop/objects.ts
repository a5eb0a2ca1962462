/** Money in the format of Shop. */
export interface MoneySet {
  readonly shop_money: { readonly amount: string; readonly currency_code: string };
  readonly presentment_money: { readonly amount: string; readonly currency_code: string };
}

export function moneySet(amount: string, currency: string): MoneySet {
  const money = { amount, currency_code: currency };
  return { shop_money: money, presentment_money: money };
}

export interface ShopObject {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly tags?: string;
}

/** The kinds by their paths, with the type used in their ids. */
export const SHOP_KINDS = {
  orders: 'Order',
  transactions: 'OrderTransaction',
  customers: 'Customer',
  fulfillments: 'Fulfillment',
  products: 'Product',
  inventory_levels: 'InventoryLevel',
  balances: 'Balance',
  shops: 'Shop',
} as const;

export type ShopKind = keyof typeof SHOP_KINDS;

/** Kinds whose objects belong to an order, and are deleted with it. */
export const PARTS_OF_ORDERS = ['transactions', 'fulfillments'] as const;

export type PartKind = (typeof PARTS_OF_ORDERS)[number];

export const isShopKind = (text: string): text is ShopKind => Object.hasOwn(SHOP_KINDS, text);

export const gid = (type: string, number: string): string => `gid://sandbox-shop/${type}/${number}`;

const OFFSET_HOURS = 10;

/** An instant in the shop's time zone: `2026-03-01T19:00:00+10:00`. */
export function shopTime(instant: string | Date): string {
  const local = new Date(new Date(instant).getTime() + OFFSET_HOURS * 3_600_000).toISOString();
  const fraction = local.slice(19, 23) === '.000' ? '' : local.slice(19, 23);
  return `${local.slice(0, 19)}${fraction}+${String(OFFSET_HOURS).padStart(2, '0')}:00`;
}
