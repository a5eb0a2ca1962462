import { FULFILLMENT_OR_ERROR, ORDER_OR_ERROR, REFUND_OR_ERROR, send } from './graphql.js';
import { PAYMENT_METHOD } from './shop.js';

/** Events in a shop, caused by its owner or a customer. */

/** Fills a cart, sets the shipping address and pays; returns the id of the order. */
export async function checkOut({ url }, { variantId, quantity, customer }) {
  const { firstName, lastName, email } = customer;
  const address = `${url}/shop-api`;
  const cart = await send(address, {
    query: `mutation ($id: ID!, $quantity: Int!) {
      addItemToOrder(productVariantId: $id, quantity: $quantity) ${ORDER_OR_ERROR}
    }`,
    variables: { id: variantId, quantity },
  });
  const headers = { authorization: `Bearer ${cart.headers.get('vendure-auth-token')}` };
  const step = async (query, variables) => (await send(address, { query, variables, headers })).data;
  await step(
    `mutation ($input: CreateCustomerInput!) { setCustomerForOrder(input: $input) ${ORDER_OR_ERROR} }`,
    { input: { firstName, lastName, emailAddress: email } },
  );
  await step(
    `mutation ($input: CreateAddressInput!) { setOrderShippingAddress(input: $input) ${ORDER_OR_ERROR} }`,
    { input: { streetLine1: '1 Parcel Road', city: 'Leeds', postalCode: 'LS1 1AA', countryCode: 'GB' } },
  );
  const { eligibleShippingMethods: methods } = await step('{ eligibleShippingMethods { id } }');
  await step(`mutation ($ids: [ID!]!) { setOrderShippingMethod(shippingMethodId: $ids) ${ORDER_OR_ERROR} }`, {
    ids: [methods[0].id],
  });
  await step(`mutation { transitionOrderToState(state: "ArrangingPayment") ${ORDER_OR_ERROR} }`);
  const paid = await step(
    `mutation ($method: String!) {
      addPaymentToOrder(input: { method: $method, metadata: {} }) ${ORDER_OR_ERROR}
    }`,
    { method: PAYMENT_METHOD },
  );
  return paid.addPaymentToOrder.id;
}

/** The parts of an order that the steps below need, as its owner sees them. */
async function look({ admin }, id) {
  const query = `query ($id: ID!) { order(id: $id) {
    id lines { id quantity } payments { id amount refunds { id state } }
  } }`;
  return (await admin(query, { id })).order;
}

async function moveOrder({ admin }, id, state) {
  await admin(
    `mutation ($id: ID!, $state: String!) { transitionOrderToState(id: $id, state: $state) ${ORDER_OR_ERROR} }`,
    { id, state },
  );
}

/** Changes the quantity of the first line. */
async function modify({ admin }, { id, lines }, change, more = {}) {
  await admin(`mutation ($input: ModifyOrderInput!) { modifyOrder(input: $input) ${ORDER_OR_ERROR} }`, {
    input: {
      dryRun: false,
      orderId: id,
      adjustOrderLines: [{ orderLineId: lines[0].id, quantity: lines[0].quantity + change }],
      ...more,
    },
  });
}

/** Adds one to the first line, which then has to be paid. */
export async function addToOrder(shop, id) {
  const order = await look(shop, id);
  await moveOrder(shop, id, 'Modifying');
  await modify(shop, order, 1);
  await moveOrder(shop, id, 'ArrangingAdditionalPayment');
}

/** Removes one from the first line, and refunds its price. */
export async function takeFromOrder(shop, id) {
  const order = await look(shop, id);
  await moveOrder(shop, id, 'Modifying');
  await modify(shop, order, -1, { refund: { paymentId: order.payments[0].id, reason: 'one too many' } });
  await settleRefunds(shop, id);
  await moveOrder(shop, id, 'PaymentSettled');
}

/** Pays the remaining amount. */
export async function payRest(shop, id) {
  await shop.admin(
    `mutation ($input: ManualPaymentInput!) { addManualPaymentToOrder(input: $input) ${ORDER_OR_ERROR} }`,
    { input: { orderId: id, method: PAYMENT_METHOD, transactionId: `more-${id}`, metadata: {} } },
  );
  await moveOrder(shop, id, 'PaymentSettled');
}

/** Refunds part of a payment. */
export async function refund(shop, id, amount) {
  const { payments } = await look(shop, id);
  const { refundOrder } = await shop.admin(
    `mutation ($input: RefundOrderInput!) { refundOrder(input: $input) ${REFUND_OR_ERROR} }`,
    // The three deprecated fields are still required by its database.
    {
      input: {
        amount,
        lines: [],
        shipping: 0,
        adjustment: 0,
        paymentId: payments[0].id,
        reason: 'too heavy',
      },
    },
  );
  await settleRefunds(shop, id);
  return refundOrder.id;
}

async function settleRefunds(shop, orderId) {
  const { payments } = await look(shop, orderId);
  const pending = payments.flatMap(({ refunds }) => refunds).filter(({ state }) => state === 'Pending');
  for (const { id } of pending) {
    await shop.admin(
      `mutation ($input: SettleRefundInput!) { settleRefund(input: $input) ${REFUND_OR_ERROR} }`,
      { input: { id, transactionId: `back-${id}` } },
    );
  }
}

export async function cancel({ admin }, id) {
  await admin(`mutation ($input: CancelOrderInput!) { cancelOrder(input: $input) ${ORDER_OR_ERROR} }`, {
    input: { orderId: id, cancelShipping: true, reason: 'changed their mind' },
  });
}

/** Ships the whole order in one parcel. */
export async function ship(shop, id, trackingCode) {
  const { lines } = await look(shop, id);
  const { addFulfillmentToOrder } = await shop.admin(
    `mutation ($input: FulfillOrderInput!) { addFulfillmentToOrder(input: $input) ${FULFILLMENT_OR_ERROR} }`,
    {
      input: {
        lines: lines.map((line) => ({ orderLineId: line.id, quantity: line.quantity })),
        handler: {
          code: 'manual-fulfillment',
          arguments: [
            { name: 'method', value: 'By bicycle' },
            { name: 'trackingCode', value: trackingCode },
          ],
        },
      },
    },
  );
  await shop.admin(
    `mutation ($id: ID!) { transitionFulfillmentToState(id: $id, state: "Shipped") ${FULFILLMENT_OR_ERROR} }`,
    { id: addFulfillmentToOrder.id },
  );
  return addFulfillmentToOrder.id;
}

export async function renameProduct({ admin }, id, name) {
  await admin('mutation ($input: UpdateProductInput!) { updateProduct(input: $input) { id } }', {
    input: { id, translations: [{ languageCode: 'en', name }] },
  });
}

export async function deleteProduct({ admin }, id) {
  await admin('mutation ($id: ID!) { deleteProduct(id: $id) { result } }', { id });
}

export async function enableProduct({ admin }, id, enabled) {
  await admin('mutation ($input: UpdateProductInput!) { updateProduct(input: $input) { id } }', {
    input: { id, enabled },
  });
}

export async function deleteVariant({ admin }, id) {
  await admin('mutation ($id: ID!) { deleteProductVariant(id: $id) { result } }', { id });
}

export async function deleteCustomer({ admin }, id) {
  await admin('mutation ($id: ID!) { deleteCustomer(id: $id) { result } }', { id });
}

/** Sets the stock at the first location. */
export async function countStock({ admin }, variantId, stockOnHand) {
  await admin(
    'mutation ($input: [UpdateProductVariantInput!]!) { updateProductVariants(input: $input) { id } }',
    { input: [{ id: variantId, stockOnHand }] },
  );
}

/** Turns stock tracking on or off for variants without a setting of their own. */
export async function trackStock({ admin }, trackInventory) {
  await admin(
    'mutation ($input: UpdateGlobalSettingsInput!) { updateGlobalSettings(input: $input) { __typename } }',
    { input: { trackInventory } },
  );
}

export async function moveCustomer({ admin }, id, streetLine1) {
  await admin(
    `mutation ($id: ID!, $input: CreateAddressInput!) { createCustomerAddress(customerId: $id, input: $input) { id } }`,
    { id, input: { streetLine1, city: 'York', countryCode: 'GB', defaultBillingAddress: true } },
  );
}

/** Creates more customers than fit on a page, in few requests. */
export async function addCustomers({ admin }, count) {
  const made = Array.from({ length: count }, (_, index) => `many-${index}`);
  for (let from = 0; from < made.length; from += 25) {
    const fields = made.slice(from, from + 25).map(
      (name, index) => `c${index}: createCustomer(input: {
          firstName: "Many", lastName: "${name}", emailAddress: "${name}@example.com"
        }) { __typename ... on ErrorResult { errorCode message } }`,
    );
    await admin(`mutation { ${fields.join('\n')} }`);
  }
}

/** The same for products. */
export async function addProducts({ admin }, count) {
  const made = Array.from({ length: count }, (_, index) => `Sample ${index}`);
  for (let from = 0; from < made.length; from += 25) {
    const fields = made.slice(from, from + 25).map(
      (name, index) => `p${index}: createProduct(input: { translations: [{
          languageCode: en, name: "${name}", slug: "${name.toLowerCase().replace(' ', '-')}", description: ""
        }] }) { id }`,
    );
    await admin(`mutation { ${fields.join('\n')} }`);
  }
}

/** Renames the company of the default channel. */
export async function renameSeller({ admin }, name) {
  const { activeChannel } = await admin('{ activeChannel { seller { id } } }');
  await admin('mutation ($input: UpdateSellerInput!) { updateSeller(input: $input) { id } }', {
    input: { id: activeChannel.seller.id, name },
  });
}
