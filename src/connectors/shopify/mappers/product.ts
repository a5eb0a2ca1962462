import { type ecommerceInventory, type ecommerceProduct } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { numberOf } from '../../values/gid.js';
import { decimalOf, objectOf, textOf } from '../../values/platform-values.js';
import { instantOf } from '../../values/times.js';
import { idsOf } from './values.js';

/** Fields read by `toProduct`. */
export const PRODUCT_FIELDS = 'createdAt title description status';

/** A product, in the shop's main language. */
export function toProduct(object: PlatformObject): UnifiedRecord<typeof ecommerceProduct> {
  return {
    ...idsOf(object),
    values: {
      name: textOf(object['title']),
      description: textOf(object['description']),
      status: statusOf(object['status']),
      createdAt: instantOf(object['createdAt']),
      updatedAt: instantOf(object['updatedAt']),
    },
  };
}

/** An unlisted product can be bought by its address. A draft is in use by nobody yet. */
function statusOf(status: unknown): 'ACTIVE' | 'ARCHIVED' | 'UNKNOWN' {
  if (status === 'ACTIVE' || status === 'UNLISTED') return 'ACTIVE';
  return status === 'ARCHIVED' ? 'ARCHIVED' : 'UNKNOWN';
}

/** Fields read by `toInventory`. */
export const VARIANT_FIELDS =
  'createdAt displayName sku inventoryQuantity product { id } inventoryItem { tracked }';

/** The shop's stock of a variant of a product, in all locations; its quantity is null where stock is not tracked. */
export function toInventory(variant: PlatformObject): UnifiedRecord<typeof ecommerceInventory> {
  const isTracked = objectOf(variant['inventoryItem'])?.['tracked'] !== false;
  return {
    ...idsOf(variant),
    values: {
      productId: numberOf(objectOf(variant['product'])?.['id']),
      description: textOf(variant['displayName']),
      sku: textOf(variant['sku']),
      quantity: isTracked ? decimalOf(variant['inventoryQuantity']) : null,
      createdAt: instantOf(variant['createdAt']),
      updatedAt: instantOf(variant['updatedAt']),
    },
  };
}
