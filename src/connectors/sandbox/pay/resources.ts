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
  type RecordDefinition,
} from '../../../records/index.js';
import { type PullResource } from '../../pull.js';
import { toItem, toSubscription, toTaxRate } from './mappers/catalog.js';
import { toCustomer } from './mappers/customer.js';
import { toDispute } from './mappers/dispute.js';
import { toInvoice } from './mappers/invoice.js';
import { toBalance, toPayout, toTransaction } from './mappers/ledger.js';
import { toOrder } from './mappers/order.js';
import { toPaymentLink } from './mappers/payment-link.js';
import { toPayment } from './mappers/payment.js';
import { toRefund } from './mappers/refund.js';
import { deletionsOf, EVENT_DAYS, kindPages, type PayKind, readOne } from './pages.js';

/** Reads one kind by its list, its events and single ids. */
function resourceOf<Definition extends RecordDefinition>(
  definition: Definition,
  kind: PayKind,
  toUnified: PullResource<Definition>['toUnified'],
): PullResource<Definition> {
  return {
    definition,
    mapperVersion: 1,
    incremental: true,
    reachDays: EVENT_DAYS,
    deletions: deletionsOf(kind),
    pages: (client, options) => kindPages(kind, client, options),
    read: readOne(kind),
    toUnified,
  };
}

export const customers = resourceOf(paymentCustomer, { list: 'customers', object: 'customer' }, toCustomer);
export const invoices = resourceOf(paymentInvoice, { list: 'invoices', object: 'invoice' }, toInvoice);
export const orders = resourceOf(paymentOrder, { list: 'orders', object: 'order' }, toOrder);
export const paymentLinks = resourceOf(
  paymentLink,
  { list: 'payment_links', object: 'payment_link' },
  toPaymentLink,
);
export const payments = resourceOf(payment, { list: 'payments', object: 'payment' }, toPayment);
export const refunds = resourceOf(paymentRefund, { list: 'refunds', object: 'refund' }, toRefund);
export const disputes = resourceOf(paymentDispute, { list: 'disputes', object: 'dispute' }, toDispute);
export const payouts = resourceOf(paymentPayout, { list: 'payouts', object: 'payout' }, toPayout);
export const transactions = resourceOf(
  paymentTransaction,
  { list: 'balance_transactions', object: 'balance_transaction' },
  toTransaction,
);
export const balances = resourceOf(paymentBalance, { list: 'balances', object: 'balance' }, toBalance);
export const items = resourceOf(paymentItem, { list: 'items', object: 'item' }, toItem);
export const taxRates = resourceOf(paymentTaxRate, { list: 'tax_rates', object: 'tax_rate' }, toTaxRate);
export const subscriptions = resourceOf(
  paymentSubscription,
  { list: 'subscriptions', object: 'subscription' },
  toSubscription,
);
