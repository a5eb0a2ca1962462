import { type paymentDispute, type paymentRefund } from '../../../records/index.js';
import { type PAYMENT_DISPUTE_STATUSES, type PAYMENT_REFUND_STATUSES } from '../../../records/value-sets.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { currencyCodeOf, textOf } from '../../values/platform-values.js';
import { instantOfSeconds } from '../../values/times.js';
import { idOf } from './id.js';
import { amountOf } from './money.js';

const REFUND_STATUSES: ReadonlyMap<unknown, (typeof PAYMENT_REFUND_STATUSES)[number]> = new Map([
  ['pending', 'PENDING'],
  ['requires_action', 'PENDING'],
  ['succeeded', 'SUCCESS'],
  ['failed', 'FAILED'],
  ['canceled', 'FAILED'],
]);

const DISPUTE_STATUSES: ReadonlyMap<unknown, (typeof PAYMENT_DISPUTE_STATUSES)[number]> = new Map([
  ['needs_response', 'OPEN'],
  ['warning_needs_response', 'OPEN'],
  ['appeal_needs_response', 'OPEN'],
  ['under_review', 'PENDING'],
  ['warning_under_review', 'PENDING'],
  ['appeal_under_review', 'PENDING'],
  ['won', 'WON'],
  ['lost', 'LOST'],
  ['warning_closed', 'CLOSED'],
  ['prevented', 'CLOSED'],
]);

/** The payment that an object is about: an intent, or a charge without one. */
const paymentOf = (object: PlatformObject): string | null =>
  textOf(object['payment_intent']) ?? textOf(object['charge']);

/** A full or partial refund of a payment. */
export function toRefund(object: PlatformObject): UnifiedRecord<typeof paymentRefund> {
  const currency = currencyCodeOf(object['currency']);
  return {
    platformId: idOf(object),
    values: {
      amount: amountOf(object['amount'], currency),
      currencyId: currency,
      currencyCode: currency,
      description: textOf(object['description']) ?? textOf(object['reason']),
      status: REFUND_STATUSES.get(object['status']) ?? null,
      paymentId: paymentOf(object),
      createdAt: instantOfSeconds(object['created']),
    },
  };
}

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
      reasonDescription: null,
      status: DISPUTE_STATUSES.get(object['status']) ?? null,
      paymentId: paymentOf(object),
      createdAt: instantOfSeconds(object['created']),
    },
  };
}
