import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { ecommerceInventory, ecommerceProduct } from '../../../records/index.js';
import { type ShopObject, shopTime } from '../objects.js';
import type { ShopNames } from './names.js';

export function toProduct(record: UnifiedRecord, names: ShopNames): ShopObject {
  const { values } = record as UnifiedRecord<typeof ecommerceProduct>;
  const own = {
    title: values.name,
    body_text: values.description,
    status: values.status === 'ARCHIVED' ? 'archived' : 'active',
    tags: '',
  };
  return { id: names.id('products', record.platformId), ...timesOf(values), ...own };
}

export function toInventoryLevel(record: UnifiedRecord, names: ShopNames) {
  const { values } = record as UnifiedRecord<typeof ecommerceInventory>;
  const own = {
    product_id: names.id('products', values.productId ?? ''),
    title: values.description,
    sku: values.sku,
    available: Number(values.quantity),
  };
  return { id: names.id('inventory_levels', record.platformId), ...timesOf(values), ...own };
}

const timesOf = ({ createdAt, updatedAt }: { createdAt?: string | null; updatedAt?: string | null }) => ({
  created_at: shopTime(createdAt ?? ''),
  updated_at: shopTime(updatedAt ?? ''),
});
