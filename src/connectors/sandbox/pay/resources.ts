import {
  payment,
  paymentBalance,
  paymentCustomer,
  paymentDispute,
  paymentInvoice,
  paymentItem,
  paymentLink,
  paymentOrder,
  paymentPayout,
  paymentRefund,
  paymentSubscription,
  paymentTaxRate,
  paymentTransaction,
} from '../../../records/index.js';
import { type PullResource } from '../../connector.js';
import { toItem, toSubscription, toTaxRate } from './mappers/catalog.js';
import { toCustomer } from './mappers/customer.js';
import { toDispute } from './mappers/dispute.js';
import { toInvoice } from './mappers/invoice.js';
import { toBalance, toPayout, toTransaction } from './mappers/ledger.js';
import { toOrder } from './mappers/order.js';
import { toPaymentLink } from './mappers/payment-link.js';
import { toPayment } from './mappers/payment.js';
import { toRefund } from './mappers/refund.js';
import { deletionsOf, EVENT_DAYS, kindPages, type PayKind } from './pages.js';

const CUSTOMERS: PayKind = { list: 'customers', object: 'customer' };
const INVOICES: PayKind = { list: 'invoices', object: 'invoice' };
const ORDERS: PayKind = { list: 'orders', object: 'order' };
const PAYMENT_LINKS: PayKind = { list: 'payment_links', object: 'payment_link' };
const PAYMENTS: PayKind = { list: 'payments', object: 'payment' };
const REFUNDS: PayKind = { list: 'refunds', object: 'refund' };
const DISPUTES: PayKind = { list: 'disputes', object: 'dispute' };
const PAYOUTS: PayKind = { list: 'payouts', object: 'payout' };
const TRANSACTIONS: PayKind = { list: 'balance_transactions', object: 'balance_transaction' };
const BALANCES: PayKind = { list: 'balances', object: 'balance' };
const ITEMS: PayKind = { list: 'items', object: 'item' };
const TAX_RATES: PayKind = { list: 'tax_rates', object: 'tax_rate' };
const SUBSCRIPTIONS: PayKind = { list: 'subscriptions', object: 'subscription' };

export const customers: PullResource<typeof paymentCustomer> = {
  definition: paymentCustomer,
  mapperVersion: 1,
  incremental: true,
  reachDays: EVENT_DAYS,
  deletions: deletionsOf(CUSTOMERS),
  pages: (client, options) => kindPages(CUSTOMERS, client, options),
  toUnified: toCustomer,
};

export const invoices: PullResource<typeof paymentInvoice> = {
  definition: paymentInvoice,
  mapperVersion: 1,
  incremental: true,
  reachDays: EVENT_DAYS,
  deletions: deletionsOf(INVOICES),
  pages: (client, options) => kindPages(INVOICES, client, options),
  toUnified: toInvoice,
};

export const orders: PullResource<typeof paymentOrder> = {
  definition: paymentOrder,
  mapperVersion: 1,
  incremental: true,
  reachDays: EVENT_DAYS,
  deletions: deletionsOf(ORDERS),
  pages: (client, options) => kindPages(ORDERS, client, options),
  toUnified: toOrder,
};

export const paymentLinks: PullResource<typeof paymentLink> = {
  definition: paymentLink,
  mapperVersion: 1,
  incremental: true,
  reachDays: EVENT_DAYS,
  deletions: deletionsOf(PAYMENT_LINKS),
  pages: (client, options) => kindPages(PAYMENT_LINKS, client, options),
  toUnified: toPaymentLink,
};

export const payments: PullResource<typeof payment> = {
  definition: payment,
  mapperVersion: 1,
  incremental: true,
  reachDays: EVENT_DAYS,
  deletions: deletionsOf(PAYMENTS),
  pages: (client, options) => kindPages(PAYMENTS, client, options),
  toUnified: toPayment,
};

export const refunds: PullResource<typeof paymentRefund> = {
  definition: paymentRefund,
  mapperVersion: 1,
  incremental: true,
  reachDays: EVENT_DAYS,
  deletions: deletionsOf(REFUNDS),
  pages: (client, options) => kindPages(REFUNDS, client, options),
  toUnified: toRefund,
};

export const disputes: PullResource<typeof paymentDispute> = {
  definition: paymentDispute,
  mapperVersion: 1,
  incremental: true,
  reachDays: EVENT_DAYS,
  deletions: deletionsOf(DISPUTES),
  pages: (client, options) => kindPages(DISPUTES, client, options),
  toUnified: toDispute,
};

export const payouts: PullResource<typeof paymentPayout> = {
  definition: paymentPayout,
  mapperVersion: 1,
  incremental: true,
  reachDays: EVENT_DAYS,
  deletions: deletionsOf(PAYOUTS),
  pages: (client, options) => kindPages(PAYOUTS, client, options),
  toUnified: toPayout,
};

export const transactions: PullResource<typeof paymentTransaction> = {
  definition: paymentTransaction,
  mapperVersion: 1,
  incremental: true,
  reachDays: EVENT_DAYS,
  deletions: deletionsOf(TRANSACTIONS),
  pages: (client, options) => kindPages(TRANSACTIONS, client, options),
  toUnified: toTransaction,
};

export const balances: PullResource<typeof paymentBalance> = {
  definition: paymentBalance,
  mapperVersion: 1,
  incremental: true,
  reachDays: EVENT_DAYS,
  deletions: deletionsOf(BALANCES),
  pages: (client, options) => kindPages(BALANCES, client, options),
  toUnified: toBalance,
};

export const items: PullResource<typeof paymentItem> = {
  definition: paymentItem,
  mapperVersion: 1,
  incremental: true,
  reachDays: EVENT_DAYS,
  deletions: deletionsOf(ITEMS),
  pages: (client, options) => kindPages(ITEMS, client, options),
  toUnified: toItem,
};

export const taxRates: PullResource<typeof paymentTaxRate> = {
  definition: paymentTaxRate,
  mapperVersion: 1,
  incremental: true,
  reachDays: EVENT_DAYS,
  deletions: deletionsOf(TAX_RATES),
  pages: (client, options) => kindPages(TAX_RATES, client, options),
  toUnified: toTaxRate,
};

export const subscriptions: PullResource<typeof paymentSubscription> = {
  definition: paymentSubscription,
  mapperVersion: 1,
  incremental: true,
  reachDays: EVENT_DAYS,
  deletions: deletionsOf(SUBSCRIPTIONS),
  pages: (client, options) => kindPages(SUBSCRIPTIONS, client, options),
  toUnified: toSubscription,
};
