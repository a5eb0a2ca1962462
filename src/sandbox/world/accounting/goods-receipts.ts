import type { UnifiedLine, UnifiedRecord } from '../../../connectors/pull.js';
import type { goodsReceiptNote, lineItem, purchaseOrder } from '../../../records/index.js';
import { instant } from '../time.js';

/** The receipt for each order that was placed: all goods, on the day of delivery. */
export function createGoodsReceipts(
  orders: readonly UnifiedRecord<typeof purchaseOrder>[],
): UnifiedRecord<typeof goodsReceiptNote>[] {
  return orders
    .filter(({ values }) => values.status !== 'DRAFT' && values.status !== 'VOID')
    .map((order, index) => {
      const { billIds: _bills, description: _text, updatedAt: _time, ...ordered } = order.values;
      const platformId = `grn-${index + 1}`;
      const lines = (order.lines?.['lineItems'] ?? []) as readonly UnifiedLine<typeof lineItem>[];
      return {
        platformId,
        values: {
          ...ordered,
          description: `Received on ${order.values.documentNumber ?? ''}`,
          documentNumber: `GRN-${1001 + index}`,
          postedDate: order.values.deliveryDate ?? null,
          status: 'RECEIVED',
          purchaseOrderIds: [order.platformId],
          updatedAt: instant(4 + index * 3.1),
        },
        lines: {
          lineItems: lines.map((line, position) => ({
            platformId: `${platformId}-line-${position + 1}`,
            values: { ...line.values, lineItemType: 'GOODS_RECEIPT_NOTES', lineItemTypeId: platformId },
          })),
        },
      };
    });
}
