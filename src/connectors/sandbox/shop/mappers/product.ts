import { type ecommerceInventory, type ecommerceProduct } from '../../../../records/index.js';
import { type RECORD_STATUSES } from '../../../../records/value-sets.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedRecord } from '../../../pull.js';
import { decimalOf, textOf } from '../../../values/platform-values.js';
import { instantOf } from '../../../values/times.js';
import { numberOf } from '../../../values/gid.js';
import { gidOf } from '../gid.js';

/** A product that the shop sells. */
export function toProduct(object: PlatformObject): UnifiedRecord<typeof ecommerceProduct> {
  return {
    ...gidOf(object),
    values: {
      name: textOf(object['title']),
      description: textOf(object['body_text']),
      status: statusOf(object['status']),
      createdAt: instantOf(object['created_at']),
      updatedAt: instantOf(object['updated_at']),
    },
  };
}

/** The shop's stock of a product. */
export function toInventory(object: PlatformObject): UnifiedRecord<typeof ecommerceInventory> {
  return {
    ...gidOf(object),
    values: {
      productId: numberOf(object['product_id']),
      description: textOf(object['title']),
      sku: textOf(object['sku']),
      quantity: decimalOf(object['available']),
      createdAt: instantOf(object['created_at']),
      updatedAt: instantOf(object['updated_at']),
    },
  };
}

function statusOf(status: unknown): (typeof RECORD_STATUSES)[number] {
  if (status === 'active') return 'ACTIVE';
  return status === 'archived' ? 'ARCHIVED' : 'UNKNOWN';
}
