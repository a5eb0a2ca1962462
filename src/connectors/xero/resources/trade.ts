import {
  bill,
  billCreditNote,
  billPayment,
  contact,
  invoice,
  invoiceCreditNote,
  invoicePayment,
  purchaseOrder,
} from '../../../records/index.js';
import { type PlatformClient, type PlatformObject } from '../../platform.js';
import { type Deletions, type IdPage, type PullOptions, type PullResource } from '../../pull.js';
import { textOf } from '../../values/platform-values.js';
import { isOwnAllocationId } from '../allocation-id.js';
import { isGuid } from '../guid.js';
import { toBillCreditNote } from '../mappers/bill-credit-note.js';
import { toBillPayment } from '../mappers/bill-payment.js';
import { toBill } from '../mappers/bill.js';
import { ACCOUNTS_BY_CODE, ITEMS_BY_CODE } from '../mappers/codes.js';
import { toContact } from '../mappers/contact.js';
import { toInvoiceCreditNote } from '../mappers/credit-note.js';
import { toInvoicePayment } from '../mappers/invoice-payment.js';
import { toInvoice } from '../mappers/invoice.js';
import { CUSTOMER_PAYMENTS, SUPPLIER_PAYMENTS } from '../mappers/payment-values.js';
import { toPurchaseOrder } from '../mappers/purchase-order.js';
import {
  ADVANCE_IDS,
  ALL_PAYMENTS,
  CREDIT_NOTES,
  INVOICES,
  PAYMENTS,
  PURCHASE_ORDERS,
  readAllocation,
  TRADE_DOCUMENTS,
} from '../listings.js';
import { pagedListing, type PagedListing, readByIds, readOne, readSingly } from '../pages.js';

const CONTACTS: PagedListing = {
  name: 'Contacts',
  idName: 'ContactID',
  incremental: true,
  query: { includeArchived: 'true' },
};

const INVOICES_BY_IDS = readByIds(INVOICES);
const CREDIT_NOTES_BY_IDS = readSingly(CREDIT_NOTES);

export const contacts: PullResource<typeof contact> = {
  definition: contact,
  mapperVersion: 2,
  incremental: true,
  pages: (client, options) => pagedListing(CONTACTS, client, options),
  byIds: readByIds(CONTACTS),
  read: readOne(CONTACTS),
  toUnified: toContact,
};

const LINE_LOOKUPS = [ACCOUNTS_BY_CODE, ITEMS_BY_CODE];

export const invoices: PullResource<typeof invoice> = {
  definition: invoice,
  mapperVersion: 9,
  incremental: true,
  deletions: movesTo(CREDIT_NOTES, 'ACCRECCREDIT'),
  lookups: LINE_LOOKUPS,
  pages: (client, options) => pagedListing(ofType(INVOICES, 'ACCREC'), client, options),
  listing: TRADE_DOCUMENTS,
  byIds: INVOICES_BY_IDS,
  read: readOne(INVOICES, ({ Type }) => Type === 'ACCREC'),
  toUnified: toInvoice,
};

export const bills: PullResource<typeof bill> = {
  definition: bill,
  mapperVersion: 8,
  incremental: true,
  deletions: movesTo(CREDIT_NOTES, 'ACCPAYCREDIT'),
  lookups: LINE_LOOKUPS,
  pages: (client, options) => pagedListing(ofType(INVOICES, 'ACCPAY'), client, options),
  listing: TRADE_DOCUMENTS,
  byIds: INVOICES_BY_IDS,
  read: readOne(INVOICES, ({ Type }) => Type === 'ACCPAY'),
  toUnified: toBill,
};

export const invoiceCreditNotes: PullResource<typeof invoiceCreditNote> = {
  definition: invoiceCreditNote,
  mapperVersion: 9,
  incremental: true,
  deletions: movesTo(INVOICES, 'ACCREC'),
  lookups: LINE_LOOKUPS,
  pages: (client, options) => pagedListing(ofType(CREDIT_NOTES, 'ACCRECCREDIT'), client, options),
  listing: TRADE_DOCUMENTS,
  byIds: CREDIT_NOTES_BY_IDS,
  read: readOne(CREDIT_NOTES, ({ Type }) => Type === 'ACCRECCREDIT'),
  toUnified: toInvoiceCreditNote,
};

export const billCreditNotes: PullResource<typeof billCreditNote> = {
  definition: billCreditNote,
  mapperVersion: 8,
  incremental: true,
  deletions: movesTo(INVOICES, 'ACCPAY'),
  lookups: LINE_LOOKUPS,
  pages: (client, options) => pagedListing(ofType(CREDIT_NOTES, 'ACCPAYCREDIT'), client, options),
  listing: TRADE_DOCUMENTS,
  byIds: CREDIT_NOTES_BY_IDS,
  read: readOne(CREDIT_NOTES, ({ Type }) => Type === 'ACCPAYCREDIT'),
  toUnified: toBillCreditNote,
};

export const purchaseOrders: PullResource<typeof purchaseOrder> = {
  definition: purchaseOrder,
  mapperVersion: 8,
  incremental: true,
  lookups: LINE_LOOKUPS,
  pages: (client, options) => pagedListing(PURCHASE_ORDERS, client, options),
  read: readOne(PURCHASE_ORDERS),
  toUnified: toPurchaseOrder,
};

/** A payment or an allocation; the mapper rejects one of the other side. */
const readPayment =
  (isOfKind: (object: PlatformObject) => boolean) => async (client: PlatformClient, platformId: string) => {
    if (isOwnAllocationId(platformId)) return readAllocation(client, platformId);
    if (!isGuid(platformId)) return null;
    const payment = await readOne(PAYMENTS)(client, platformId);
    if (payment) return isOfKind(payment) ? payment : null;
    return readAllocation(client, platformId);
  };

export const invoicePayments: PullResource<typeof invoicePayment> = {
  definition: invoicePayment,
  mapperVersion: 3,
  incremental: true,
  pages: (client, options) => ALL_PAYMENTS.pages(client, options, []),
  listing: ALL_PAYMENTS,
  partOf: { paths: ADVANCE_IDS },
  read: readPayment(({ PaymentType }) => CUSTOMER_PAYMENTS.has(PaymentType)),
  toUnified: toInvoicePayment,
};

export const billPayments: PullResource<typeof billPayment> = {
  definition: billPayment,
  mapperVersion: 3,
  incremental: true,
  pages: (client, options) => ALL_PAYMENTS.pages(client, options, []),
  listing: ALL_PAYMENTS,
  partOf: { paths: ADVANCE_IDS },
  read: readPayment(({ PaymentType }) => SUPPLIER_PAYMENTS.has(PaymentType)),
  toUnified: toBillPayment,
};

/** A draft whose total changes sign turns from an invoice into a credit note or back, with the same id and without a trace. */
function movesTo(listing: PagedListing, type: string): readonly Deletions[] {
  const pages = async function* (client: PlatformClient, options: PullOptions): AsyncGenerator<IdPage> {
    for await (const { objects, cursor } of pagedListing(ofType(listing, type), client, options)) {
      yield { platformIds: objects.flatMap((object) => textOf(object[listing.idName]) ?? []), cursor };
    }
  };
  return [{ kind: 'moves', pages }];
}

/** Filters a list that two types share, so that each object is read once. Mappers still skip the other type. */
function ofType(listing: PagedListing, type: string): PagedListing {
  return { ...listing, query: { ...listing.query, where: `Type=="${type}"` } };
}
