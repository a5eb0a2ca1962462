import { type purchaseOrder, type salesOrder } from '../../../../records/index.js';
import { type PlatformObject } from '../../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../../pull.js';
import { textsIn } from '../../../values/platform-values.js';
import { toAddresses } from './address.js';
import { codesFrom } from './codes.js';
import { orderValues } from './document-values.js';
import { guidOf } from './guid.js';
import { toLines } from './line-item.js';
import { paymentModeOf } from './words.js';

/** A customer's order, with the invoices created from it. */
export function toSalesOrder(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof salesOrder> {
  const platformId = guidOf(object);
  const codes = codesFrom(lookups);
  const values = { ...orderValues(object, codes), invoiceIds: textsIn(object['Invoices']) };
  const lines = {
    lineItems: toLines(object, { type: 'SALES_ORDERS', platformId }, codes),
    addresses: toAddresses(object, { dataModel: 'SALES_ORDERS', platformId }),
  };
  return { platformId, unresolved: codes.unresolved(), values, lines };
}

/** An order to a supplier, with the bills created from it. */
export function toPurchaseOrder(
  object: PlatformObject,
  lookups: Lookups,
): UnifiedRecord<typeof purchaseOrder> {
  const platformId = guidOf(object);
  const codes = codesFrom(lookups);
  const values = {
    ...orderValues(object, codes),
    paymentMode: paymentModeOf(object['PaymentMeans']),
    billIds: textsIn(object['Bills']),
  };
  const lines = {
    lineItems: toLines(object, { type: 'PURCHASE_ORDERS', platformId }, codes),
    addresses: toAddresses(object, { dataModel: 'PURCHASE_ORDERS', platformId }),
  };
  return { platformId, unresolved: codes.unresolved(), values, lines };
}
