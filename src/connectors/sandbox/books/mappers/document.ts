import { type document } from '../../../../records/index.js';
import { type DOCUMENT_TYPES } from '../../../../records/value-sets.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedRecord } from '../../../pull.js';
import { decimalOf, objectOf, textOf } from '../../../values/platform-values.js';
import { instantOf } from '../../../values/times.js';
import { guidOf } from './guid.js';

/** Kinds with files for which we have a document type; Books also keeps files with partners and other objects. */
export const ATTACHED_KINDS: ReadonlyMap<string, (typeof DOCUMENT_TYPES)[number]> = new Map([
  ['SalesInvoices', 'INVOICES'],
  ['PurchaseBills', 'BILLS'],
  ['SalesOrders', 'SALES_ORDERS'],
  ['PurchaseOrders', 'PURCHASE_ORDERS'],
  ['SalesCreditNotes', 'INVOICE_CREDIT_NOTES'],
  ['SupplierCredits', 'BILL_CREDIT_NOTES'],
  ['Expenses', 'EXPENSES'],
  ['Journals', 'JOURNAL_ENTRIES'],
]);

/** The metadata of a file attached to a record. The file itself stays at Books until it is requested. */
export function toDocument(object: PlatformObject): UnifiedRecord<typeof document> | null {
  const parent = objectOf(object['AttachedTo']);
  const documentType = ATTACHED_KINDS.get(textOf(parent?.['Kind']) ?? '');
  if (documentType === undefined) return null;
  return {
    platformId: guidOf(object),
    values: {
      documentType,
      documentTypeId: textOf(parent?.['Guid']),
      documentUploaded: false,
      fileName: textOf(object['FileName']),
      fileSize: decimalOf(object['Size']),
      fileType: textOf(object['ContentType']),
      updatedAt: instantOf(object['ChangedOn']),
    },
  };
}
