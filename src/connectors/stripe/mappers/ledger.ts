import { type paymentBalance, type paymentPayout, type paymentTransaction } from '../../../records/index.js';
import { type PAYMENT_PAYOUT_STATUSES } from '../../../records/value-sets.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { sum } from '../../values/decimals.js';
import { currencyCodeOf, decimalOf, textOf } from '../../values/platform-values.js';
import { unexpectedAnswer } from '../../values/required-values.js';
import { instantOfSeconds } from '../../values/times.js';
import { STRIPE_TITLE } from '../client.js';
import { idOf } from './id.js';
import { amountOf } from './money.js';

const PAYOUT_STATUSES: ReadonlyMap<unknown, (typeof PAYMENT_PAYOUT_STATUSES)[number]> = new Map([
  ['pending', 'CREATED'],
  ['in_transit', 'CREATED'],
  ['paid', 'SUCCESS'],
  ['failed', 'FAILED'],
  ['canceled', 'FAILED'],
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
      status: PAYOUT_STATUSES.get(object['status']) ?? null,
      createdAt: instantOfSeconds(object['created']),
    },
  };
}

/** A movement on the balance. Stripe does not say in it which payout it belongs to. */
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
      payoutId: null,
      createdAt: instantOfSeconds(object['created']),
    },
  };
}

/** The balance in one currency. */
export function toBalance(object: PlatformObject): UnifiedRecord<typeof paymentBalance> {
  const currency = currencyCodeOf(object['currency']);
  if (currency === null) throw unexpectedAnswer(STRIPE_TITLE, 'sent a balance without currency');
  const available = decimalOf(object['available']);
  const pending = decimalOf(object['pending']);
  return {
    platformId: currency,
    values: {
      totalBalance: amountOf(sum(available, pending), currency),
      availableBalance: amountOf(available, currency),
      pendingBalance: amountOf(pending, currency),
      currencyId: currency,
      currencyCode: currency,
    },
  };
}
