import { type Connector } from '../../connector.js';
import { sandboxHooks } from '../hooks.js';
import { createPayClient, PAY_TITLE } from './client.js';
import { payOAuth } from './oauth.js';
import {
  balances,
  customers,
  disputes,
  invoices,
  orders,
  paymentLinks,
  payments,
  payouts,
  refunds,
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
  }),
  createClient: (access) => createPayClient(access),
};
