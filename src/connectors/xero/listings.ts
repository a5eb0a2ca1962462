import { type PlatformObject, type SharedListing } from '../connector.js';
import { textOf } from '../platform-values.js';
import { inTurn, pagedListing, type PagedListing, type Part } from './pages.js';

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

/** Payments of invoices and of bills: of the four types that each has, Xero can filter a long list by one only. */
export const PAYMENTS: PagedListing = { name: 'Payments', idName: 'PaymentID', incremental: true };

export const ALL_PAYMENTS: SharedListing = {
  name: PAYMENTS.name,
  pages: (client, options) => pagedListing(PAYMENTS, client, options),
};

const partOf = (listing: PagedListing): Part => ({
  name: listing.name,
  pages: (client, options) => pagedListing(listing, client, options),
});

/**
 * Invoices and credit notes, of sales and purchases. A draft below zero becomes a credit note, and one above it an
 * invoice, with its id and without a trace where it was.
 */
export const TRADE_DOCUMENTS: SharedListing = {
  name: 'documents',
  pages: (client, options, dataModels) => {
    const notes = dataModels.filter((dataModel) => dataModel.endsWith('_CREDIT_NOTES')).length;
    // Of what has become something else only what changed is asked for; an earlier pull goes on where it was.
    const isRead = ({ name }: PagedListing, wanted: number): boolean =>
      wanted > 0 || options.since !== null || (options.cursor?.startsWith(`${name}:`) ?? false);
    const parts = [
      ...(isRead(INVOICES, dataModels.length - notes) ? [partOf(INVOICES)] : []),
      ...(isRead(CREDIT_NOTES, notes) ? [partOf(CREDIT_NOTES)] : []),
    ];
    return inTurn(parts, client, options);
  },
  idOf: (object: PlatformObject) => textOf(object['InvoiceID']) ?? textOf(object['CreditNoteID']),
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
