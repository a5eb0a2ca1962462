import {
  type paymentItem,
  type paymentSubscription,
  type paymentTaxRate,
} from '../../../../records/index.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedRecord } from '../../../pull.js';
import { currencyCodeOf, decimalOf, objectOf, textOf } from '../../../values/platform-values.js';
import { instantOfSeconds } from '../../../values/times.js';
import { idOf } from './id.js';
import { amountOf } from './minor-units.js';

/** A product or service that is sold. */
export function toItem(object: PlatformObject): UnifiedRecord<typeof paymentItem> {
  const currency = currencyCodeOf(object['currency']);
  const active = object['active'];
  return {
    platformId: idOf(object),
    values: {
      name: textOf(object['name']),
      description: textOf(object['description']),
      code: textOf(object['code']),
      unitPrice: amountOf(object['unit_amount'], currency),
      currencyId: currency,
      currencyCode: currency,
      status: typeof active === 'boolean' ? (active ? 'ACTIVE' : 'ARCHIVED') : 'UNKNOWN',
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
      name: textOf(object['name']),
      description: textOf(object['description']),
      rate: decimalOf(object['percentage']),
      createdAt: instantOfSeconds(object['created']),
      updatedAt: instantOfSeconds(object['updated']),
    },
  };
}

/** A recurring payment by a customer. */
export function toSubscription(object: PlatformObject): UnifiedRecord<typeof paymentSubscription> {
  const currency = currencyCodeOf(object['currency']);
  return {
    platformId: idOf(object),
    values: {
      description: textOf(object['description']),
      currencyId: currency,
      currencyCode: currency,
      status: textOf(object['status'])?.toUpperCase() ?? null,
      contactId: textOf(object['customer']),
      paymentMethod: textOf(objectOf(object['method'])?.['type'])?.toUpperCase() ?? null,
      currentStart: instantOfSeconds(object['current_start']),
      currentEnd: instantOfSeconds(object['current_end']),
      expireBy: instantOfSeconds(object['cancel_at']),
      createdAt: instantOfSeconds(object['created']),
    },
  };
}
