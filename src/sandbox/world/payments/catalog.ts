import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { paymentItem, paymentSubscription, paymentTaxRate } from '../../../records/index.js';
import type { Random } from '../random.js';
import { type Size, spread } from '../size.js';
import { instant, TODAY } from '../time.js';
import { type DemoCustomer, isoCurrency } from './customers.js';

/** Item id, name, and price in the customer's currency. */
export const PLANS = [
  ['item_7001', 'Monthly plan', '49.00'],
  ['item_7002', 'Annual plan', '490.00'],
  ['item_7003', 'Extra seat', '12.50'],
  ['item_7004', 'Setup', '199.00'],
  ['item_7005', 'Message bundle', '24.90'],
  ['item_7006', 'Priority support', '89.00'],
] as const;
/** GST in percent, by currency; customers elsewhere pay none. */
export const GST: Readonly<Record<string, string>> = { AUD: '10', INR: '18', NZD: '15' };

/** The platform gives every account the same taxes, with the same ids. */
export const taxIdOf = (rate: string): string => `txr_gst_${rate}`;

/** No longer sold. */
const FORMER = [
  ['item_7101', 'Paper invoice', '3.50'],
  ['item_7102', 'Fax to mail', '9.00'],
] as const;
const TERM_DAYS = 30;
/** Every 3rd customer subscribes, and every 5th of those has cancelled. */
const EVERY = { subscriber: 3, cancelled: 5 };

/** Items for the lines of invoices and links, including former ones. */
export function createItems(): UnifiedRecord<typeof paymentItem>[] {
  return [...PLANS, ...FORMER].map(([platformId, name, unitPrice], index) => ({
    platformId,
    values: {
      name,
      description: `${name}, priced by itself`,
      code: `P-${platformId.slice(-4)}`,
      unitPrice,
      ...isoCurrency('AUD'),
      status: index < PLANS.length ? 'ACTIVE' : 'ARCHIVED',
      createdAt: instant(index / 24),
      updatedAt: instant(index / 24 + 1),
    },
  }));
}

export function createTaxRates(): UnifiedRecord<typeof paymentTaxRate>[] {
  return ['0', ...Object.values(GST).sort()].map((rate, index) => ({
    platformId: taxIdOf(rate),
    values: {
      name: `GST ${rate}%`,
      description: rate === '0' ? 'Nothing is charged' : `Goods and services tax of ${rate} percent`,
      rate,
      createdAt: instant(index / 24),
      updatedAt: instant(index / 24),
    },
  }));
}

/** The plans that customers pay monthly, with the current or last term. */
export function createSubscriptions(
  random: Random,
  customers: readonly DemoCustomer[],
  size: Size,
): UnifiedRecord<typeof paymentSubscription>[] {
  return customers
    .filter((_, index) => index % EVERY.subscriber === 1)
    .map(({ platformId, currency }, index) => {
      const isCancelled = index % EVERY.cancelled === 3;
      const created = 2 + spread(size, index, 4.5) + random.integer(0, 20) / 20;
      const terms = Math.floor((TODAY - created) / TERM_DAYS);
      const start = created + (isCancelled ? Math.min(1, terms) : terms) * TERM_DAYS;
      const end = start + TERM_DAYS;
      return {
        platformId: `subscription_${20_051 + index * 3}`,
        values: {
          description: random.pick([PLANS[0][1], PLANS[2][1], PLANS[5][1]]),
          ...isoCurrency(currency),
          status: isCancelled ? 'CANCELLED' : 'ACTIVE',
          contactId: platformId,
          paymentMethod: currency === 'INR' ? 'UPI' : 'CARD',
          currentStart: instant(start),
          currentEnd: instant(end),
          expireBy: isCancelled ? instant(end) : null,
          createdAt: instant(created),
        },
      };
    });
}
