import { type invoicePayment } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../pull.js';
import { allocated, CUSTOMER_PAYMENTS, paidDocument, paymentValues } from './payment-values.js';
import { platformIdOf } from './platform-id.js';

/** A customer's payment of an invoice, or a refund to a customer. */
export function toInvoicePayment(
  object: PlatformObject,
  lookups: Lookups,
): UnifiedRecord<typeof invoicePayment> | null {
  const allocation = allocated(object, 'customer', lookups);
  if (allocation) {
    const { platformId, invoiceId, isDeleted, values } = allocation;
    return {
      platformId,
      deleted: isDeleted,
      values: { ...values, invoiceId, creditNoteId: null },
    };
  }
  const paidFor = CUSTOMER_PAYMENTS.get(object['PaymentType']);
  if (paidFor === undefined) return null;
  const { documentId, creditNoteId } = paidDocument(object, paidFor);
  return {
    platformId: platformIdOf(object, 'PaymentID'),
    deleted: object['Status'] === 'DELETED',
    values: { ...paymentValues(object, paidFor, lookups), invoiceId: documentId, creditNoteId },
  };
}
