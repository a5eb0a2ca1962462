import { account, contact, currency, invoice, invoiceCreditNote } from '../../records/index.js';
import { type Connector, type PullResource } from '../connector.js';
import { createXeroClient, XERO_TITLE } from './client.js';
import { toAccount } from './mappers/account.js';
import { toContact } from './mappers/contact.js';
import { toInvoiceCreditNote } from './mappers/credit-note.js';
import { toCurrency } from './mappers/currency.js';
import { toInvoice } from './mappers/invoice.js';
import { pagedListing, wholeListing } from './pages.js';

const currencies: PullResource<typeof currency> = {
  definition: currency,
  mapperVersion: 1,
  pages: (client, options) => wholeListing({ name: 'Currencies', incremental: false }, client, options),
  toUnified: toCurrency,
};

const accounts: PullResource<typeof account> = {
  definition: account,
  mapperVersion: 1,
  pages: (client, options) => wholeListing({ name: 'Accounts', incremental: true }, client, options),
  toUnified: toAccount,
};

const contacts: PullResource<typeof contact> = {
  definition: contact,
  mapperVersion: 1,
  pages: (client, options) =>
    pagedListing(
      { name: 'Contacts', idName: 'ContactID', incremental: true, query: { includeArchived: 'true' } },
      client,
      options,
    ),
  toUnified: toContact,
};

/** Lines name accounts by code. */
const LOOKUPS = [{ dataModel: 'ACCOUNTS', field: 'nominalCode' }];

const invoices: PullResource<typeof invoice> = {
  definition: invoice,
  mapperVersion: 1,
  lookups: LOOKUPS,
  pages: (client, options) =>
    pagedListing({ name: 'Invoices', idName: 'InvoiceID', incremental: true }, client, options),
  toUnified: toInvoice,
};

const creditNotes: PullResource<typeof invoiceCreditNote> = {
  definition: invoiceCreditNote,
  mapperVersion: 1,
  lookups: LOOKUPS,
  pages: (client, options) =>
    pagedListing({ name: 'CreditNotes', idName: 'CreditNoteID', incremental: true }, client, options),
  toUnified: toInvoiceCreditNote,
};

/** Xero Accounting, API 2.0. */
export const xero: Connector = {
  integrationType: 'XERO',
  category: 'ACCOUNTING',
  title: XERO_TITLE,
  pulls: [currencies, accounts, contacts, invoices, creditNotes],
  createClient: createXeroClient,
};
