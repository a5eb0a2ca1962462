import { type Connector } from '../connector.js';
import { stripeAccess } from './access.js';
import { createStripeClient, createStripePassthrough, STRIPE_TITLE } from './client.js';
import { stripeMark } from './mark.js';
import {
  balances,
  customers,
  disputes,
  invoices,
  items,
  paymentLinks,
  payments,
  payouts,
  refunds,
  subscriptions,
  taxRates,
  transactions,
} from './resources.js';

/** Stripe, through a key of the account. */
export const stripe: Connector = {
  integrationType: 'STRIPE',
  category: 'PAYMENTS',
  title: STRIPE_TITLE,
  mark: stripeMark,
  access: stripeAccess,
  // 25 calls a second: the limit of an account in test mode, and of any one path in live mode.
  limits: {
    perMinute: 1500,
    perDay: null,
    concurrent: 10,
    points: { capacity: 25, perSecond: 25, mostPerCall: 1 },
  },
  pulls: [
    customers,
    items,
    taxRates,
    invoices,
    paymentLinks,
    payments,
    refunds,
    disputes,
    payouts,
    transactions,
    balances,
    subscriptions,
  ],
  createClient: (access) => createStripeClient(access),
  createPassthrough: createStripePassthrough,
};
