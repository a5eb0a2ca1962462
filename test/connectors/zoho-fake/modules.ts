import { type Kept } from './domain.js';
import { type ZohoOrganization } from './organization.js';
import { type Json } from './problems.js';
import {
  NAMES,
  wireAccount,
  wireBankAccount,
  wireContact,
  wireCurrency,
  wireDocument,
  wireItem,
  wireJournal,
  wireListedContact,
  wireListedDocument,
  wireListedJournal,
  wireListedPayment,
  wirePayment,
  wireTax,
} from './wire.js';
import { type DocumentKind } from './domain.js';

/** A module of Zoho's API: what is listed, and how. */
export interface Module<Object extends Kept = Kept> {
  readonly objects: (organization: ZohoOrganization) => readonly Object[];
  /** The name of the list in an answer. */
  readonly name: string;
  readonly listed: (object: Object) => Json;
  /** Each object by its own call; absent where only the list is needed. */
  readonly one?: { readonly name: string; readonly wire: (object: Object) => Json };
  /** Columns to sort by; the first is the usual one. */
  readonly sorts: readonly string[];
  /** Columns to search by, besides the reference. */
  readonly searches?: readonly string[];
  /** Whether changes since a time can be asked for. */
  readonly hasFilter?: true;
  /** The value of `filter_by` without which those out of use are left out. */
  readonly all?: string;
}

const module = <Object extends Kept>(one: Module<Object>): Module => one as unknown as Module;

const documents = (
  kind: DocumentKind,
  name: string,
  more: Pick<Module, 'hasFilter'> & { readonly one?: string },
): Module =>
  module({
    objects: (organization) => organization.of(kind),
    name,
    listed: wireListedDocument,
    one: { name: more.one ?? kind, wire: wireDocument },
    sorts: ['date', NAMES[kind].number, 'total', 'created_time'],
    ...(more.hasFilter && { hasFilter: true }),
  });

/** By their paths. */
export const MODULES: Readonly<Record<string, Module>> = {
  'settings/currencies': module({
    objects: ({ currencies }) => currencies,
    name: 'currencies',
    listed: wireCurrency,
    sorts: ['currency_code'],
  }),
  'settings/taxes': module({
    objects: ({ taxes }) => taxes,
    name: 'taxes',
    listed: wireTax,
    sorts: ['tax_name'],
  }),
  chartofaccounts: module({
    objects: ({ accounts }) => accounts,
    name: 'chartofaccounts',
    listed: wireAccount,
    one: { name: 'chart_of_account', wire: wireAccount },
    sorts: ['account_name', 'account_type'],
    hasFilter: true,
    all: 'AccountType.All',
  }),
  bankaccounts: module({
    objects: ({ accounts }) => accounts.filter(({ bank }) => bank !== null),
    name: 'bankaccounts',
    listed: wireBankAccount,
    sorts: ['account_name', 'account_type', 'account_code'],
    all: 'Status.All',
  }),
  items: module({
    objects: ({ items }) => items,
    name: 'items',
    listed: wireItem,
    one: { name: 'item', wire: wireItem },
    sorts: ['name', 'rate', 'tax_name'],
    all: 'Status.All',
  }),
  contacts: module({
    objects: ({ contacts }) => contacts,
    name: 'contacts',
    listed: wireListedContact,
    one: { name: 'contact', wire: wireContact },
    searches: ['contact_name'],
    sorts: ['contact_name', 'email', 'created_time', 'last_modified_time'],
    all: 'Status.All',
  }),
  invoices: documents('invoice', 'invoices', { hasFilter: true }),
  bills: documents('bill', 'bills', { hasFilter: true }),
  creditnotes: documents('creditnote', 'creditnotes', {}),
  vendorcredits: documents('vendorcredit', 'vendorcredits', { hasFilter: true, one: 'vendor_credit' }),
  salesorders: documents('salesorder', 'salesorders', { hasFilter: true }),
  purchaseorders: documents('purchaseorder', 'purchaseorders', { hasFilter: true }),
  expenses: documents('expense', 'expenses', {}),
  customerpayments: module({
    objects: ({ payments }) => payments.filter(({ kind }) => kind === 'customer'),
    name: 'customerpayments',
    listed: wireListedPayment,
    one: { name: 'payment', wire: wirePayment },
    sorts: ['date', 'amount', 'created_time'],
  }),
  vendorpayments: module({
    objects: ({ payments }) => payments.filter(({ kind }) => kind === 'vendor'),
    name: 'vendorpayments',
    listed: wireListedPayment,
    one: { name: 'vendorpayment', wire: wirePayment },
    sorts: ['date', 'vendor_name', 'amount'],
    hasFilter: true,
  }),
  journals: module({
    objects: ({ journals }) => journals,
    name: 'journals',
    listed: wireListedJournal,
    one: { name: 'journal', wire: wireJournal },
    sorts: ['journal_date', 'entry_number', 'total'],
    hasFilter: true,
  }),
};
