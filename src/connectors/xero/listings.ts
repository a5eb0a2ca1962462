import { type PagedListing } from './pages.js';

/** Lists that are read twice: for their records, and for the files attached to them. */
export const INVOICES: PagedListing = { name: 'Invoices', idName: 'InvoiceID', incremental: true };
export const CREDIT_NOTES: PagedListing = { name: 'CreditNotes', idName: 'CreditNoteID', incremental: true };
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
