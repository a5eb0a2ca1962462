import { type ecommerceInventory, type ecommerceProduct } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { difference, sum } from '../../values/decimals.js';
import { booleanOf, decimalOf, objectsIn, textOf } from '../../values/platform-values.js';
import { requiredId } from '../pages.js';
import { instantOf } from '../../values/times.js';

/** Fields read by `toProduct`. */
export const PRODUCT_FIELDS = 'createdAt name description enabled';

/** A product, in the language of the channel. */
export function toProduct(product: PlatformObject): UnifiedRecord<typeof ecommerceProduct> {
  const isEnabled = booleanOf(product['enabled']);
  return {
    platformId: requiredId(product),
    values: {
      name: textOf(product['name']),
      description: textOf(product['description']),
      status: isEnabled === null ? 'UNKNOWN' : isEnabled ? 'ACTIVE' : 'ARCHIVED',
      createdAt: instantOf(product['createdAt']),
      updatedAt: instantOf(product['updatedAt']),
    },
  };
}

/** Fields read by `toInventory`. */
export const VARIANT_FIELDS = `
  createdAt productId sku name trackInventory
  stockLevels { id updatedAt stockOnHand stockAllocated }`;

/** The shop's stock of a product variant. */
export function toInventory(variant: PlatformObject): UnifiedRecord<typeof ecommerceInventory> {
  const levels = objectsIn(variant['stockLevels']);
  return {
    platformId: requiredId(variant),
    values: {
      productId: textOf(variant['productId']),
      description: textOf(variant['name']),
      sku: textOf(variant['sku']),
      quantity: availableIn(variant, levels),
      createdAt: instantOf(variant['createdAt']),
      updatedAt: latestOf([variant, ...levels]),
    },
  };
}

/** Stock in all locations minus what is allocated to orders; null if the shop does not track it. */
function availableIn(variant: PlatformObject, levels: readonly PlatformObject[]): string | null {
  if (!isTracked(variant)) return null;
  return levels.reduce<string | null>((total, level) => {
    const free = difference(decimalOf(level['stockOnHand']), decimalOf(level['stockAllocated']));
    return sum(total, free);
  }, '0');
}

/** A variant may inherit the shop's setting. */
function isTracked({ trackInventory, shopTracksInventory }: PlatformObject): boolean {
  return trackInventory === 'INHERIT' ? shopTracksInventory !== false : trackInventory !== 'FALSE';
}

/** The latest change: stock levels have their own timestamps. */
const latestOf = (objects: readonly PlatformObject[]): string | null =>
  objects
    .map((object) => instantOf(object['updatedAt']))
    .filter((instant) => instant !== null)
    .sort()
    .at(-1) ?? null;
