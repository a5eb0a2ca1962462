import { type document } from '../../../records/index.js';
import { type DOCUMENT_TYPES } from '../../../records/value-sets.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { decimalOf, objectOf, objectsIn, textOf } from '../../values/platform-values.js';
import { markedId } from '../kinds.js';
import { idOf } from '../query.js';
import { refOf, updatedAtOf } from './values.js';

const TYPES: Readonly<Record<string, (typeof DOCUMENT_TYPES)[number]>> = {
  INVOICE: 'INVOICES',
  SALESRECEIPT: 'INVOICES',
  BILL: 'BILLS',
  CREDITMEMO: 'INVOICE_CREDIT_NOTES',
  REFUNDRECEIPT: 'INVOICE_CREDIT_NOTES',
  VENDORCREDIT: 'BILL_CREDIT_NOTES',
  PURCHASEORDER: 'PURCHASE_ORDERS',
  PURCHASE: 'EXPENSES',
  JOURNALENTRY: 'JOURNAL_ENTRIES',
};

/** A file; null for a note without one, and for one that is attached to nothing that we have a document type for. */
export function toDocument(object: PlatformObject): UnifiedRecord<typeof document> | null {
  const platformId = idOf(object);
  const fileName = textOf(object['FileName']);
  const [parent] = objectsIn(object['AttachableRef']).flatMap(({ EntityRef }) => {
    const entity = textOf(objectOf(EntityRef)?.['type'])?.toUpperCase() ?? '';
    const [type, id] = [TYPES[entity], refOf(EntityRef)];
    const isOfReceipt = id !== null && entity.endsWith('RECEIPT');
    return type === undefined ? [] : [{ type, id: isOfReceipt ? markedId(entity, id) : id }];
  });
  if (fileName === null || !parent) return null;
  return {
    platformId,
    values: {
      documentType: parent.type,
      documentTypeId: parent.id,
      documentUploaded: false,
      fileName,
      fileSize: decimalOf(object['Size']),
      fileType: textOf(object['ContentType']),
      updatedAt: updatedAtOf(object),
    },
  };
}
