import {
  payment,
  paymentCustomer,
  paymentInvoice,
  paymentLink,
  paymentOrder,
} from '../../../records/index.js';
import { type PullResource } from '../../connector.js';
import { toCustomer } from './mappers/customer.js';
import { toInvoice } from './mappers/invoice.js';
import { toOrder } from './mappers/order.js';
import { toPaymentLink } from './mappers/payment-link.js';
import { toPayment } from './mappers/payment.js';
import { deletionsOf, EVENT_DAYS, kindPages, type PayKind } from './pages.js';

const CUSTOMERS: PayKind = { list: 'customers', object: 'customer' };
const INVOICES: PayKind = { list: 'invoices', object: 'invoice' };
const ORDERS: PayKind = { list: 'orders', object: 'order' };
const PAYMENT_LINKS: PayKind = { list: 'payment_links', object: 'payment_link' };
const PAYMENTS: PayKind = { list: 'payments', object: 'payment' };

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
