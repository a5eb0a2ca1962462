import { type PlatformClient, type PlatformObject } from '../platform.js';
import { type SharedListing } from '../pull.js';
import { withContext } from '../values/platform-json.js';
import { arrayOf, objectOf, textOf } from '../values/platform-values.js';
import { ALLOCATION_OF, allocationIdOf, TIME } from './allocation-id.js';
import { unexpectedAnswer } from './answer-error.js';
import { inTurn, type Part } from '../lists/in-turn.js';
import { pagedListing, type PagedListing } from './pages.js';

/** Without it, Xero rounds unit prices to two decimals instead of four. */
export const FULL_PRICES: Readonly<Record<string, string>> = { unitdp: '4' };

/** Lists that are read twice: for their records and for the attached files. */
export const INVOICES: PagedListing = {
  name: 'Invoices',
  idName: 'InvoiceID',
  incremental: true,
  // Otherwise Xero omits archived ones, and a full sync would take them for deleted.
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
/** Prepayments and overpayments, whose allocations pay invoices and bills. */
const ADVANCES: readonly PagedListing[] = [
  { name: 'Prepayments', idName: 'PrepaymentID', incremental: true },
  { name: 'Overpayments', idName: 'OverpaymentID', incremental: true },
];

/** Paths in an allocation to the id of its advance payment. */
export const ADVANCE_IDS = ADVANCES.map(({ idName }) => [ALLOCATION_OF, idName]);

/** Payments of invoices and bills, and the allocations that pay them. */
export const ALL_PAYMENTS: SharedListing = {
  name: PAYMENTS.name,
  pages: (client, options) => inTurn([partOf(PAYMENTS), ...ADVANCES.map(allocationsOf)], client, options),
};

/** The allocations of a listing as separate objects, with the values they need of their advance payment. */
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

/** An allocation by its id. Xero lists allocations only with their advance payments, of which there are few. */
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
    if (!object) throw unexpectedAnswer('sent an allocation that is not an object');
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
 * Sales and purchase invoices and credit notes. A draft invoice whose total becomes negative turns into a credit note,
 * and a draft credit note into an invoice, with the same id and without a trace in the old list.
 */
export const TRADE_DOCUMENTS: SharedListing = {
  name: 'documents',
  pages: (client, options, dataModels) => {
    const notes = dataModels.filter((dataModel) => dataModel.endsWith('_CREDIT_NOTES')).length;
    // A list without wanted types is only read for changes, which may have moved here, or to resume a pull in it.
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

/** A listing of records that may have attachments. */
export interface AttachmentParent {
  readonly listing: PagedListing;
  /** The name of a single object, as Xero's other objects refer to it. */
  readonly one: string;
}

/** Only those for which we have a document type: Xero also keeps files with contacts, accounts and bank transactions. */
export const ATTACHMENT_PARENTS: readonly AttachmentParent[] = [
  { listing: INVOICES, one: 'Invoice' },
  { listing: CREDIT_NOTES, one: 'CreditNote' },
  { listing: PURCHASE_ORDERS, one: 'PurchaseOrder' },
  { listing: MANUAL_JOURNALS, one: 'ManualJournal' },
];
