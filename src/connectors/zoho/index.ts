import { type Connector } from '../connector.js';
import { createZohoClient, ZOHO_TITLE } from './client.js';
import { zohoMark } from './mark.js';
import { zohoOAuth } from './oauth.js';
import { zohoPushes } from './push/index.js';
import {
  accounts,
  bankAccounts,
  billCreditNotes,
  billPayments,
  bills,
  companyInfos,
  contacts,
  currencies,
  expenses,
  invoiceCreditNotes,
  invoicePayments,
  invoices,
  items,
  journalEntries,
  purchaseOrders,
  salesOrders,
  taxRates,
} from './resources.js';

/** Zoho Books, API 3. */
export const zoho: Connector = {
  integrationType: 'ZOHO_BOOKS',
  category: 'ACCOUNTING',
  title: ZOHO_TITLE,
  mark: zohoMark,
  access: zohoOAuth,
  // Calls a day depend on the plan: Zoho reports what is left of them. Five at once are what the free plan has.
  limits: { perMinute: 100, perDay: null, concurrent: 5 },
  pulls: [
    currencies,
    taxRates,
    accounts,
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
    journalEntries,
    companyInfos,
    bankAccounts,
  ],
  push: zohoPushes,
  createClient: (access) => createZohoClient(access),
};
