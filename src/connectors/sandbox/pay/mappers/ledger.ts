import {
  type paymentBalance,
  type paymentPayout,
  type paymentTransaction,
} from '../../../../records/index.js';
import { type PAYMENT_PAYOUT_STATUSES } from '../../../../records/value-sets.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedRecord } from '../../../pull.js';
import { Exact } from '../../../values/decimals.js';
import { currencyCodeOf, textOf } from '../../../values/platform-values.js';
import { instantOfSeconds } from '../../../values/times.js';
import { idOf } from './id.js';
import { amountOf } from './minor-units.js';

const STATUSES: ReadonlyMap<unknown, (typeof PAYMENT_PAYOUT_STATUSES)[number]> = new Map([
  ['in_transit', 'CREATED'],
  ['paid', 'SUCCESS'],
  ['failed', 'FAILED'],
]);

/** Money sent to the company's bank. */
export function toPayout(object: PlatformObject): UnifiedRecord<typeof paymentPayout> {
  const currency = currencyCodeOf(object['currency']);
  return {
    platformId: idOf(object),
    values: {
      amount: amountOf(object['amount'], currency),
      currencyId: currency,
      currencyCode: currency,
      description: textOf(object['description']),
      status: STATUSES.get(object['status']) ?? null,
      createdAt: instantOfSeconds(object['created']),
    },
  };
}

/** A movement on the balance. */
export function toTransaction(object: PlatformObject): UnifiedRecord<typeof paymentTransaction> {
  const currency = currencyCodeOf(object['currency']);
  return {
    platformId: idOf(object),
    values: {
      amount: amountOf(object['amount'], currency),
      currencyId: currency,
      currencyCode: currency,
      type: textOf(object['type'])?.toUpperCase() ?? null,
      description: textOf(object['description']),
      status: textOf(object['status'])?.toUpperCase() ?? null,
      source: textOf(object['source']),
      payoutId: textOf(object['payout']),
      createdAt: instantOfSeconds(object['created']),
    },
  };
}

/** The balance in one currency; Pay does not report the total. */
export function toBalance(object: PlatformObject): UnifiedRecord<typeof paymentBalance> {
  const currency = currencyCodeOf(object['currency']);
  const available = amountOf(object['available'], currency);
  const pending = amountOf(object['pending'], currency);
  return {
    platformId: idOf(object),
    values: {
      totalBalance: available === null || pending === null ? null : totalOf(available, pending),
      availableBalance: available,
      pendingBalance: pending,
      currencyId: currency,
      currencyCode: currency,
    },
  };
}

const totalOf = (available: string, pending: string): string =>
  new Exact(available).plus(pending).toFixed(available.split('.')[1]?.length ?? 0);
