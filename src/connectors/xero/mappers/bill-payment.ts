import { type billPayment } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../pull.js';
import { allocated, paidDocument, paymentValues, SUPPLIER_PAYMENTS } from './payment-values.js';
import { platformIdOf } from './platform-id.js';

/** A payment of a supplier's bill, or a supplier's refund. */
export function toBillPayment(
  object: PlatformObject,
  lookups: Lookups,
): UnifiedRecord<typeof billPayment> | null {
  const allocation = allocated(object, 'supplier', lookups);
  if (allocation) {
    const { platformId, invoiceId, isDeleted, values } = allocation;
    return {
      platformId,
      deleted: isDeleted,
      values: { ...values, billId: invoiceId, creditNoteId: null },
    };
  }
  const paidFor = SUPPLIER_PAYMENTS.get(object['PaymentType']);
  if (paidFor === undefined) return null;
  const { documentId, creditNoteId } = paidDocument(object, paidFor);
  return {
    platformId: platformIdOf(object, 'PaymentID'),
    deleted: object['Status'] === 'DELETED',
    values: { ...paymentValues(object, paidFor, lookups), billId: documentId, creditNoteId },
  };
}
