import { type ecommerceBalance, type ecommerceCompanyInfo } from '../../../../records/index.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedRecord } from '../../../pull.js';
import { decimalOf, textOf } from '../../../values/platform-values.js';
import { instantOf } from '../../../values/times.js';
import { gidOf } from '../gid.js';

/** The shop itself. */
export function toCompanyInfo(object: PlatformObject): UnifiedRecord<typeof ecommerceCompanyInfo> {
  const currency = textOf(object['currency']);
  return {
    ...gidOf(object),
    values: {
      name: textOf(object['name']),
      website: textOf(object['url']),
      email: textOf(object['email']),
      currencyId: currency,
      currencyCode: currency,
      createdAt: instantOf(object['created_at']),
      updatedAt: instantOf(object['updated_at']),
    },
  };
}

/** The shop's balance in one currency. */
export function toBalance(object: PlatformObject): UnifiedRecord<typeof ecommerceBalance> {
  const currency = textOf(object['currency']);
  return {
    ...gidOf(object),
    values: {
      availableBalance: decimalOf(object['amount']),
      currencyId: currency,
      currencyCode: currency,
    },
  };
}
