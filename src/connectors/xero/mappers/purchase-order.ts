import { type address, type purchaseOrder } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type Lookups, type UnifiedLine, type UnifiedRecord } from '../../pull.js';
import { decimalOf, objectOf, textOf } from '../../values/platform-values.js';
import { calendarDayOf, timestampOf } from '../dates.js';
import { currencyRateOf } from './currency-rate.js';
import { toLines } from './line-item.js';
import { platformIdOf } from './platform-id.js';
import { purchaseOrderStatus } from './status.js';

/** An order to a supplier. Xero does not report the bills created from it. */
export function toPurchaseOrder(
  object: PlatformObject,
  lookups: Lookups,
): UnifiedRecord<typeof purchaseOrder> {
  const platformId = platformIdOf(object, 'PurchaseOrderID');
  const status = textOf(object['Status']);
  const currencyCode = textOf(object['CurrencyCode']);
  const { lines, unresolved, totalDiscount } = toLines(
    object,
    { type: 'PURCHASE_ORDERS', platformId },
    lookups,
  );
  return {
    platformId,
    deleted: status === 'DELETED',
    unresolved,
    values: {
      contactId: textOf(objectOf(object['Contact'])?.['ContactID']),
      currencyId: currencyCode,
      currencyCode,
      currencyRate: currencyRateOf(object, lookups),
      description: textOf(object['Reference']),
      documentNumber: textOf(object['PurchaseOrderNumber']),
      postedDate: calendarDayOf(object['DateString'], object['Date']),
      deliveryDate: calendarDayOf(object['DeliveryDateString'], object['DeliveryDate']),
      status: purchaseOrderStatus(status),
      subTotal: decimalOf(object['SubTotal']),
      taxAmount: decimalOf(object['TotalTax']),
      totalDiscount,
      totalAmount: decimalOf(object['Total']),
      paymentMode: null,
      billIds: [],
      updatedAt: timestampOf(object['UpdatedDateUTC']),
    },
    lines: { lineItems: lines, addresses: deliveryAddresses(object, platformId) },
  };
}

/** Xero's delivery address is a single text, which cannot be split into parts. */
function deliveryAddresses(object: PlatformObject, platformId: string): UnifiedLine<typeof address>[] {
  const street = textOf(object['DeliveryAddress']);
  if (street === null) return [];
  const values = { dataModel: 'PURCHASE_ORDERS', dataModelId: platformId, type: 'SHIPPING', street } as const;
  return [{ platformId: null, values }];
}
