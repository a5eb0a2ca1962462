/** Objects as docs/sandbox.md shows them. */
export const CREATED = 1767603600;
export const CREATED_AT = '2026-01-05T09:00:00.000Z';

export const customer = {
  id: 'cus_1',
  object: 'customer',
  created: CREATED,
  name: 'Priya Nair',
  email: 'accounts@priya-nair.example',
  website: 'https://priya-nair.example',
  phones: [{ type: 'mobile', number: '+61 491 570 123' }],
  tax_id: '82736451029',
  currency: 'inr',
  address: {
    line1: '12 Mill Lane',
    line2: 'Riverside',
    city: 'Mumbai',
    state: 'Maharashtra',
    postal_code: '400001',
    country: 'India',
  },
  metadata: {},
};

const line = {
  id: 'il_1',
  object: 'line_item',
  item: 'item_7003',
  tax_rate: 'txr_gst_18',
  description: 'Extra seat',
  quantity: 3,
  unit_amount: 1250,
  amount_subtotal: 3750,
  amount_discount: 0,
  amount_tax: 675,
  amount_total: 4425,
  updated: CREATED,
};

export const invoice = {
  id: 'in_1',
  object: 'invoice',
  created: CREATED,
  number: 'LP-2001',
  customer: 'cus_1',
  currency: 'inr',
  status: 'open',
  issued: 1767916800,
  due: 1769126400,
  amount_subtotal: 3750,
  amount_discount: 0,
  amount_tax: 675,
  amount_total: 4425,
  amount_remaining: 4425,
  lines: { object: 'list', has_more: false, data: [line] },
  metadata: {},
};

export const order = {
  id: 'ord_1',
  object: 'order',
  created: CREATED,
  reference: 'WEB-5001',
  amount: 54210,
  amount_due: 5,
  currency: 'aud',
  status: 'paid',
  customer: 'cus_1',
  metadata: {},
};

export const paymentLink = {
  id: 'plink_1',
  object: 'payment_link',
  created: CREATED,
  updated: 1768000000,
  active: true,
  url: 'https://pay.lantern.example/plink_1',
  currency: 'aud',
  amount_total: 4425,
  description: 'Checkout 1: Extra seat',
  line_items: { object: 'list', has_more: false, data: [line] },
  metadata: {},
};

export const payment = {
  id: 'pay_1',
  object: 'payment',
  created: CREATED,
  amount: 4425,
  currency: 'inr',
  customer: 'cus_1',
  description: 'Hana Lindqvist, invoice in_1',
  invoice: 'in_1',
  order: null,
  method: { type: 'upi' },
  status: 'succeeded',
  metadata: {},
};

export const refund = {
  id: 're_1',
  object: 'refund',
  created: CREATED,
  amount: 1106,
  currency: 'inr',
  payment: 'pay_1',
  description: 'A part of it',
  status: 'succeeded',
  metadata: {},
};

export const dispute = {
  id: 'dp_1',
  object: 'dispute',
  created: CREATED,
  amount: 4425,
  currency: 'inr',
  payment: 'pay_1',
  reason: 'fraudulent',
  reason_text: 'The payer does not know of the payment',
  status: 'needs_response',
  metadata: {},
};

export const payout = {
  id: 'po_1',
  object: 'payout',
  created: CREATED,
  amount: 419650,
  currency: 'inr',
  description: 'Week to 2026-02-09',
  status: 'in_transit',
  metadata: {},
};

export const transaction = {
  id: 'txn_1',
  object: 'balance_transaction',
  created: CREATED,
  amount: -128,
  currency: 'inr',
  type: 'fee',
  description: 'Fee in INR',
  source: 'pay_1',
  payout: 'po_1',
  status: 'available',
  metadata: {},
};

export const balance = {
  id: 'bal_1',
  object: 'balance',
  created: CREATED,
  currency: 'inr',
  available: 90210,
  pending: -1550,
  metadata: {},
};

export const item = {
  id: 'item_7003',
  object: 'item',
  created: CREATED,
  updated: CREATED,
  name: 'Extra seat',
  description: 'Extra seat, priced by itself',
  code: 'P-7003',
  unit_amount: 1250,
  currency: 'aud',
  active: true,
  metadata: {},
};

export const taxRate = {
  id: 'txr_gst_18',
  object: 'tax_rate',
  created: CREATED,
  updated: CREATED,
  name: 'GST 18%',
  description: 'Goods and services tax of 18 percent',
  percentage: 18,
  metadata: {},
};

export const subscription = {
  id: 'sub_1',
  object: 'subscription',
  created: CREATED,
  customer: 'cus_1',
  currency: 'inr',
  description: 'Monthly plan',
  status: 'cancelled',
  method: { type: 'upi' },
  current_start: CREATED,
  current_end: 1770195600,
  cancel_at: 1770195600,
  metadata: {},
};
