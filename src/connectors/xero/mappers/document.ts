import { type document } from '../../../records/index.js';
import { type DOCUMENT_TYPES } from '../../../records/value-sets.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { decimalOf, objectOf, textOf } from '../../values/platform-values.js';
import { platformIdOf } from './platform-id.js';

type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** The record that an attachment belongs to; null if we have no document type for it. */
export function parentOf(object: PlatformObject): { type: DocumentType; id: string | null } | null {
  const invoice = objectOf(object['Invoice']);
  if (invoice?.['Type'] === 'ACCREC') return { type: 'INVOICES', id: textOf(invoice['InvoiceID']) };
  if (invoice?.['Type'] === 'ACCPAY') return { type: 'BILLS', id: textOf(invoice['InvoiceID']) };
  const note = objectOf(object['CreditNote']);
  if (note?.['Type'] === 'ACCRECCREDIT')
    return { type: 'INVOICE_CREDIT_NOTES', id: textOf(note['CreditNoteID']) };
  if (note?.['Type'] === 'ACCPAYCREDIT')
    return { type: 'BILL_CREDIT_NOTES', id: textOf(note['CreditNoteID']) };
  const order = objectOf(object['PurchaseOrder']);
  if (order) return { type: 'PURCHASE_ORDERS', id: textOf(order['PurchaseOrderID']) };
  const journal = objectOf(object['ManualJournal']);
  return journal && { type: 'JOURNAL_ENTRIES', id: textOf(journal['ManualJournalID']) };
}

/** The metadata of a file attached to a record; the file itself stays at Xero. */
export function toDocument(object: PlatformObject): UnifiedRecord<typeof document> | null {
  const parent = parentOf(object);
  if (!parent) return null;
  return {
    platformId: platformIdOf(object, 'AttachmentID'),
    values: {
      documentType: parent.type,
      documentTypeId: parent.id,
      documentUploaded: false,
      fileName: textOf(object['FileName']),
      fileSize: decimalOf(object['ContentLength']),
      fileType: textOf(object['MimeType']),
    },
  };
}
