import { type Stripe } from 'stripe';

import { BEGINNING, DAY, type StripeAccount } from '../account.js';
import { note } from '../events.js';
import { listOf, type Price, type Subscription, type SubscriptionItem } from '../wire.js';
import { makePrice, MONTHLY, planOf } from './catalogue.js';
import { makePaymentMethod } from './methods.js';

interface OwnOfSubscription {
  readonly created: number;
  readonly currency: string;
  readonly customer: string;
  readonly status: Stripe.Subscription.Status;
  readonly prices: readonly Price[];
  readonly own?: Partial<Subscription>;
}

export function makeSubscription(
  account: StripeAccount,
  { created, currency, customer, status, prices, own = {} }: OwnOfSubscription,
): Subscription {
  const id = account.newId('sub');
  const isOver = status === 'canceled';
  // Items may have periods of their own: the first has that of the subscription.
  const items = prices.map((price, index): SubscriptionItem => ({
    id: account.newId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created,
    current_period_end: created + (30 + index) * DAY,
    current_period_start: created + index * DAY,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: planOf(price),
    price,
    quantity: 1 + index,
    subscription: id,
    tax_rates: [],
  }));
  const subscription = {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: created,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: null, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: isOver ? created + 20 * DAY : null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created,
    currency,
    customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: isOver ? created + 20 * DAY : null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items: listOf(`/v1/subscription_items?subscription=${id}`, items),
    latest_invoice: null,
    livemode: true,
    managed_payments: null,
    metadata: {},
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: null,
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: created,
    status,
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: null,
    trial_start: null,
    ...own,
  } satisfies Subscription as Subscription;
  account.subscriptions.add(subscription, created);
  note(account, 'customer.subscription.created', subscription, created);
  return subscription;
}

const STATUSES = [
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'canceled',
  'incomplete',
  'incomplete_expired',
  'paused',
];
const METHODS = ['card', 'sepa_debit', null, 'link'];
const CURRENCIES = ['usd', 'eur', 'jpy'];
const COUNT = 20;

export function fillSubscriptions(account: StripeAccount): void {
  const customers = account.customers.values();
  const product = account.products.values().find(({ default_price }) => default_price !== null);
  for (let index = 0; index < COUNT; index += 1) {
    const created = BEGINNING - (COUNT - index) * 4 * DAY;
    const currency = CURRENCIES[index % CURRENCIES.length] ?? '';
    const prices = ['900', '250'].slice(0, 1 + (index % 2)).map((decimal) =>
      makePrice(account, product?.id ?? '', {
        created: created - DAY,
        currency,
        unit_amount_decimal: decimal,
        recurring: MONTHLY,
      }),
    );
    const type = METHODS[index % METHODS.length];
    const method = type && makePaymentMethod(account.newId('pm'), { type, created });
    if (method) account.paymentMethods.add(method, created);
    const subscription = makeSubscription(account, {
      created,
      currency,
      customer: customers[index * 3]?.id ?? '',
      status: STATUSES[index % STATUSES.length] ?? '',
      prices,
      own: {
        default_payment_method: method ? method.id : null,
        description: index % 3 === 0 ? null : `Contract ${index}`,
        cancel_at: index % 5 === 2 ? created + 300 * DAY : null,
      },
    });
    if (subscription.status === 'canceled') {
      note(account, 'customer.subscription.deleted', subscription, created + 20 * DAY);
    } else if (index % 4 === 1) {
      note(account, 'customer.subscription.updated', subscription, created + DAY);
    }
  }
}
