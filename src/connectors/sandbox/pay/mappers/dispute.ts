import { type paymentDispute } from '../../../../records/index.js';
import { type PAYMENT_DISPUTE_STATUSES } from '../../../../records/value-sets.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedRecord } from '../../../pull.js';
import { currencyCodeOf, textOf } from '../../../values/platform-values.js';
import { instantOfSeconds } from '../../../values/times.js';
import { idOf } from './id.js';
import { amountOf } from './minor-units.js';

const STATUSES: ReadonlyMap<unknown, (typeof PAYMENT_DISPUTE_STATUSES)[number]> = new Map([
  ['won', 'WON'],
  ['lost', 'LOST'],
  ['under_review', 'PENDING'],
  ['needs_response', 'OPEN'],
  ['closed', 'CLOSED'],
]);

/** A payment that the payer contests. */
export function toDispute(object: PlatformObject): UnifiedRecord<typeof paymentDispute> {
  const currency = currencyCodeOf(object['currency']);
  return {
    platformId: idOf(object),
    values: {
      amount: amountOf(object['amount'], currency),
      currencyId: currency,
      currencyCode: currency,
      reasonCode: textOf(object['reason']),
      reasonDescription: textOf(object['reason_text']),
      status: STATUSES.get(object['status']) ?? null,
      paymentId: textOf(object['payment']),
      createdAt: instantOfSeconds(object['created']),
    },
  };
}
