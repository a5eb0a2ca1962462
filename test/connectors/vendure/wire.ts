/** An order as Vendure's Admin API sends it: 5 % off by a coupon, shipping, a gift box, 20 % VAT on all. */
export const order = {
  id: '7',
  code: 'UJ8Z5K2QW3N4R6T7',
  state: 'PaymentSettled',
  active: false,
  orderPlacedAt: '2026-03-01T09:00:00.000Z',
  createdAt: '2026-03-01T08:40:00.000Z',
  updatedAt: '2026-03-01T09:00:01.000Z',
  currencyCode: 'USD',
  couponCodes: ['FIVE'],
  customer: { id: '3' },
  total: 25000,
  totalWithTax: 30000,
  lines: [
    {
      id: '11',
      quantity: 2,
      unitPrice: 12000,
      linePrice: 24000,
      proratedLinePrice: 22800,
      proratedLinePriceWithTax: 27360,
      productVariant: { id: '2', productId: '1', sku: 'L2201308', name: 'Laptop 13 inch 8GB' },
      taxLines: [{ description: 'Standard Tax', taxRate: 20 }],
    },
  ],
  shippingLines: [
    {
      id: '5',
      price: 2000,
      discountedPrice: 2000,
      discountedPriceWithTax: 2400,
      shippingMethod: { code: 'standard', name: 'Standard Shipping' },
    },
  ],
  surcharges: [{ id: '1', description: 'Gift box', price: 200, priceWithTax: 240 }],
  payments: [{ id: '9', amount: 30000, state: 'Settled', method: 'card', refunds: [] }],
  moneyPrecision: 2,
};

/** The same order as it is read for its movements of money: half of it was paid back. */
export const paidOrder = {
  id: '7',
  updatedAt: '2026-03-01T09:00:01.000Z',
  currencyCode: 'USD',
  payments: [
    {
      id: '9',
      createdAt: '2026-03-01T09:00:00.000Z',
      updatedAt: '2026-03-01T09:00:02.000Z',
      method: 'card',
      amount: 30000,
      state: 'Settled',
      transactionId: 'ch_1',
      errorMessage: null,
      refunds: [
        {
          id: '9',
          createdAt: '2026-03-02T10:00:00.000Z',
          updatedAt: '2026-03-02T10:00:05.000Z',
          method: 'card',
          total: 15000,
          state: 'Settled',
          transactionId: 're_1',
          reason: 'too heavy',
        },
      ],
    },
  ],
  moneyPrecision: 2,
};

/** An order of which one parcel was sent and one was not. */
export const sentOrder = {
  id: '7',
  updatedAt: '2026-03-03T09:00:01.000Z',
  fulfillments: [
    {
      id: '4',
      createdAt: '2026-03-03T09:00:00.000Z',
      updatedAt: '2026-03-03T09:00:01.000Z',
      state: 'Shipped',
      method: 'Standard Shipping',
      trackingCode: 'GB-123',
    },
    {
      id: '5',
      createdAt: '2026-03-03T10:00:00.000Z',
      updatedAt: '2026-03-03T10:00:01.000Z',
      state: 'Cancelled',
      method: 'Standard Shipping',
      trackingCode: '',
    },
  ],
};

export const customer = {
  id: '3',
  createdAt: '2026-02-01T09:00:00.000Z',
  updatedAt: '2026-02-02T09:00:00.000Z',
  firstName: 'Hayden',
  lastName: 'Zieme',
  emailAddress: 'hayden@example.com',
  phoneNumber: '029 1203 1336',
  addresses: [
    {
      id: '1',
      streetLine1: '1 Parcel Road',
      streetLine2: '',
      city: 'Leeds',
      province: '',
      postalCode: 'LS2 2BB',
      country: { code: 'GB' },
      defaultBillingAddress: false,
      defaultShippingAddress: true,
    },
    {
      id: '2',
      streetLine1: '2 Bill Street',
      streetLine2: 'Flat 3',
      city: 'Leeds',
      province: 'West Yorkshire',
      postalCode: 'LS1 1AA',
      country: { code: 'GB' },
      defaultBillingAddress: true,
      defaultShippingAddress: false,
    },
  ],
};

export const product = {
  id: '1',
  createdAt: '2026-01-01T09:00:00.000Z',
  updatedAt: '2026-01-02T09:00:00.000Z',
  name: 'Laptop',
  description: '<p>Light.</p>',
  enabled: true,
};

/** In two places, with three promised. */
export const variant = {
  id: '2',
  createdAt: '2026-01-01T09:00:00.000Z',
  updatedAt: '2026-01-02T09:00:00.000Z',
  productId: '1',
  sku: 'L2201308',
  name: 'Laptop 13 inch 8GB',
  trackInventory: 'INHERIT',
  shopTracksInventory: true,
  stockLevels: [
    { id: '1', updatedAt: '2026-03-01T09:00:01.000Z', stockOnHand: 80, stockAllocated: 3 },
    { id: '2', updatedAt: '2026-02-01T09:00:00.000Z', stockOnHand: 20, stockAllocated: 0 },
  ],
};

export const channel = {
  id: '2',
  createdAt: '2026-01-01T09:00:00.000Z',
  updatedAt: '2026-01-02T09:00:00.000Z',
  code: 'uk-shop',
  token: 'uk-token',
  defaultCurrencyCode: 'GBP',
  seller: { name: 'Parcel & Co' },
};
