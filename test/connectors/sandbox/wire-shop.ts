/** Objects as docs/sandbox.md shows them. */
export const money = (amount: string, currency_code = 'AUD') => ({
  shop_money: { amount, currency_code },
  presentment_money: { amount: '1.00', currency_code: 'USD' },
});

export const orderLine = {
  id: 'gid://sandbox-shop/LineItem/9001',
  product_id: 'gid://sandbox-shop/Product/40112',
  title: 'Copper kettle',
  quantity: 2,
  price_set: money('129.00'),
  subtotal_set: money('258.00'),
  total_discount_set: money('38.70'),
  total_set: money('241.23'),
  tax_lines: [{ title: 'GST', code: 'gst-10', rate: 0.1, price_set: money('21.93') }],
};

export const order = {
  id: 'gid://sandbox-shop/Order/4820931',
  name: '#1001',
  order_number: 1001,
  checkout_reference: 'checkout-500200',
  created_at: '2026-03-01T19:00:00+10:00',
  updated_at: '2026-03-02T02:00:00+10:00',
  cancelled_at: null,
  financial_status: 'paid',
  fulfillment_status: 'fulfilled',
  currency: 'AUD',
  customer: { id: 'gid://sandbox-shop/Customer/310077' },
  note: 'Copper kettle, Tea towel',
  note_attributes: [{ name: 'marker', value: 'any' }],
  tags: 'svc, web',
  subtotal_price_set: money('258.00'),
  total_discounts_set: money('38.70'),
  total_tax_set: money('21.93'),
  total_price_set: money('241.23'),
  total_outstanding_set: money('0.00'),
  line_items: [orderLine],
};

export const transaction = {
  id: 'gid://sandbox-shop/OrderTransaction/7730012',
  order_id: 'gid://sandbox-shop/Order/4820931',
  kind: 'sale',
  status: 'success',
  gateway: 'credit_card',
  message: 'Order #1001',
  amount_set: money('241.23'),
  fees: [
    { type: 'processing_fee', amount_set: money('7.00') },
    { type: 'other', amount_set: money('0.30') },
  ],
  created_at: '2026-03-01T19:28:48+10:00',
  updated_at: '2026-03-01T19:43:12+10:00',
};

export const customer = {
  id: 'gid://sandbox-shop/Customer/310077',
  first_name: 'Hana',
  last_name: 'Quinn',
  email: 'hana.quinn@mail.example',
  phone: '+61 491 570 156',
  state: 'enabled',
  currency: 'AUD',
  note: null,
  tags: '',
  default_address: {
    address1: '12 Quay Street',
    address2: 'The Rocks',
    city: 'Sydney',
    province: 'NSW',
    zip: '2000',
    country: 'Australia',
  },
  created_at: '2026-02-01T19:00:00+10:00',
  updated_at: '2026-02-02T02:00:00+10:00',
};

export const fulfillment = {
  id: 'gid://sandbox-shop/Fulfillment/8810045',
  order_id: 'gid://sandbox-shop/Order/4820931',
  tracking_company: 'Kookaburra Post',
  tracking_number: 'KP48205517AU',
  tracking_url: 'https://track.kookaburra.example/KP48205517AU',
  service: 'Express',
  created_at: '2026-03-02T19:00:00+10:00',
  updated_at: '2026-03-04T08:30:00+10:00',
};

export const product = {
  id: 'gid://sandbox-shop/Product/40112',
  title: 'Copper kettle',
  body_text: 'Copper kettle from Bendigo',
  status: 'active',
  tags: '',
  created_at: '2026-01-05T19:00:00+10:00',
  updated_at: '2026-01-06T02:00:00+10:00',
};

export const inventoryLevel = {
  id: 'gid://sandbox-shop/InventoryLevel/9050012',
  product_id: 'gid://sandbox-shop/Product/40112',
  title: 'Copper kettle, in stock',
  sku: 'SKU-40112',
  available: 31,
  created_at: '2026-01-05T19:00:00+10:00',
  updated_at: '2026-04-06T02:00:00+10:00',
};

export const balance = {
  id: 'gid://sandbox-shop/Balance/6021944',
  amount: '8123.45',
  currency: 'AUD',
  created_at: '2026-01-05T19:00:00+10:00',
  updated_at: '2026-06-04T19:00:00+10:00',
};

export const shop = {
  id: 'gid://sandbox-shop/Shop/7012233',
  name: 'Copper Shop',
  url: 'https://copper-shop.example',
  email: 'hello@copper-shop.example',
  currency: 'AUD',
  created_at: '2026-01-05T19:00:00+10:00',
  updated_at: '2026-01-07T01:00:00+10:00',
};
