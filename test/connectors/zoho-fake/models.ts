import { type DocumentKind, type Kept, type Payment } from './domain.js';
import { type ZohoOrganization } from './organization.js';
import { leftOf } from './totals.js';

const documents = (kind: DocumentKind) => (organization: ZohoOrganization) => organization.of(kind);
const payments = (kind: Payment['kind']) => (organization: ZohoOrganization) =>
  organization.payments.filter((payment) => payment.kind === kind);

/** What of an organization becomes records of a type. */
const MODELS: Readonly<Record<string, (organization: ZohoOrganization) => readonly Kept[]>> = {
  CURRENCIES: ({ currencies }) => currencies,
  TAX_RATES: ({ taxes }) => taxes,
  ACCOUNTS: ({ accounts }) => accounts,
  BANK_ACCOUNTS: ({ accounts }) => accounts.filter(({ bank }) => bank !== null),
  ITEMS: ({ items }) => items,
  CONTACTS: ({ contacts }) => contacts,
  INVOICES: documents('invoice'),
  BILLS: documents('bill'),
  INVOICE_CREDIT_NOTES: documents('creditnote'),
  BILL_CREDIT_NOTES: documents('vendorcredit'),
  SALES_ORDERS: documents('salesorder'),
  PURCHASE_ORDERS: documents('purchaseorder'),
  EXPENSES: documents('expense'),
  INVOICE_PAYMENTS: payments('customer'),
  BILL_PAYMENTS: payments('vendor'),
  JOURNAL_ENTRIES: ({ journals }) => journals,
  COMPANY_INFO: (organization) => [organization],
};

export function objectsOf(organization: ZohoOrganization, dataModel: string): readonly Kept[] {
  const objects = MODELS[dataModel];
  if (!objects) throw new Error(`there is no ${dataModel}`);
  return objects(organization);
}

/** The ids of the records that an object becomes: a payment is one for each document that it pays. */
export function recordIdsOf(object: Kept): readonly string[] {
  if (!('applied' in object)) return [object.id];
  const payment = object as Payment;
  const word = payment.kind === 'customer' ? 'invoice' : 'bill';
  const parts = payment.applied.map(({ id }) => `${payment.id}:${word}:${id}`);
  return parts.length === 0 || leftOf(payment).greaterThan(0) ? [...parts, payment.id] : parts;
}

export const livingIdsOf = (organization: ZohoOrganization, dataModel: string): readonly string[] =>
  objectsOf(organization, dataModel).flatMap(recordIdsOf);
