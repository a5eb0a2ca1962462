import { type goodsReceiptNote } from '../../../../records/index.js';
import { type PlatformObject } from '../../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../../pull.js';
import { textOf, textsIn } from '../../../values/platform-values.js';
import { dayOf } from '../dates.js';
import { codesFrom } from './codes.js';
import { documentValues, totalsOf } from './document-values.js';
import { guidOf } from './guid.js';
import { toLines } from './line-item.js';
import { paymentModeOf, wordOf } from './words.js';

/** Goods received for purchase orders. */
export function toGoodsReceiptNote(
  object: PlatformObject,
  lookups: Lookups,
): UnifiedRecord<typeof goodsReceiptNote> {
  const platformId = guidOf(object);
  const codes = codesFrom(lookups);
  const values = {
    ...documentValues(object, codes),
    ...totalsOf(object),
    description: textOf(object['Text']),
    deliveryDate: dayOf(object['DeliveryDate']),
    paymentMode: paymentModeOf(object['PaymentMeans']),
    status: wordOf(object['State']),
    purchaseOrderIds: textsIn(object['PurchaseOrders']),
  };
  const lines = { lineItems: toLines(object, { type: 'GOODS_RECEIPT_NOTES', platformId }, codes) };
  return { platformId, unresolved: codes.unresolved(), values, lines };
}
