import { type ecommerceCompanyInfo } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { textOf } from '../../values/platform-values.js';
import { instantOf } from '../../values/times.js';
import { idsOf } from './values.js';

/** Fields read by `toCompanyInfo`. */
export const SHOP_FIELDS = 'id name url contactEmail currencyCode createdAt updatedAt';

/** The shop. */
export function toCompanyInfo(shop: PlatformObject): UnifiedRecord<typeof ecommerceCompanyInfo> {
  const currency = textOf(shop['currencyCode']);
  return {
    ...idsOf(shop),
    values: {
      name: textOf(shop['name']),
      website: textOf(shop['url']),
      email: textOf(shop['contactEmail']),
      currencyId: currency,
      currencyCode: currency,
      createdAt: instantOf(shop['createdAt']),
      updatedAt: instantOf(shop['updatedAt']),
    },
  };
}
