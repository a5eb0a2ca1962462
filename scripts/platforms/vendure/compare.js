import { isDeepStrictEqual } from 'node:util';

/**
 * Compares the shop's data with the service's. The shop is read by plain queries as its owner, and converted without
 * the connector's code.
 */
const TAKE = 1000;

const LISTS = {
  orders: `orders(options: { take: ${TAKE}, filter: { active: { eq: false } } }) { items {
    id code state orderPlacedAt totalWithTax total currencyCode customer { id }
    lines { id quantity proratedLinePriceWithTax productVariant { productId } }
    shippingLines { id discountedPriceWithTax } surcharges { id priceWithTax }
    payments { id amount state refunds { id total state } }
    fulfillments { id state trackingCode method }
  } }`,
  customers: `customers(options: { take: ${TAKE} }) { items {
    id emailAddress firstName lastName addresses { streetLine1 defaultBillingAddress }
  } }`,
  products: `products(options: { take: ${TAKE} }) { items { id name enabled } }`,
  globalSettings: 'globalSettings { trackInventory }',
  productVariants: `productVariants(options: { take: ${TAKE} }) { items {
    id sku productId trackInventory stockLevels { stockOnHand stockAllocated }
  } }`,
  activeChannel: 'activeChannel { id defaultCurrencyCode seller { name } }',
};

/** By record type and id. */
export async function stateOfShop({ admin }) {
  const { orders, customers, products, productVariants, globalSettings, activeChannel } = await admin(
    `{ ${Object.values(LISTS).join('\n')} }`,
  );
  const placed = orders.items.filter((order) => order.orderPlacedAt !== null);
  const payments = placed.flatMap((order) => order.payments.map((payment) => ({ order, payment })));
  return {
    ECOMMERCE_ORDERS: byId(placed, (order) => ({
      code: order.code,
      state: upper(order.state),
      customer: order.customer.id,
      currency: order.currencyCode,
      total: order.totalWithTax,
      tax: order.totalWithTax - order.total,
      lines: [
        ...order.lines.map((line) => [
          line.id,
          line.quantity,
          line.productVariant.productId,
          line.proratedLinePriceWithTax,
        ]),
        ...order.shippingLines.map((line) => [`shipping:${line.id}`, 1, null, line.discountedPriceWithTax]),
        ...order.surcharges.map((line) => [`surcharge:${line.id}`, 1, null, line.priceWithTax]),
      ],
      ...paymentOf(order),
    })),
    ECOMMERCE_TRANSACTIONS: Object.fromEntries(
      payments.flatMap(({ order, payment }) => [
        [
          `payment:${payment.id}`,
          { order: order.id, amount: payment.amount, type: 'SALE', state: statusOf(payment) },
        ],
        ...payment.refunds.map((one) => [
          `refund:${one.id}`,
          { order: order.id, amount: one.total, type: 'REFUND', state: statusOf(one) },
        ]),
      ]),
    ),
    ECOMMERCE_CUSTOMERS: byId(customers.items, (one) => ({
      name: `${one.firstName} ${one.lastName}`,
      email: one.emailAddress,
      street: one.addresses.find((address) => address.defaultBillingAddress)?.streetLine1 ?? null,
    })),
    ECOMMERCE_FULFILLMENTS: Object.fromEntries(
      placed.flatMap((order) =>
        order.fulfillments
          .filter(({ state }) => state !== 'Cancelled')
          .map((one) => [one.id, { order: order.id, tracking: one.trackingCode, method: one.method }]),
      ),
    ),
    ECOMMERCE_PRODUCTS: byId(products.items, (one) => ({
      name: one.name,
      status: one.enabled ? 'ACTIVE' : 'ARCHIVED',
    })),
    ECOMMERCE_INVENTORIES: byId(productVariants.items, (one) => ({
      sku: one.sku,
      product: one.productId,
      quantity: isTracked(one, globalSettings)
        ? one.stockLevels.reduce((all, level) => all + level.stockOnHand - level.stockAllocated, 0)
        : null,
    })),
    ECOMMERCE_COMPANY_INFO: byId([activeChannel], (one) => ({
      name: one.seller.name,
      currency: one.defaultCurrencyCode,
    })),
  };
}

const byId = (list, describe) => Object.fromEntries(list.map((one) => [one.id, describe(one)]));
const upper = (state) => state.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();

const isTracked = (variant, shop) =>
  variant.trackInventory === 'TRUE' || (variant.trackInventory === 'INHERIT' && shop.trackInventory);

/** A refund is only owed while its order is being modified. */
function paymentOf({ state, totalWithTax, payments }) {
  const paid = settledOf(payments, 'amount');
  const back = settledOf(
    payments.flatMap(({ refunds }) => refunds),
    'total',
  );
  const isChanging = ['Modifying', 'ArrangingAdditionalPayment'].includes(state);
  const due = Math.max(0, state === 'Cancelled' ? 0 : totalWithTax - paid + (isChanging ? back : 0));
  if (due > 0) return { due, payment: paid > back ? 'PARTIALLY_PAID' : 'PENDING' };
  if (back > 0) return { due, payment: paid > back ? 'PARTIALLY_REFUNDED' : 'REFUNDED' };
  return { due, payment: 'PAID' };
}

const settledOf = (list, name) =>
  list.filter(({ state }) => state === 'Settled').reduce((all, one) => all + one[name], 0);
const statusOf = ({ state }) => ({ Settled: 'ACTIVE', Cancelled: 'ARCHIVED' })[state] ?? upper(state);

const OURS = {
  ECOMMERCE_ORDERS: {
    list: 'ecommerceOrders',
    fields: `orderNumber orderStatus customerId currencyCode totalAmount taxAmount amountDue paymentStatus
      lineItems { platformId quantity itemId totalAmount }`,
    read: (one) => ({
      code: one.orderNumber,
      state: one.orderStatus,
      customer: one.customerId,
      currency: one.currencyCode,
      total: cents(one.totalAmount),
      tax: cents(one.taxAmount),
      lines: one.lineItems.map((line) => [
        line.platformId,
        Number(line.quantity),
        line.itemId,
        cents(line.totalAmount),
      ]),
      due: cents(one.amountDue),
      payment: one.paymentStatus,
    }),
  },
  ECOMMERCE_TRANSACTIONS: {
    list: 'ecommerceTransactions',
    fields: 'orderId amount type status',
    read: (one) => ({ order: one.orderId, amount: cents(one.amount), type: one.type, state: one.status }),
  },
  ECOMMERCE_CUSTOMERS: {
    list: 'ecommerceCustomers',
    fields: 'name email address { street }',
    read: (one) => ({ name: one.name, email: one.email, street: one.address?.street ?? null }),
  },
  ECOMMERCE_FULFILLMENTS: {
    list: 'ecommerceFulfillments',
    fields: 'orderId trackingNumber deliveryService',
    read: (one) => ({ order: one.orderId, tracking: one.trackingNumber, method: one.deliveryService }),
  },
  ECOMMERCE_PRODUCTS: {
    list: 'ecommerceProducts',
    fields: 'name status',
    read: (one) => ({ name: one.name, status: one.status }),
  },
  ECOMMERCE_INVENTORIES: {
    list: 'ecommerceInventories',
    fields: 'sku productId quantity',
    read: (one) => ({
      sku: one.sku,
      product: one.productId,
      quantity: one.quantity === null ? null : Number(one.quantity),
    }),
  },
  ECOMMERCE_COMPANY_INFO: {
    list: 'ecommerceCompanyInfos',
    fields: 'name currencyCode',
    read: (one) => ({ name: one.name, currency: one.currencyCode }),
  },
};

export const RECORD_TYPES = Object.keys(OURS);

const cents = (amount) => Math.round(Number(amount) * 100);

/** The same by record type and id, as a user of this service reads it. */
export async function stateOfService({ ask, companyId }) {
  const state = {};
  for (const [type, { list, fields, read }] of Object.entries(OURS)) {
    state[type] = {};
    for (let after = null; ;) {
      const query = `query ($company: SvcId!, $after: String) {
        ${list}(companyId: $company, first: 200, after: $after) {
          nodes { platformId ${fields} } pageInfo { hasNextPage endCursor }
        }
      }`;
      const page = (await ask(query, { company: companyId, after }))[list];
      for (const one of page.nodes) state[type][one.platformId] = read(one);
      if (!page.pageInfo.hasNextPage) break;
      after = page.pageInfo.endCursor;
    }
  }
  return state;
}

/** The differences as text, and the number of records compared. */
export function differencesOf(shop, service) {
  const found = [];
  let compared = 0;
  for (const type of RECORD_TYPES) {
    const ids = new Set([...Object.keys(shop[type]), ...Object.keys(service[type])]);
    for (const id of ids) {
      compared += 1;
      const [there, here] = [shop[type][id], service[type][id]];
      if (isDeepStrictEqual(there, here)) continue;
      found.push(`${type} ${id}: the shop has ${JSON.stringify(there)}, the service ${JSON.stringify(here)}`);
    }
  }
  return { found, compared };
}
