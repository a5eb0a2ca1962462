import { type paymentItem, type paymentTaxRate } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { booleanOf, currencyCodeOf, decimalOf, objectOf, textOf } from '../../values/platform-values.js';
import { instantOfSeconds } from '../../values/times.js';
import { idOf } from './id.js';
import { amountOf } from './money.js';

/** A product, with its default price. */
export function toItem(object: PlatformObject): UnifiedRecord<typeof paymentItem> {
  const price = objectOf(object['default_price']);
  const currency = currencyCodeOf(price?.['currency']);
  const active = booleanOf(object['active']);
  return {
    platformId: idOf(object),
    values: {
      name: textOf(object['name']),
      description: textOf(object['description']),
      code: null,
      unitPrice: amountOf(price?.['unit_amount_decimal'], currency),
      currencyId: currency,
      currencyCode: currency,
      status: active === null ? 'UNKNOWN' : active ? 'ACTIVE' : 'ARCHIVED',
      createdAt: instantOfSeconds(object['created']),
      updatedAt: instantOfSeconds(object['updated']),
    },
  };
}

/** A tax charged on lines. */
export function toTaxRate(object: PlatformObject): UnifiedRecord<typeof paymentTaxRate> {
  return {
    platformId: idOf(object),
    values: {
      name: textOf(object['display_name']),
      description: textOf(object['description']),
      rate: decimalOf(object['percentage']),
      createdAt: instantOfSeconds(object['created']),
      updatedAt: null,
    },
  };
}
