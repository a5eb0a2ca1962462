import type { PlatformHooks } from '../../connector.js';
import { eventsIn, isSigned } from '../../hook-signature.js';
import { objectOf, textOf } from '../../platform-values.js';
import { bankTransactions, documents, journalEntries } from './resources/ledger.js';
import { accounts, contacts, currencies, items, taxRates, trackingCategories } from './resources/settings.js';
import {
  billCreditNotes,
  billPayments,
  bills,
  expenses,
  invoiceCreditNotes,
  invoicePayments,
  invoices,
  purchaseOrders,
  salesOrders,
} from './resources/trade.js';

/** What is read again when an object of a kind has changed. */
const RESOURCES = {
  Currencies: currencies,
  TaxCodes: taxRates,
  LedgerAccounts: accounts,
  Dimensions: trackingCategories,
  Products: items,
  Partners: contacts,
  SalesOrders: salesOrders,
  SalesInvoices: invoices,
  SalesCreditNotes: invoiceCreditNotes,
  CustomerReceipts: invoicePayments,
  PurchaseOrders: purchaseOrders,
  PurchaseBills: bills,
  SupplierCredits: billCreditNotes,
  SupplierPayments: billPayments,
  Expenses: expenses,
  BankMovements: bankTransactions,
  Journals: journalEntries,
  Attachments: documents,
};
const DATA_MODELS = new Map(
  Object.entries(RESOURCES).map(([kind, { definition }]) => [kind, definition.dataModel]),
);

/** The webhooks of Books: an HMAC-SHA256 of the body, in hexadecimal. */
export const booksHooks: PlatformHooks = {
  dataModels: [...DATA_MODELS.values()],
  read: ({ headers, body, secret }) => {
    if (!isSigned(body, secret, Buffer.from(textOf(headers['sandbox-signature']) ?? '', 'hex'))) return null;
    return eventsIn(body).flatMap((one) => {
      const event = objectOf(one) ?? {};
      const externalAccountId = textOf(event['account']);
      const dataModel = DATA_MODELS.get(textOf(event['kind']) ?? '');
      return externalAccountId === null || !dataModel ? [] : [{ externalAccountId, dataModels: [dataModel] }];
    });
  },
};
