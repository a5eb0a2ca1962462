import { type Advance, type DocumentType, type Kept, type Organisation, type Payment } from './domain.js';

const documentsOf =
  (type: DocumentType) =>
  ({ documents }: Organisation): readonly Kept[] =>
    documents.filter((document) => document.type === type);

const paymentsOf =
  (...types: readonly Payment['type'][]) =>
  ({ payments, advances }: Organisation): readonly Kept[] => {
    const side = types.includes('ACCRECPAYMENT') ? 'RECEIVE-' : 'SPEND-';
    const allocated = advances.filter(({ type }) => type.startsWith(side));
    return [...payments.filter(({ type }) => types.includes(type)), ...allocated];
  };

/** What of an organisation is a record of ours, by its id in our form; for deleted ones too. */
const MODELS: Readonly<Record<string, (organisation: Organisation) => readonly Kept[]>> = {
  CURRENCIES: ({ currencies }) => currencies,
  TAX_RATES: ({ taxRates }) => taxRates,
  ACCOUNTS: ({ accounts }) => accounts,
  TRACKING_CATEGORIES: ({ trackingCategories }) =>
    trackingCategories.flatMap((category) => [category, ...category.options]),
  ITEMS: ({ items }) => items,
  CONTACTS: ({ contacts }) => contacts,
  INVOICES: documentsOf('ACCREC'),
  BILLS: documentsOf('ACCPAY'),
  INVOICE_CREDIT_NOTES: documentsOf('ACCRECCREDIT'),
  BILL_CREDIT_NOTES: documentsOf('ACCPAYCREDIT'),
  PURCHASE_ORDERS: documentsOf('PURCHASEORDER'),
  INVOICE_PAYMENTS: paymentsOf('ACCRECPAYMENT', 'ARCREDITPAYMENT'),
  BILL_PAYMENTS: paymentsOf('ACCPAYPAYMENT', 'APCREDITPAYMENT'),
  BANK_TRANSACTIONS: ({ bankTransactions, bankTransfers }) => [...bankTransactions, ...bankTransfers],
  JOURNAL_ENTRIES: ({ manualJournals }) => manualJournals,
  // A file is changed and deleted with what it is attached to.
  DOCUMENTS: ({ documents, manualJournals }) => [...documents, ...manualJournals],
  COMPANY_INFO: ({ company }) => [company],
  BANK_ACCOUNTS: ({ accounts }) => accounts.filter(({ type }) => type === 'BANK'),
};

/** The objects of Xero's that become records of a type. */
export function objectsOf(organisation: Organisation, dataModel: string): readonly Kept[] {
  const objects = MODELS[dataModel];
  if (!objects) throw new Error(`there is no ${dataModel}`);
  return objects(organisation);
}

export const isLiving = ({ status }: Kept): boolean => status !== 'DELETED';

/** The ids of the records that an object becomes. */
export function recordIdsOf(object: Kept, dataModel: string): readonly string[] {
  if (dataModel === 'DOCUMENTS') {
    return 'attachments' in object ? (object.attachments as readonly Kept[]).map(({ id }) => id) : [];
  }
  if ('allocated' in object) return (object as Advance).allocated.map(({ id }) => id);
  return ['createdAt' in object ? `BankTransfer:${object.id}` : object.id];
}

export function livingIdsOf(organisation: Organisation, dataModel: string): readonly string[] {
  return objectsOf(organisation, dataModel)
    .filter(isLiving)
    .flatMap((object) => recordIdsOf(object, dataModel));
}
