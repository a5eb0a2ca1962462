import { stateOfService, stateOfShop } from './compare.js';
import {
  addCustomers,
  addProducts,
  addToOrder,
  cancel,
  checkOut,
  countStock,
  deleteProduct,
  moveCustomer,
  payRest,
  refund,
  renameProduct,
  ship,
  takeFromOrder,
  trackStock,
} from './trade.js';

const customerOf = (name) => ({
  firstName: 'Hayden',
  lastName: name,
  email: `${name.toLowerCase()}@example.com`,
});

/** Runs an incremental sync and waits for it. */
async function follow({ service, companyId }) {
  const ended = await service.sync(companyId, { fullSync: false });
  await ended();
}

const here = ({ service, companyId }) => stateOfService({ ask: service.ask, companyId });

/** Collects what differs from a step's expectations. */
function expectations() {
  const problems = [];
  const expect = (what, got, wanted) => {
    if (JSON.stringify(got) === JSON.stringify(wanted)) return;
    problems.push(`${what} is ${JSON.stringify(got)} and not ${JSON.stringify(wanted)}`);
  };
  return { problems, expect };
}

/** Each step does something in the shop, syncs, and returns the problems it found; then everything is compared. */
export const steps = [
  [
    'the sample shop is connected by its address and a key',
    async (world) => {
      const { shop, gate, service } = world;
      world.companyId = await service.connect({ address: gate.url, apiKey: shop.apiKey });
      const { problems, expect } = expectations();
      const counts = Object.entries(await here(world)).map(([type, all]) => [
        type,
        Object.keys(all).length > 0,
      ]);
      expect('what is read', Object.fromEntries(counts), {
        ECOMMERCE_ORDERS: false,
        ECOMMERCE_TRANSACTIONS: false,
        ECOMMERCE_CUSTOMERS: false,
        ECOMMERCE_FULFILLMENTS: false,
        ECOMMERCE_PRODUCTS: true,
        ECOMMERCE_INVENTORIES: true,
        ECOMMERCE_COMPANY_INFO: true,
      });
      return problems;
    },
  ],
  [
    'a checkout is an order, a transaction, a customer and less stock',
    async (world) => {
      const { shop, orders } = world;
      const before = (await here(world)).ECOMMERCE_INVENTORIES['1'];
      orders.first = await checkOut(shop, { variantId: '1', quantity: 2, customer: customerOf('Zieme') });
      await follow(world);
      const now = await here(world);
      const { problems, expect } = expectations();
      const order = now.ECOMMERCE_ORDERS[orders.first];
      expect('the state of the order', order?.state, 'PAYMENT_SETTLED');
      expect('what is due', order?.due, 0);
      expect('the lines', order?.lines.length, 2);
      expect('the customer', now.ECOMMERCE_CUSTOMERS[order?.customer]?.name, 'Hayden Zieme');
      expect('the payments', Object.values(now.ECOMMERCE_TRANSACTIONS), [
        { order: orders.first, amount: order?.total, type: 'SALE', state: 'ACTIVE' },
      ]);
      expect('the stock', now.ECOMMERCE_INVENTORIES['1'].quantity, before.quantity - 2);
      return problems;
    },
  ],
  [
    'a cart is nothing, and a draft neither',
    async (world) => {
      const { shop } = world;
      await shop.admin('mutation { createDraftOrder { id } }');
      await follow(world);
      const { problems, expect } = expectations();
      expect('the number of orders', Object.keys((await here(world)).ECOMMERCE_ORDERS).length, 1);
      return problems;
    },
  ],
  [
    'a change of the order, paid for afterwards, follows',
    async (world) => {
      const { shop, orders } = world;
      const before = (await here(world)).ECOMMERCE_ORDERS[orders.first];
      await addToOrder(shop, orders.first);
      await payRest(shop, orders.first);
      await follow(world);
      const after = await here(world);
      const order = after.ECOMMERCE_ORDERS[orders.first];
      const { problems, expect } = expectations();
      expect('the quantity', order.lines[0][1], before.lines[0][1] + 1);
      expect('that the total rises', order.total > before.total, true);
      expect('what is due', order.due, 0);
      expect('the number of payments', Object.keys(after.ECOMMERCE_TRANSACTIONS).length, 2);
      return problems;
    },
  ],
  [
    'a refund follows',
    async (world) => {
      const { shop, orders } = world;
      const id = await refund(shop, orders.first, 500);
      await follow(world);
      const { problems, expect } = expectations();
      const now = await here(world);
      const { amount, type, order } = now.ECOMMERCE_TRANSACTIONS[`refund:${id}`] ?? {};
      expect('the refund', { amount, type, order }, { amount: 500, type: 'REFUND', order: orders.first });
      const { due, payment } = now.ECOMMERCE_ORDERS[orders.first];
      expect('the payment', { due, payment }, { due: 0, payment: 'PARTIALLY_REFUNDED' });
      return problems;
    },
  ],
  [
    'what was refunded for a part of an order is due again with that part',
    async (world) => {
      const { shop, orders } = world;
      orders.changed = await checkOut(shop, { variantId: '4', quantity: 2, customer: customerOf('Doyle') });
      const { problems, expect } = expectations();
      const expectPayment = async (when, change, wanted) => {
        await change(shop, orders.changed);
        await follow(world);
        const { total, due, payment } = (await here(world)).ECOMMERCE_ORDERS[orders.changed];
        expect(`the payment ${when}`, { due, payment }, wanted(total));
        return total;
      };
      const less = await expectPayment('of what is left', takeFromOrder, () => ({
        due: 0,
        payment: 'PARTIALLY_REFUNDED',
      }));
      await expectPayment('of what came back', addToOrder, (total) => ({
        due: total - less,
        payment: 'PARTIALLY_PAID',
      }));
      await expectPayment('of all', payRest, () => ({ due: 0, payment: 'PARTIALLY_REFUNDED' }));
      return problems;
    },
  ],
  [
    'a parcel follows',
    async (world) => {
      const { shop, orders } = world;
      const id = await ship(shop, orders.first, 'GB-1');
      await follow(world);
      const now = await here(world);
      const { problems, expect } = expectations();
      expect('the parcel', now.ECOMMERCE_FULFILLMENTS[id], {
        order: orders.first,
        tracking: 'GB-1',
        method: 'By bicycle',
      });
      expect('the state of the order', now.ECOMMERCE_ORDERS[orders.first].state, 'SHIPPED');
      return problems;
    },
  ],
  [
    'a cancellation follows',
    async (world) => {
      const { shop, orders } = world;
      orders.second = await checkOut(shop, { variantId: '3', quantity: 1, customer: customerOf('Wong') });
      await follow(world);
      const between = (await here(world)).ECOMMERCE_ORDERS[orders.second];
      await cancel(shop, orders.second);
      await follow(world);
      const { problems, expect } = expectations();
      const order = (await here(world)).ECOMMERCE_ORDERS[orders.second];
      expect('the state before', between?.state, 'PAYMENT_SETTLED');
      expect('the state after', order?.state, 'CANCELLED');
      await refund(shop, orders.second, between.total);
      await follow(world);
      const { payment } = (await here(world)).ECOMMERCE_ORDERS[orders.second];
      expect('the payment after a full refund', payment, 'REFUNDED');
      return problems;
    },
  ],
  [
    'products, stock and addresses follow',
    async (world) => {
      const { shop, orders } = world;
      const { customer } = (await here(world)).ECOMMERCE_ORDERS[orders.first];
      await renameProduct(shop, '2', 'Renamed');
      await countStock(shop, '5', 17);
      await moveCustomer(shop, customer, '3 New Street');
      await follow(world);
      const now = await here(world);
      const { problems, expect } = expectations();
      expect('the name', now.ECOMMERCE_PRODUCTS['2'].name, 'Renamed');
      expect('the stock', now.ECOMMERCE_INVENTORIES['5'].quantity, 17);
      expect('the street', now.ECOMMERCE_CUSTOMERS[customer].street, '3 New Street');
      return problems;
    },
  ],
  [
    'stock that the shop does not track has no quantity',
    async (world) => {
      const { shop } = world;
      const quantity = async () => (await here(world)).ECOMMERCE_INVENTORIES['5'].quantity;
      await trackStock(shop, false);
      await follow(world);
      const { problems, expect } = expectations();
      expect('the stock', await quantity(), null);
      await trackStock(shop, true);
      await follow(world);
      expect('the stock that is tracked again', await quantity(), 17);
      return problems;
    },
  ],
  [
    'what is deleted goes',
    async (world) => {
      const { shop } = world;
      await deleteProduct(shop, '30');
      await follow(world);
      const { problems, expect } = expectations();
      expect('the product', (await here(world)).ECOMMERCE_PRODUCTS['30'], undefined);
      return problems;
    },
  ],
  [
    'lists of several pages come whole',
    async (world) => {
      const { shop } = world;
      await addCustomers(shop, 120);
      await addProducts(shop, 120);
      await follow(world);
      const there = await stateOfShop(shop);
      const { problems, expect } = expectations();
      expect('that there are several pages', Object.keys(there.ECOMMERCE_CUSTOMERS).length > 100, true);
      return problems;
    },
  ],
];
