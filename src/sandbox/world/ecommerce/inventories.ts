import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { ecommerceInventory, ecommerceProduct } from '../../../records/index.js';
import type { Random } from '../random.js';
import { instant } from '../time.js';
import type { DemoShopOrder } from './orders.js';

/** Units per box. */
const BOX = 50;

/** The stock of each product: units received in boxes, less units shipped with orders. */
export function createInventories(
  random: Random,
  products: readonly UnifiedRecord<typeof ecommerceProduct>[],
  orders: readonly DemoShopOrder[],
): UnifiedRecord<typeof ecommerceInventory>[] {
  const sent = sentOf(orders);
  return products.map(({ platformId: productId, values }, index) => {
    const platformId = String(900_010 + index * 4);
    const { count, at } = sent.get(productId) ?? { count: 0, at: null };
    const boxes = Math.floor(count / BOX) + random.integer(1, 2);
    return {
      platformId,
      platformUniqueId: `shop/inventories/${platformId}`,
      values: {
        productId,
        description: `${values.name ?? ''}, in stock`,
        sku: `SKU-${productId}`,
        quantity: String(boxes * BOX - count),
        createdAt: values.createdAt ?? null,
        updatedAt: at === null ? (values.updatedAt ?? null) : instant(at),
      },
    };
  });
}

/** The number shipped of each product, and the day of the last shipment. */
function sentOf(orders: readonly DemoShopOrder[]): ReadonlyMap<string, { count: number; at: number }> {
  const sent = new Map<string, { count: number; at: number }>();
  for (const { record, created } of orders) {
    if (record.values.orderStatus !== 'FULFILLED') continue;
    for (const { values } of record.lines?.['lineItems'] ?? []) {
      const { itemId, quantity } = values as { readonly itemId: string; readonly quantity: string };
      const count = (sent.get(itemId)?.count ?? 0) + Number(quantity);
      sent.set(itemId, { count, at: created + 0.3 });
    }
  }
  return sent;
}
