import { type Connector } from '../../connector.js';
import { sandboxHooks } from '../hooks.js';
import { createPayClient, PAY_TITLE } from './client.js';
import { payOAuth } from './oauth.js';
import {
  balances,
  customers,
  disputes,
  invoices,
  items,
  orders,
  paymentLinks,
  payments,
  payouts,
  refunds,
  subscriptions,
  taxRates,
  transactions,
} from './resources.js';

/** The payments platform of the sandbox. */
export const sandboxPay: Connector = {
  integrationType: 'SVC_SANDBOX',
  category: 'PAYMENTS',
  title: PAY_TITLE,
  access: payOAuth,
  limits: { perMinute: 600, perDay: null, concurrent: 10 },
  pulls: [
    customers,
    invoices,
    orders,
    paymentLinks,
    payments,
    refunds,
    disputes,
    payouts,
    transactions,
    balances,
    items,
    taxRates,
    subscriptions,
  ],
  hooks: sandboxHooks({
    customers,
    invoices,
    orders,
    payment_links: paymentLinks,
    payments,
    refunds,
    disputes,
    payouts,
    balance_transactions: transactions,
    balances,
    items,
    tax_rates: taxRates,
    subscriptions,
  }),
  createClient: (access) => createPayClient(access),
};
