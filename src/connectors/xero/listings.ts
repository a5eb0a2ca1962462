import { type PlatformClient, type PlatformObject, type SharedListing } from '../connector.js';
import { withContext } from '../platform-json.js';
import { arrayOf, objectOf, textOf } from '../platform-values.js';
import { ALLOCATION_OF, allocationIdOf, TIME } from './allocation-id.js';
import { unexpectedAnswer } from './answer-error.js';
import { inTurn, pagedListing, type PagedListing, type Part } from './pages.js';

/** Xero rounds unit prices to cents unless it is asked for all four digits after the point. */
export const FULL_PRICES: Readonly<Record<string, string>> = { unitdp: '4' };

/** Lists that are read twice: for their records, and for the files attached to them. */
export const INVOICES: PagedListing = {
  name: 'Invoices',
  idName: 'InvoiceID',
  incremental: true,
  // Xero leaves archived ones out otherwise, which a full sync would take for deleted.
  query: { ...FULL_PRICES, includeArchived: 'true' },
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

export const PAYMENTS: PagedListing = { name: 'Payments', idName: 'PaymentID', incremental: true };
/** What was paid in advance or too much, and has been set off against invoices and bills since. */
const ADVANCES: readonly PagedListing[] = [
  { name: 'Prepayments', idName: 'PrepaymentID', incremental: true },
  { name: 'Overpayments', idName: 'OverpaymentID', incremental: true },
];

/** Where in it the id of that is. */
export const ADVANCE_IDS = ADVANCES.map(({ idName }) => [ALLOCATION_OF, idName]);

/**
 * Payments of invoices and of bills, and the allocations that pay them: Xero can filter a long list by one of the types
 * that each has only.
 */
export const ALL_PAYMENTS: SharedListing = {
  name: PAYMENTS.name,
  pages: (client, options) => inTurn([partOf(PAYMENTS), ...ADVANCES.map(allocationsOf)], client, options),
};

/** The allocations of a list, each an object of its own, with what it cannot do without of the whole. */
const allocationsOf = (listing: PagedListing): Part => ({
  name: listing.name,
  pages: async function* (client, options) {
    for await (const { objects, cursor } of pagedListing(listing, client, options)) {
      yield {
        objects: objects.flatMap((whole) => splitAllocations(listing, whole)),
        wholes: objects.flatMap((whole) => textOf(whole[listing.idName]) ?? []),
        cursor,
      };
    }
  },
});

/** An allocation by its id; Xero has them with what they are of only, which is little. */
export async function readAllocation(
  client: PlatformClient,
  platformId: string,
): Promise<PlatformObject | null> {
  for (const listing of ADVANCES) {
    for await (const { objects } of allocationsOf(listing).pages(client, { since: null, cursor: null })) {
      const found = objects.find((object) => allocationIdOf(object) === platformId);
      if (found) return found;
    }
  }
  return null;
}

const OF_THE_WHOLE = ['Type', 'Contact', 'CurrencyCode', 'CurrencyRate', 'Reference', 'UpdatedDateUTC'];

function splitAllocations({ idName }: PagedListing, whole: PlatformObject): PlatformObject[] {
  const names = [idName, ...OF_THE_WHOLE].filter((name) => name in whole);
  const context = Object.fromEntries(names.map((name) => [name, whole[name]]));
  const times = new Map<string, number>();
  return (arrayOf(whole['Allocations']) ?? []).map((allocation) => {
    const object = objectOf(allocation);
    if (!object) throw unexpectedAnswer('sent an allocation that is no object');
    const one = withContext(object, { [ALLOCATION_OF]: context });
    const id = allocationIdOf(one);
    if (id === null || id === object['AllocationID']) return one;
    const time = (times.get(id) ?? 0) + 1;
    times.set(id, time);
    return time === 1 ? one : withContext(object, { [ALLOCATION_OF]: { ...context, [TIME]: time } });
  });
}

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
