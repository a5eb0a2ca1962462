import { type bill, type invoice } from '../../../../records/index.js';
import { type PlatformObject } from '../../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../../pull.js';
import { textsIn } from '../../../values/platform-values.js';
import { codesFrom } from './codes.js';
import { invoiceValues } from './document-values.js';
import { guidOf } from './guid.js';
import { toLines } from './line-item.js';

/** An invoice to a customer. */
export function toInvoice(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof invoice> {
  const platformId = guidOf(object);
  const codes = codesFrom(lookups);
  const values = { ...invoiceValues(object, codes), salesOrderIds: textsIn(object['SalesOrders']) };
  const lineItems = toLines(object, { type: 'INVOICES', platformId }, codes);
  return { platformId, unresolved: codes.unresolved(), values, lines: { lineItems } };
}

/** A supplier's bill. */
export function toBill(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof bill> {
  const platformId = guidOf(object);
  const codes = codesFrom(lookups);
  const values = { ...invoiceValues(object, codes), purchaseOrderIds: textsIn(object['PurchaseOrders']) };
  const lineItems = toLines(object, { type: 'BILLS', platformId }, codes);
  return { platformId, unresolved: codes.unresolved(), values, lines: { lineItems } };
}
