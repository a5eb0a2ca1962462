import { type ecommerceCompanyInfo } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { objectOf, textOf } from '../../values/platform-values.js';
import { CHANNEL_FIELDS, isDefaultChannel } from '../channel.js';
import { requiredId } from '../pages.js';
import { instantOf } from '../../values/times.js';

/** Fields read by `toCompanyInfo`. */
export const COMPANY_FIELDS = `createdAt updatedAt ${CHANNEL_FIELDS} seller { name }`;

/** A channel, which customers see as a shop. The default one has no name, so its seller's name is used. */
export function toCompanyInfo(channel: PlatformObject): UnifiedRecord<typeof ecommerceCompanyInfo> {
  const currency = textOf(channel['defaultCurrencyCode']);
  return {
    platformId: requiredId(channel),
    values: {
      name: isDefaultChannel(channel)
        ? textOf(objectOf(channel['seller'])?.['name'])
        : textOf(channel['code']),
      currencyId: currency,
      currencyCode: currency,
      createdAt: instantOf(channel['createdAt']),
      updatedAt: instantOf(channel['updatedAt']),
    },
  };
}
