import { type Connector } from '../connector.js';
import { createXeroClient, XERO_TITLE } from './client.js';
import { documents } from './resources/documents.js';
import { bankTransactions, journalEntries } from './resources/ledger.js';
import { accounts, currencies, items, taxRates, trackingCategories } from './resources/settings.js';
import {
  billCreditNotes,
  billPayments,
  bills,
  contacts,
  invoiceCreditNotes,
  invoicePayments,
  invoices,
  purchaseOrders,
} from './resources/trade.js';

/** Xero Accounting, API 2.0. */
export const xero: Connector = {
  integrationType: 'XERO',
  category: 'ACCOUNTING',
  title: XERO_TITLE,
  pulls: [
    currencies,
    taxRates,
    accounts,
    trackingCategories,
    items,
    contacts,
    invoices,
    bills,
    invoiceCreditNotes,
    billCreditNotes,
    purchaseOrders,
    invoicePayments,
    billPayments,
    bankTransactions,
    journalEntries,
    documents,
  ],
  createClient: createXeroClient,
};
