import { type paymentSubscription } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { currencyCodeOf, objectOf, objectsIn, textOf } from '../../values/platform-values.js';
import { instantOfSeconds } from '../../values/times.js';
import { idOf } from './id.js';

/** A recurring payment by a customer; its period is that of its first item. */
export function toSubscription(object: PlatformObject): UnifiedRecord<typeof paymentSubscription> {
  const currency = currencyCodeOf(object['currency']);
  const [item] = objectsIn(objectOf(object['items'])?.['data']);
  return {
    platformId: idOf(object),
    values: {
      description: textOf(object['description']),
      currencyId: currency,
      currencyCode: currency,
      status: textOf(object['status'])?.toUpperCase() ?? null,
      contactId: textOf(object['customer']),
      paymentMethod: textOf(objectOf(object['default_payment_method'])?.['type'])?.toUpperCase() ?? null,
      currentStart: instantOfSeconds(item?.['current_period_start']),
      currentEnd: instantOfSeconds(item?.['current_period_end']),
      expireBy: instantOfSeconds(object['cancel_at']),
      createdAt: instantOfSeconds(object['created']),
    },
  };
}
