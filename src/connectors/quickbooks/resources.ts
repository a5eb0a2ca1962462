import {
  account,
  bankAccount,
  bankTransaction,
  bill,
  billCreditNote,
  billPayment,
  companyInfo,
  contact,
  currency,
  document,
  expense,
  invoice,
  invoiceCreditNote,
  invoicePayment,
  item,
  journalEntry,
  purchaseOrder,
  type RecordDefinition,
  taxRate,
  trackingCategory,
} from '../../records/index.js';
import { type CustomFieldPlace, type PullResource, type SharedListing } from '../pull.js';
import { inTurn, type Part } from '../lists/in-turn.js';
import { companyPages, currencyPages } from './company.js';
import { feedOf, sweepOf } from './deletions.js';
import { ATTACHABLES, attachablePages } from './files.js';
import { alone, listOfNames, marked, type QuickBooksKind, transactions } from './kinds.js';
import { listPages } from './lists.js';
import { toAccount, toBankAccount } from './mappers/account.js';
import { toCompanyInfo } from './mappers/company-info.js';
import { toContact } from './mappers/contact.js';
import { toDocument } from './mappers/document.js';
import { toItem } from './mappers/item.js';
import { toBankTransaction, toJournalEntry } from './mappers/ledger.js';
import { toBillPayment, toInvoicePayment } from './mappers/payment.js';
import { toCurrency, toTrackingCategory } from './mappers/settings.js';
import { toTaxRate } from './mappers/tax-rate.js';
import {
  toBill,
  toBillCreditNote,
  toExpense,
  toInvoice,
  toInvoiceCreditNote,
  toPurchaseOrder,
} from './mappers/trade.js';
import { paymentDeletions, paymentPages, readPayment } from './payments.js';
import { byIdsOf, readIds } from './read.js';
import { REFUND_RECEIPTS, SALES_RECEIPTS } from './receipts.js';
import { taxPages, trackingPages } from './settings.js';

type Kinds = readonly [QuickBooksKind, ...QuickBooksKind[]];

/** What a record type is read from, and how changes show: a list of names merges objects at most, others delete them. */
function resourceOf<Definition extends RecordDefinition>(
  definition: Definition,
  kinds: Kinds,
  toUnified: PullResource<Definition>['toUnified'],
): PullResource<Definition> {
  const byIds = byIdsOf(kinds);
  return {
    definition,
    mapperVersion: 1,
    incremental: true,
    deletions: [...kinds.filter(({ hasInactive }) => !hasInactive).map(feedOf), sweepOf(kinds)],
    pages: (client, options) => inTurn(kinds.map(partOf), client, options),
    byIds,
    read: async (client, platformId) => (await byIds.read(client, [platformId])).get(platformId) ?? null,
    toUnified,
  };
}

const partOf = (kind: QuickBooksKind): Part => ({
  name: kind.entity,
  pages: (client, options) => listPages(kind, client, options),
});

/** A record type that is read completely: it is short, and does not tell of all changes. */
function wholeOf<Definition extends RecordDefinition>(
  definition: Definition,
  pages: PullResource['pages'],
  toUnified: PullResource<Definition>['toUnified'],
): PullResource<Definition> {
  return { definition, mapperVersion: 1, incremental: false, pages, toUnified };
}

export const currencies = wholeOf(currency, (client) => currencyPages(client), toCurrency);
export const taxRates = wholeOf(taxRate, (client) => taxPages(client), toTaxRate);
export const trackingCategories = wholeOf(
  trackingCategory,
  (client) => trackingPages(client),
  toTrackingCategory,
);

export const companyInfos = wholeOf(companyInfo, (client) => companyPages(client), toCompanyInfo);

const ACCOUNTS = listOfNames('Account');

const ACCOUNT_READS: Pick<PullResource, 'pages' | 'read'> = {
  pages: (client, { cursor }) => listPages(ACCOUNTS, client, { since: null, cursor }),
  read: async (client, platformId) => (await readIds(ACCOUNTS, client, [platformId]))[0] ?? null,
};

/** A balance changes with every transaction: nothing says that this is stamped. */
export const accounts: PullResource<typeof account> = {
  ...wholeOf(account, ACCOUNT_READS.pages, toAccount),
  ...ACCOUNT_READS,
};
export const bankAccounts: PullResource<typeof bankAccount> = {
  ...wholeOf(bankAccount, ACCOUNT_READS.pages, toBankAccount),
  ...ACCOUNT_READS,
};
/** Sales change the quantity on hand; nothing says that this is stamped. */
export const items: PullResource<typeof item> = {
  ...resourceOf(item, [listOfNames('Item')], toItem),
  unstamped: { everyHours: 1 },
};

export const contacts = resourceOf(
  contact,
  [marked(listOfNames('Customer')), marked(listOfNames('Vendor'))],
  toContact,
);

const CUSTOM_FIELDS: CustomFieldPlace = {
  list: 'CustomField',
  id: 'DefinitionId',
  name: 'Name',
  value: 'StringValue',
  type: 'Type',
};

/** Documents with something open: payments and bills change it, and nothing says that this is always stamped. */
const openOf = <Definition extends RecordDefinition>(
  definition: Definition,
  kinds: Kinds,
  toUnified: PullResource<Definition>['toUnified'],
): PullResource<Definition> => ({
  ...resourceOf(definition, kinds, toUnified),
  unstamped: { everyHours: 7 * 24 },
  customFields: CUSTOM_FIELDS,
});

export const invoices = openOf(invoice, [transactions('Invoice'), SALES_RECEIPTS], toInvoice);
export const bills = openOf(bill, [transactions('Bill')], toBill);
export const invoiceCreditNotes = openOf(
  invoiceCreditNote,
  [transactions('CreditMemo'), REFUND_RECEIPTS],
  toInvoiceCreditNote,
);
export const billCreditNotes = openOf(billCreditNote, [transactions('VendorCredit')], toBillCreditNote);
export const purchaseOrders = openOf(purchaseOrder, [transactions('PurchaseOrder')], toPurchaseOrder);

/** Payments are split by what they pay. */
const paymentsOf = <Definition extends RecordDefinition>(
  definition: Definition,
  kinds: Kinds,
  toUnified: PullResource<Definition>['toUnified'],
): PullResource<Definition> => ({
  definition,
  mapperVersion: 1,
  incremental: true,
  partOf: { field: 'paymentId' },
  deletions: paymentDeletions(kinds),
  pages: (client, options) => paymentPages(kinds, client, options),
  read: readPayment(kinds),
  toUnified,
});

/** They have few lines. */
const shortOf = (entity: string): QuickBooksKind => ({ entity, pageSize: 1000 });

export const invoicePayments = paymentsOf(
  invoicePayment,
  [shortOf('Payment'), SALES_RECEIPTS, REFUND_RECEIPTS],
  toInvoicePayment,
);
export const billPayments = paymentsOf(billPayment, [shortOf('BillPayment')], toBillPayment);

const PURCHASES = marked(transactions('Purchase'));
const MOVEMENTS: Kinds = [
  PURCHASES,
  marked(transactions('Deposit')),
  marked(transactions('Transfer')),
  marked(transactions('CreditCardPayment')),
];

/** Expenses are the purchases among the bank transactions. */
const BANKING: SharedListing = {
  name: 'banking',
  pages: (client, options, dataModels) => {
    const kinds = dataModels.includes(bankTransaction.dataModel) ? MOVEMENTS : [PURCHASES];
    return inTurn(kinds.map(partOf), client, options);
  },
};

export const expenses: PullResource<typeof expense> = {
  ...resourceOf(expense, [alone(PURCHASES)], toExpense),
  listing: BANKING,
};
export const bankTransactions: PullResource<typeof bankTransaction> = {
  ...resourceOf(bankTransaction, MOVEMENTS, toBankTransaction),
  listing: BANKING,
};
export const journalEntries = resourceOf(journalEntry, [transactions('JournalEntry')], toJournalEntry);

export const documents: PullResource<typeof document> = {
  ...resourceOf(document, [ATTACHABLES], toDocument),
  pages: attachablePages,
};
