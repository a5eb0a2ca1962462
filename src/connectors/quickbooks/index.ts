import { type Connector } from '../connector.js';
import {
  createQuickBooksClient,
  QUICKBOOKS_API,
  QUICKBOOKS_SANDBOX_API,
  QUICKBOOKS_TITLE,
} from './client.js';
import { readBaseCurrency } from './company.js';
import { quickbooksFiles } from './files.js';
import { quickbooksHooks } from './hooks.js';
import { quickbooksMark } from './mark.js';
import { quickbooksOAuth } from './oauth.js';
import { quickbooksPushes } from './push/index.js';
import { quickbooksReports } from './reports.js';
import {
  accounts,
  bankAccounts,
  bankTransactions,
  billCreditNotes,
  billPayments,
  bills,
  companyInfos,
  contacts,
  currencies,
  documents,
  expenses,
  invoiceCreditNotes,
  invoicePayments,
  invoices,
  items,
  journalEntries,
  purchaseOrders,
  taxRates,
  trackingCategories,
} from './resources.js';

/** QuickBooks Online, Accounting API 3. */
export const quickbooks: Connector = {
  integrationType: 'QUICKBOOKS',
  category: 'ACCOUNTING',
  title: QUICKBOOKS_TITLE,
  mark: quickbooksMark,
  access: quickbooksOAuth(QUICKBOOKS_API),
  limits: { perMinute: 500, perDay: null, concurrent: 10 },
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
    expenses,
    bankTransactions,
    journalEntries,
    documents,
    companyInfos,
    bankAccounts,
  ],
  files: quickbooksFiles,
  hooks: quickbooksHooks,
  reports: quickbooksReports,
  push: quickbooksPushes,
  readBaseCurrency,
  createClient: (access) => createQuickBooksClient(access),
};

/** The test companies of Intuit's developers, with the app's development keys. */
export const quickbooksSandbox: Connector = {
  ...quickbooks,
  integrationType: 'QUICKBOOKS_SANDBOX',
  title: `${QUICKBOOKS_TITLE} Sandbox`,
  access: quickbooksOAuth(QUICKBOOKS_SANDBOX_API),
  createClient: (access) => createQuickBooksClient(access, {}, QUICKBOOKS_SANDBOX_API),
};
