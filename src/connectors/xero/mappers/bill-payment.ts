import { type billPayment } from '../../../records/index.js';
import { type PlatformObject, type UnifiedRecord } from '../../connector.js';
import { paidDocument, paymentValues, SUPPLIER_PAYMENTS } from './payment-values.js';
import { platformIdOf } from './platform-id.js';

/** A payment of a supplier's bill, or money that a supplier paid back. */
export function toBillPayment(object: PlatformObject): UnifiedRecord<typeof billPayment> | null {
  const paidFor = SUPPLIER_PAYMENTS.get(object['PaymentType']);
  if (paidFor === undefined) return null;
  const { documentId, creditNoteId } = paidDocument(object, paidFor);
  return {
    platformId: platformIdOf(object, 'PaymentID'),
    deleted: object['Status'] === 'DELETED',
    values: { ...paymentValues(object), billId: documentId, creditNoteId },
  };
}
