import { type PagedListing } from './pages.js';

/** Xero rounds unit prices to cents unless it is asked for all four digits after the point. */
export const FULL_PRICES: Readonly<Record<string, string>> = { unitdp: '4' };

/** Lists that are read twice: for their records, and for the files attached to them. */
export const INVOICES: PagedListing = {
  name: 'Invoices',
  idName: 'InvoiceID',
  incremental: true,
  query: FULL_PRICES,
  queryOfOne: FULL_PRICES,
};
export const CREDIT_NOTES: PagedListing = {
  name: 'CreditNotes',
  idName: 'CreditNoteID',
  incremental: true,
  query: FULL_PRICES,
  queryOfOne: FULL_PRICES,
};
export const PURCHASE_ORDERS: PagedListing = {
  name: 'PurchaseOrders',
  idName: 'PurchaseOrderID',
  incremental: true,
};
export const MANUAL_JOURNALS: PagedListing = {
  name: 'ManualJournals',
  idName: 'ManualJournalID',
  incremental: true,
};

/** What Xero keeps files at. */
export interface AttachmentParent {
  readonly listing: PagedListing;
  /** One of them, as Xero's other objects name it. */
  readonly one: string;
}

/** Only what we have a document type for: Xero also keeps files at contacts, accounts and bank transactions. */
export const ATTACHMENT_PARENTS: readonly AttachmentParent[] = [
  { listing: INVOICES, one: 'Invoice' },
  { listing: CREDIT_NOTES, one: 'CreditNote' },
  { listing: PURCHASE_ORDERS, one: 'PurchaseOrder' },
  { listing: MANUAL_JOURNALS, one: 'ManualJournal' },
];
