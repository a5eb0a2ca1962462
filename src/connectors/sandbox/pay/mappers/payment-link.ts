import { type paymentLink } from '../../../../records/index.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedRecord } from '../../../pull.js';
import { booleanOf, currencyCodeOf, textOf } from '../../../values/platform-values.js';
import { instantOfSeconds } from '../../../values/times.js';
import { idOf } from './id.js';
import { toLines } from './line-item.js';
import { amountOf } from './minor-units.js';

/** A link at which anyone can pay. */
export function toPaymentLink(object: PlatformObject): UnifiedRecord<typeof paymentLink> {
  const platformId = idOf(object);
  const currency = currencyCodeOf(object['currency']);
  const active = booleanOf(object['active']);
  return {
    platformId,
    values: {
      amount: amountOf(object['amount_total'], currency),
      currencyId: currency,
      currencyCode: currency,
      description: textOf(object['description']),
      link: textOf(object['url']),
      status: active === null ? null : active ? 'ACTIVE' : 'INACTIVE',
      createdAt: instantOfSeconds(object['created']),
      updatedAt: instantOfSeconds(object['updated']),
    },
    lines: {
      lineItems: toLines(object['line_items'], { type: 'PAYMENT_PAYMENT_LINKS', platformId, currency }),
    },
  };
}
