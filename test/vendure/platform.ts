import { stateOfShop } from '../../scripts/platforms/vendure/compare.js';
import { createKey, startShop } from '../../scripts/platforms/vendure/shop.js';
import {
  addCustomers,
  addProducts,
  cancel,
  checkOut,
  countStock,
  deleteCustomer,
  deleteProduct,
  deleteVariant,
  enableProduct,
  moveCustomer,
  refund,
  renameProduct,
  renameSeller,
  ship,
} from '../../scripts/platforms/vendure/trade.js';
import { type ConformancePlatform, type Mutation } from '../connectors/conformance.js';
import { type WriteSamples } from '../connectors/write-samples.js';
import { startFaultProxy, tokenHeader } from '../connectors/fault-proxy.js';

type State = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Vendure says no under 200. */
const refusal = (code: string, path: readonly string[]) => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ errors: [{ message: 'no', path, extensions: { code } }], data: null }),
});

const writes = (): WriteSamples => ({
  ECOMMERCE_CUSTOMERS: {
    creates: [
      { email: 'written@example.com' },
      {
        ...{ email: 'mary@example.com', name: 'Mary Ann Smith', phone: '029 1203 1336' },
        raw_data: { title: 'Dr' },
      },
    ],
    refused: [
      { item: { email: 'ames@example.com' }, code: 'record-already-exists', field: 'email' },
      { item: { email: 'new@example.com', raw_data: { shoe: 8 } }, code: 'invalid-params', field: 'shoe' },
    ],
  },
  ECOMMERCE_PRODUCTS: {
    creates: [
      { name: 'Brass whistle' },
      { name: 'Oak spoon', description: 'From Leeds', status: 'ARCHIVED', raw_data: { assetIds: [] } },
    ],
    refused: [
      { item: { name: 'Pan', raw_data: { colour: 'red' } }, code: 'invalid-params', field: 'colour' },
    ],
  },
});

/** A true Vendure server with its sample shop and some trade, behind a proxy that makes faults. */
export async function startVendurePlatform(): Promise<ConformancePlatform> {
  const shop = await startShop(() => undefined);
  const orders: string[] = [];
  const sell = async (variantId: string, name: string) => {
    const customer = { firstName: 'Kim', lastName: name, email: `${name}@example.com` };
    const order = (await checkOut(shop, { variantId, quantity: 1, customer })) as string;
    orders.push(order);
    return order;
  };
  for (const [index, name] of ['ames', 'bell', 'cobb'].entries()) await sell(String(index + 1), name);
  await ship(shop, orders[0], 'GB-1');
  // More than a page of each.
  await addCustomers(shop, 120);
  await addProducts(shop, 120);
  const proxy = await startFaultProxy(shop.url, {
    tokens: tokenHeader('vendure-api-key'),
    refusals: {
      'no scope': refusal('FORBIDDEN', ['products']),
      'fault with 200': refusal('INTERNAL_SERVER_ERROR', ['products']),
    },
  });
  const livingIds = async (dataModel: string) => {
    const state = (await stateOfShop(shop)) as State;
    return Object.keys(state[dataModel] ?? {});
  };
  let sold = 0;

  /** Each type has its own trade: what was done to which ids. */
  const trade: Readonly<Record<string, (ids: readonly string[]) => Promise<Mutation>>> = {
    ECOMMERCE_ORDERS: async () => {
      const order = await sell('4', `order-${(sold += 1)}`);
      await cancel(shop, orders[1]);
      return { changed: [order, orders[1] ?? ''], deleted: [] };
    },
    ECOMMERCE_TRANSACTIONS: async () => {
      const id = (await refund(shop, orders[2], 100)) as string;
      return { changed: [`refund:${id}`], deleted: [] };
    },
    ECOMMERCE_CUSTOMERS: async (ids) => {
      const [moved = '', removed = ''] = [ids.at(0), ids.at(-1)];
      await moveCustomer(shop, moved, 'New Street');
      await deleteCustomer(shop, removed);
      return { changed: [moved], deleted: [removed] };
    },
    ECOMMERCE_FULFILLMENTS: async () => {
      const order = await sell('5', `parcel-${(sold += 1)}`);
      return { changed: [(await ship(shop, order, 'GB-2')) as string], deleted: [] };
    },
    ECOMMERCE_PRODUCTS: async (ids) => {
      const [first = '', second = '', removed = ''] = [ids.at(0), ids.at(-2), ids.at(-1)];
      await renameProduct(shop, first, 'Renamed');
      await renameProduct(shop, second, 'Renamed, too');
      await deleteProduct(shop, removed);
      return { changed: [first, second], deleted: [removed] };
    },
    ECOMMERCE_INVENTORIES: async (ids) => {
      const [counted = '', removed = ''] = [ids.at(0), ids.at(-1)];
      await countStock(shop, counted, 7);
      await deleteVariant(shop, removed);
      return { changed: [counted], deleted: [removed] };
    },
    ECOMMERCE_COMPANY_INFO: async ([own = '']) => {
      await renameSeller(shop, 'Another name');
      return { changed: [own], deleted: [] };
    },
  };

  return {
    baseUrl: proxy.url,
    externalAccountId: 'the default channel',
    calls: proxy.calls,
    fail: proxy.fail,
    reset: proxy.reset,
    issueToken: async () => (await createKey(shop.admin)) as string,
    unusedId: () => '987654321',
    livingIds,
    writes,
    mutate: async (dataModel) => {
      const mutation = await trade[dataModel]?.(await livingIds(dataModel));
      if (!mutation) throw new Error(`nothing is done to ${dataModel}`);
      return mutation;
    },
    steps: {
      archive: async (dataModel) => {
        if (dataModel !== 'ECOMMERCE_PRODUCTS') return null;
        const [id = ''] = (await livingIds(dataModel)).slice(3);
        await enableProduct(shop, id, false);
        return id;
      },
      restore: (_dataModel, id) => enableProduct(shop, id, true),
      delete: async (dataModel) => {
        if (dataModel !== 'ECOMMERCE_PRODUCTS') return null;
        const [id = ''] = (await livingIds(dataModel)).slice(4);
        await deleteProduct(shop, id);
        return id;
      },
    },
    stop: async () => {
      await proxy.stop();
      shop.stop();
    },
  };
}
