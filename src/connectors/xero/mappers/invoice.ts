import { type invoice } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../pull.js';
import { invoiceValues } from './invoice-values.js';
import { toLines } from './line-item.js';
import { platformIdOf } from './platform-id.js';

/** A sales invoice; null for a bill, which Xero lists as an invoice of type ACCPAY. */
export function toInvoice(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof invoice> | null {
  if (object['Type'] !== 'ACCREC') return null;
  const platformId = platformIdOf(object, 'InvoiceID');
  const { lines, unresolved, ...amounts } = toLines(object, { type: 'INVOICES', platformId }, lookups);
  return {
    platformId,
    deleted: object['Status'] === 'DELETED',
    unresolved,
    values: { ...invoiceValues(object, amounts, lookups), salesOrderIds: [] },
    lines: { lineItems: lines },
  };
}
