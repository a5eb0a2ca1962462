import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { DemoRecords } from '../demo-records.js';
import type { Random } from '../random.js';
import { DEMO_SIZE, type Size } from '../size.js';
import { createItems, createSubscriptions, createTaxRates } from './catalog.js';
import { createCustomers } from './customers.js';
import { createInvoices } from './invoices.js';
import { createLedger } from './ledger.js';
import { createPaymentLinks } from './links.js';
import { createOrders } from './orders.js';
import { createPayments } from './payments.js';
import { createDisputes, createRefunds } from './refunds.js';

/**
 * The payments account of one demo company: customers, items, invoices, orders, all payment attempts and the
 * resulting balance.
 */
export function createGateway(random: Random, size: Size = DEMO_SIZE): DemoRecords {
  const customers = createCustomers(random, size);
  const invoices = createInvoices(random, customers, size);
  const orders = createOrders(random, customers, size);
  const payables = [...invoices, ...orders].map(({ payable }) => payable);
  const payments = createPayments(random, payables);
  const links = createPaymentLinks(random, size);
  const refunds = createRefunds(random, payments);
  const disputes = createDisputes(random, payments);
  const { transactions, payouts, balances } = createLedger({ payments, refunds, disputes });
  return new Map<string, readonly UnifiedRecord[]>([
    ['PAYMENT_CUSTOMERS', customers.map(({ record }) => record)],
    ['PAYMENT_INVOICES', invoices.map(({ record }) => record)],
    ['PAYMENT_ORDERS', orders.map(({ record }) => record)],
    ['PAYMENT_PAYMENTS', payments],
    ['PAYMENT_PAYMENT_LINKS', links],
    ['PAYMENT_REFUNDS', refunds],
    ['PAYMENT_DISPUTES', disputes],
    ['PAYMENT_PAYOUTS', payouts],
    ['PAYMENT_TRANSACTIONS', transactions],
    ['PAYMENT_BALANCES', balances],
    ['PAYMENT_ITEMS', createItems()],
    ['PAYMENT_TAX_RATES', createTaxRates()],
    ['PAYMENT_SUBSCRIPTIONS', createSubscriptions(random, customers, size)],
  ]);
}
