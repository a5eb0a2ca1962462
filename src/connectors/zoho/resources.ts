import {
  account,
  bankAccount,
  bill,
  billCreditNote,
  billPayment,
  companyInfo,
  contact,
  currency,
  expense,
  invoice,
  invoiceCreditNote,
  invoicePayment,
  item,
  journalEntry,
  purchaseOrder,
  type RecordDefinition,
  salesOrder,
  taxRate,
} from '../../records/index.js';
import { type CustomFieldPlace, type PullResource } from '../pull.js';
import { type DetailedList, detailedPages, readOne, sweepOf } from './details.js';
import { listPages, type ZohoList } from './lists.js';
import { toAccount, toBankAccount } from './mappers/account.js';
import { toContact } from './mappers/contact.js';
import { toItem } from './mappers/item.js';
import { toJournalEntry } from './mappers/journal.js';
import { toBillPayment, toInvoicePayment } from './mappers/payment.js';
import { toCompanyInfo, toCurrency, toTaxRate } from './mappers/settings.js';
import {
  toBill,
  toBillCreditNote,
  toExpense,
  toInvoice,
  toInvoiceCreditNote,
  toPurchaseOrder,
  toSalesOrder,
} from './mappers/trade.js';
import { type PaymentList, paymentPages, paymentSweep, readPayment } from './payments.js';
import { organizationPages, taxPages } from './settings.js';

/** A record type that is read completely: its list does not tell of all changes, or is short. */
function wholeOf<Definition extends RecordDefinition>(
  definition: Definition,
  pages: PullResource['pages'],
  toUnified: PullResource<Definition>['toUnified'],
): PullResource<Definition> {
  return { definition, mapperVersion: 1, incremental: false, pages, toUnified };
}

/** All of a list, whose objects are complete. */
const allOf =
  (list: ZohoList): PullResource['pages'] =>
  (client, { cursor }) =>
    listPages(list, client, { since: null, cursor }, { isToTheLast: true });

export const currencies = wholeOf(
  currency,
  allOf({ path: 'settings/currencies', idName: 'currency_id' }),
  toCurrency,
);
export const taxRates = wholeOf(taxRate, taxPages, toTaxRate);
export const companyInfos = wholeOf(companyInfo, organizationPages, toCompanyInfo);

/** A balance changes with every transaction, without a stamp. */
export const accounts = wholeOf(
  account,
  allOf({
    path: 'chartofaccounts',
    idName: 'account_id',
    sort: 'account_name',
    query: { showbalance: 'true', filter_by: 'AccountType.All' },
  }),
  toAccount,
);
export const bankAccounts = wholeOf(
  bankAccount,
  allOf({
    path: 'bankaccounts',
    idName: 'account_id',
    sort: 'account_name',
    query: { filter_by: 'Status.All' },
  }),
  toBankAccount,
);

export const ITEMS: DetailedList = {
  path: 'items',
  one: 'item',
  idName: 'item_id',
  sort: 'name',
  query: { filter_by: 'Status.All' },
};

/** Stock is not stamped, and the list has no filter for changes. */
export const items: PullResource<typeof item> = {
  ...wholeOf(item, allOf(ITEMS), toItem),
  read: (client, platformId) => readOne(ITEMS, client, platformId),
};

const CUSTOM_FIELDS: CustomFieldPlace = {
  list: 'custom_fields',
  id: 'customfield_id',
  name: 'label',
  value: 'value',
  type: 'data_type',
};

/** A record type whose changed objects are read one by one. */
function detailedOf<Definition extends RecordDefinition>(
  definition: Definition,
  list: DetailedList,
  toUnified: PullResource<Definition>['toUnified'],
): PullResource<Definition> {
  return {
    definition,
    mapperVersion: 1,
    incremental: true,
    deletions: [sweepOf(list)],
    customFields: CUSTOM_FIELDS,
    pages: (client, options) => detailedPages(list, client, options),
    read: (client, platformId) => readOne(list, client, platformId),
    toUnified,
  };
}

export const contacts = detailedOf(
  contact,
  {
    path: 'contacts',
    one: 'contact',
    idName: 'contact_id',
    sort: 'created_time',
    changes: 'newest first',
    query: { filter_by: 'Status.All' },
  },
  toContact,
);

/** Payments and credits stamp a document that they are applied to. */
export const invoices = detailedOf(
  invoice,
  { path: 'invoices', one: 'invoice', idName: 'invoice_id', sort: 'created_time', changes: 'filter' },
  toInvoice,
);
export const bills = detailedOf(
  bill,
  { path: 'bills', one: 'bill', idName: 'bill_id', sort: 'created_time', changes: 'filter' },
  toBill,
);
export const salesOrders = detailedOf(
  salesOrder,
  {
    path: 'salesorders',
    one: 'salesorder',
    idName: 'salesorder_id',
    sort: 'created_time',
    changes: 'filter',
  },
  toSalesOrder,
);
export const purchaseOrders = detailedOf(
  purchaseOrder,
  {
    path: 'purchaseorders',
    one: 'purchaseorder',
    idName: 'purchaseorder_id',
    sort: 'created_time',
    changes: 'filter',
  },
  toPurchaseOrder,
);
export const invoiceCreditNotes = detailedOf(
  invoiceCreditNote,
  {
    path: 'creditnotes',
    one: 'creditnote',
    idName: 'creditnote_id',
    sort: 'created_time',
    changes: 'stamps',
  },
  toInvoiceCreditNote,
);
export const billCreditNotes = detailedOf(
  billCreditNote,
  {
    path: 'vendorcredits',
    one: 'vendor_credit',
    idName: 'vendor_credit_id',
    sort: 'created_time',
    changes: 'filter',
  },
  toBillCreditNote,
);
export const expenses = detailedOf(
  expense,
  { path: 'expenses', one: 'expense', idName: 'expense_id', sort: 'created_time', changes: 'stamps' },
  toExpense,
);
export const journalEntries = detailedOf(
  journalEntry,
  { path: 'journals', one: 'journal', idName: 'journal_id', sort: 'journal_date', changes: 'filter' },
  toJournalEntry,
);

/** Payments are split by what they pay. */
const paymentsOf = <Definition extends RecordDefinition>(
  definition: Definition,
  list: PaymentList,
  toUnified: PullResource<Definition>['toUnified'],
): PullResource<Definition> => ({
  definition,
  mapperVersion: 1,
  incremental: true,
  partOf: { field: 'paymentId' },
  deletions: [paymentSweep(list)],
  customFields: CUSTOM_FIELDS,
  pages: (client, options) => paymentPages(list, client, options),
  read: readPayment(list),
  toUnified,
});

export const CUSTOMER_PAYMENTS: PaymentList = {
  path: 'customerpayments',
  one: 'payment',
  idName: 'payment_id',
  sort: 'created_time',
  changes: 'stamps',
  paid: 'invoices',
  paidId: 'invoice_id',
  kind: 'invoice',
};
export const VENDOR_PAYMENTS: PaymentList = {
  path: 'vendorpayments',
  one: 'vendorpayment',
  idName: 'payment_id',
  sort: 'date',
  changes: 'filter',
  paid: 'bills',
  paidId: 'bill_id',
  kind: 'bill',
};

export const invoicePayments = paymentsOf(
  invoicePayment,
  CUSTOMER_PAYMENTS,
  toInvoicePayment(CUSTOMER_PAYMENTS),
);
export const billPayments = paymentsOf(billPayment, VENDOR_PAYMENTS, toBillPayment(VENDOR_PAYMENTS));
