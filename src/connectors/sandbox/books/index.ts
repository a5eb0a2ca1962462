import { type Connector } from '../../connector.js';
import { BOOKS_TITLE, createBooksClient } from './client.js';
import { booksFiles } from './files.js';
import { booksHooks } from './hooks.js';
import { booksOAuth } from './oauth.js';
import { booksPush } from './push/index.js';
import { booksReports } from './reports.js';
import { bankTransactions, documents, journalEntries } from './resources/ledger.js';
import {
  accounts,
  bankAccounts,
  companyInfos,
  contacts,
  currencies,
  items,
  projects,
  taxRates,
  trackingCategories,
} from './resources/settings.js';
import {
  billCreditNotes,
  billPayments,
  bills,
  expenses,
  goodsReceiptNotes,
  invoiceCreditNotes,
  invoicePayments,
  invoices,
  purchaseOrders,
  salesOrders,
} from './resources/trade.js';

/** The accounting platform of the sandbox. */
export const sandboxBooks: Connector = {
  integrationType: 'SVC_SANDBOX',
  category: 'ACCOUNTING',
  title: BOOKS_TITLE,
  access: booksOAuth,
  limits: { perMinute: 600, perDay: null, concurrent: 10 },
  pulls: [
    currencies,
    taxRates,
    accounts,
    trackingCategories,
    items,
    contacts,
    salesOrders,
    purchaseOrders,
    invoices,
    bills,
    invoiceCreditNotes,
    billCreditNotes,
    invoicePayments,
    billPayments,
    expenses,
    bankTransactions,
    journalEntries,
    documents,
    companyInfos,
    bankAccounts,
    projects,
    goodsReceiptNotes,
  ],
  hasLedger: true,
  reports: booksReports,
  push: booksPush,
  files: booksFiles,
  hooks: booksHooks,
  createClient: (access) => createBooksClient(access),
};
