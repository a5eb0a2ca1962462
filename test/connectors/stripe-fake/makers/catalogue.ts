import { type Stripe } from 'stripe';

import { BEGINNING, DAY, type StripeAccount } from '../account.js';
import { note } from '../events.js';
import { type Plan, type Price } from '../wire.js';

const HOUR = 3600;

export function makeProduct(
  account: StripeAccount,
  own: Partial<Stripe.Product> & { readonly created: number; readonly name: string },
): Stripe.Product {
  const product = {
    id: account.newId('prod'),
    object: 'product',
    active: true,
    default_price: null,
    description: null,
    images: [],
    livemode: true,
    marketing_features: [],
    metadata: {},
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: own.created,
    url: null,
    ...own,
  } satisfies Stripe.Product;
  account.products.add(product, product.created);
  note(account, 'product.created', product, product.created);
  return product;
}

type OwnOfPrice = Partial<Price> & Pick<Price, 'created' | 'currency' | 'unit_amount_decimal'>;

export function makePrice(account: StripeAccount, product: string, own: OwnOfPrice): Price {
  const decimal = own.unit_amount_decimal;
  const price = {
    id: account.newId('price'),
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    custom_unit_amount: null,
    livemode: true,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product,
    recurring: null,
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: own.recurring ? 'recurring' : 'one_time',
    // Fractions of the smallest unit have the decimal form alone.
    unit_amount: decimal === null || decimal.includes('.') ? null : Number(decimal),
    ...own,
  } satisfies Price;
  account.prices.add(price, price.created);
  note(account, 'price.created', price, price.created);
  return price;
}

export const MONTHLY: Stripe.Price.Recurring = {
  interval: 'month',
  interval_count: 1,
  meter: null,
  trial_period_days: null,
  usage_type: 'licensed',
};

/** What prices were once. */
export const planOf = (price: Price): Plan => ({
  id: price.id,
  object: 'plan',
  active: price.active,
  amount: price.unit_amount,
  amount_decimal: price.unit_amount_decimal,
  billing_scheme: 'per_unit',
  created: price.created,
  currency: price.currency,
  interval: 'month',
  interval_count: 1,
  livemode: true,
  metadata: {},
  meter: null,
  nickname: null,
  product: price.product,
  tiers_mode: null,
  transform_usage: null,
  trial_period_days: null,
  usage_type: 'licensed',
});

export function makeTaxRate(
  account: StripeAccount,
  own: Partial<Stripe.TaxRate> & Pick<Stripe.TaxRate, 'created' | 'display_name' | 'percentage'>,
): Stripe.TaxRate {
  const rate = {
    id: account.newId('txr'),
    object: 'tax_rate',
    active: true,
    country: null,
    description: null,
    effective_percentage: null,
    flat_amount: null,
    inclusive: false,
    jurisdiction: null,
    jurisdiction_level: null,
    livemode: true,
    metadata: {},
    rate_type: 'percentage',
    state: null,
    tax_type: null,
    ...own,
  } satisfies Stripe.TaxRate;
  account.taxRates.add(rate, rate.created);
  note(account, 'tax_rate.created', rate, rate.created);
  return rate;
}

/** Of the default price, in the smallest unit of its currency. */
const PRICES: readonly (readonly [currency: string, decimal: string | null] | null)[] = [
  ['usd', '2000'],
  ['eur', '1999'],
  ['jpy', '1500'],
  ['kwd', '12345'],
  ['isk', '150000'],
  ['ugx', '2500000'],
  ['usd', '1.25'],
  ['jpy', '0.5'],
  ['kwd', '0.125'],
  ['usd', '0'],
  // By tiers, or chosen by who pays.
  ['usd', null],
  // Without a price: such a product can be deleted.
  null,
  null,
];

export function fillCatalogue(account: StripeAccount): void {
  for (let index = 0; index < 2 * PRICES.length; index += 1) {
    const created = BEGINNING - (52 - 2 * index) * DAY;
    const product = makeProduct(account, {
      created,
      name: `Plan ${index}`,
      active: index % 9 !== 8,
      description: index % 3 === 0 ? null : `What plan ${index} has`,
      type: index % 2 === 0 ? 'service' : 'good',
      metadata: index % 4 === 0 ? { sku: `SKU-${index}` } : {},
      updated: created + HOUR,
    });
    const price = PRICES[index % PRICES.length];
    if (!price) continue;
    const [currency, decimal] = price;
    product.default_price = makePrice(account, product.id, {
      created,
      currency,
      unit_amount_decimal: decimal,
      ...(decimal === null ? { billing_scheme: 'tiered', tiers_mode: 'graduated' } : {}),
    }).id;
    // One more, which is not the default.
    if (index % 4 === 1) {
      makePrice(account, product.id, {
        created: created + HOUR,
        currency: 'eur',
        unit_amount_decimal: '777',
        recurring: MONTHLY,
      });
    }
    note(account, 'product.updated', product, created + HOUR);
  }
  RATES.forEach(([name, percentage, inclusive], index) => {
    const created = BEGINNING - (70 - 5 * index) * DAY;
    makeTaxRate(account, {
      created,
      display_name: name,
      percentage,
      inclusive,
      active: index % 6 !== 5,
      description: index % 3 === 2 ? null : `${name} of ${percentage} percent`,
      ...(percentage === 0 ? { flat_amount: { amount: 50, currency: 'usd' }, rate_type: 'flat_amount' } : {}),
    });
  });
}

const RATES: readonly (readonly [name: string, percentage: number, inclusive: boolean])[] = [
  ['VAT', 19, false],
  ['VAT', 19, true],
  ['VAT', 7, false],
  ['Sales Tax', 8.875, false],
  ['GST', 10, true],
  ['GST', 18, false],
  ['Consumption Tax', 10, false],
  ['Consumption Tax', 8, true],
  ['Retail Delivery Fee', 0, false],
  ['VSK', 24, false],
  ['VSK', 11, true],
  ['QST', 9.975, false],
];
