import { type Order } from './domain.js';
import { type ShopifyShop } from './shop.js';

const ids = (objects: readonly { readonly id: number }[]): string[] => objects.map(({ id }) => String(id));

export const parcelsOf = ({ parcels }: Order) => parcels.filter(({ status }) => status !== 'CANCELLED');

/** The ids of the records of a type. */
export function livingIdsOf(shop: ShopifyShop, dataModel: string): readonly string[] {
  switch (dataModel) {
    case 'ECOMMERCE_ORDERS':
      return ids(shop.orders);
    case 'ECOMMERCE_TRANSACTIONS':
      return shop.orders.flatMap(({ transactions }) => ids(transactions));
    case 'ECOMMERCE_FULFILLMENTS':
      return shop.orders.flatMap((order) => ids(parcelsOf(order)));
    case 'ECOMMERCE_CUSTOMERS':
      return ids(shop.customers);
    case 'ECOMMERCE_PRODUCTS':
      return ids(shop.products);
    case 'ECOMMERCE_INVENTORIES':
      return ids(shop.variants);
    case 'ECOMMERCE_COMPANY_INFO':
      return ['61000000001'];
    default:
      throw new Error(`there is no ${dataModel}`);
  }
}
