import { type Connector } from '../connector.js';
import { readBaseCurrency } from './base-currency.js';
import { createXeroClient, createXeroPassthrough, XERO_TITLE } from './client.js';
import { xeroFiles } from './files.js';
import { xeroHooks } from './hooks.js';
import { xeroMark } from './mark.js';
import { xeroOAuth } from './oauth.js';
import { xeroPushes } from './push/index.js';
import { xeroReports } from './reports.js';
import { documents } from './resources/documents.js';
import { bankTransactions, journalEntries } from './resources/ledger.js';
import {
  accounts,
  bankAccounts,
  companyInfos,
  currencies,
  items,
  taxRates,
  trackingCategories,
} from './resources/settings.js';
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
  mark: xeroMark,
  access: xeroOAuth,
  // Xero's usual limits. The remaining calls and pauses that it reports account for smaller plans.
  limits: { perMinute: 60, perDay: 5000, concurrent: 5, app: { perMinute: 10_000 } },
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
    companyInfos,
    bankAccounts,
  ],
  files: xeroFiles,
  hooks: xeroHooks,
  push: xeroPushes,
  reports: xeroReports,
  readBaseCurrency,
  createClient: createXeroClient,
  createPassthrough: createXeroPassthrough,
};
