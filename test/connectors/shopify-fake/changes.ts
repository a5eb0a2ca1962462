import { type Mutation, type Steps } from '../conformance.js';
import { type Kept, type Order, type Product } from './domain.js';
import { makeCustomer, makeOrder, makeParcel, makeProduct, makeTransaction } from './makers.js';
import { livingIdsOf, parcelsOf } from './models.js';
import { type ShopifyShop } from './shop.js';

const DELETIONS = 3;

const take = <Object>(from: Object[], object: Object): void => {
  const at = from.indexOf(object);
  if (at !== -1) from.splice(at, 1);
};

const idsOf = (objects: readonly { readonly id: number }[]): string[] => objects.map(({ id }) => String(id));

/** Of some objects, every third is changed, and some of the others are gone. */
function shareOf<Object extends Kept>(objects: readonly Object[]) {
  return {
    edited: objects.filter((_, index) => index % 3 === 0),
    removed: objects.filter((_, index) => index % 3 === 1).slice(0, DELETIONS),
  };
}

/** Changes some records of a type, adds some and deletes some. */
export function mutate(shop: ShopifyShop, dataModel: string): Mutation {
  switch (dataModel) {
    case 'ECOMMERCE_ORDERS': {
      const { edited, removed } = shareOf(shop.orders);
      for (const order of edited) {
        order.note = `Edited ${order.number}`;
        shop.touch(order);
      }
      removed.forEach((order) => take(shop.orders, order));
      const added = [makeOrder(shop, 101), makeOrder(shop, 102)];
      shop.orders.push(...added);
      return { changed: idsOf([...edited, ...added]), deleted: idsOf(removed) };
    }
    case 'ECOMMERCE_TRANSACTIONS':
      return mutateParts(
        shop,
        ({ transactions }) => idsOf(transactions),
        (order) => {
          order.transactions.push(makeTransaction(shop, order.number));
          return [];
        },
      );
    case 'ECOMMERCE_FULFILLMENTS':
      return mutateParts(
        shop,
        (order) => idsOf(parcelsOf(order)),
        (order) => {
          const [cancelled] = order.parcels;
          if (cancelled) cancelled.status = 'CANCELLED';
          order.parcels.push(makeParcel(shop, order.number));
          return cancelled ? [String(cancelled.id)] : [];
        },
      );
    case 'ECOMMERCE_CUSTOMERS': {
      const { edited, removed } = shareOf(shop.customers);
      for (const customer of edited) {
        customer.firstName = `Edited ${customer.firstName ?? ''}`;
        shop.touch(customer);
      }
      removed.forEach((customer) => take(shop.customers, customer));
      const added = [makeCustomer(shop, 901)];
      shop.customers.push(...added);
      return { changed: idsOf([...edited, ...added]), deleted: idsOf(removed) };
    }
    case 'ECOMMERCE_PRODUCTS': {
      const { edited, removed } = shareOf(shop.products);
      for (const product of edited) {
        product.title += ' *';
        shop.touch(product);
      }
      removed.forEach((product) => removeProduct(shop, product));
      const added = [makeProduct(shop, 901)];
      shop.products.push(...added);
      return { changed: idsOf([...edited, ...added]), deleted: idsOf(removed) };
    }
    case 'ECOMMERCE_INVENTORIES': {
      const { edited, removed } = shareOf(shop.variants);
      // Stock moves without a change of the variant.
      const moved = edited.filter(({ isTracked }) => isTracked);
      for (const variant of moved) variant.quantity += 7;
      removed.forEach((variant) => take(shop.variants, variant));
      return { changed: idsOf(moved), deleted: idsOf(removed) };
    }
    case 'ECOMMERCE_COMPANY_INFO':
      shop.name += ' & Sons';
      shop.updatedAt = shop.now;
      return { changed: livingIdsOf(shop, dataModel), deleted: [] };
    default:
      throw new Error(`there is no ${dataModel}`);
  }
}

/** `change` returns the ids of the parts that are gone; all others of the order are listed again. */
function mutateParts(
  shop: ShopifyShop,
  idsIn: (order: Order) => string[],
  change: (order: Order) => string[],
): Mutation {
  const { edited, removed } = shareOf(shop.orders);
  const gone = edited.flatMap((order) => {
    shop.touch(order);
    return change(order);
  });
  removed.forEach((order) => take(shop.orders, order));
  return { changed: edited.flatMap(idsIn), deleted: [...gone, ...removed.flatMap(idsIn)] };
}

function removeProduct(shop: ShopifyShop, product: Product): void {
  take(shop.products, product);
  shop.variants
    .filter((variant) => variant.product === product)
    .forEach((variant) => take(shop.variants, variant));
}

/** Each is done to the first record that it can be done to. `later` is later than any change before. */
export function stepsOf(shop: ShopifyShop, later: () => void): Steps {
  const setStatus = (product: Product | undefined, status: Product['status']): string | null => {
    if (!product) return null;
    later();
    product.status = status;
    shop.touch(product);
    return String(product.id);
  };
  return {
    archive: async (dataModel) => {
      const isIn = dataModel === 'ECOMMERCE_PRODUCTS';
      return isIn
        ? setStatus(
            shop.products.find(({ status }) => status === 'ACTIVE'),
            'ARCHIVED',
          )
        : null;
    },
    restore: async (_dataModel, platformId) => {
      setStatus(
        shop.products.find(({ id }) => String(id) === platformId),
        'ACTIVE',
      );
    },
    delete: async (dataModel) => {
      const lists: Readonly<Record<string, Kept[]>> = {
        ECOMMERCE_ORDERS: shop.orders,
        ECOMMERCE_CUSTOMERS: shop.customers,
        ECOMMERCE_PRODUCTS: shop.products,
        ECOMMERCE_INVENTORIES: shop.variants,
      };
      const [first] = lists[dataModel] ?? [];
      if (!first) return null;
      later();
      take(lists[dataModel] ?? [], first);
      return String(first.id);
    },
  };
}
