import { type bill } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../pull.js';
import { invoiceValues } from './invoice-values.js';
import { toLines } from './line-item.js';
import { platformIdOf } from './platform-id.js';

/** A supplier's bill, in Xero an invoice of type ACCPAY. Xero does not report its purchase orders. */
export function toBill(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof bill> | null {
  if (object['Type'] !== 'ACCPAY') return null;
  const platformId = platformIdOf(object, 'InvoiceID');
  const { lines, unresolved, ...amounts } = toLines(object, { type: 'BILLS', platformId }, lookups);
  return {
    platformId,
    deleted: object['Status'] === 'DELETED',
    unresolved,
    values: { ...invoiceValues(object, amounts, lookups), purchaseOrderIds: [] },
    lines: { lineItems: lines },
  };
}
