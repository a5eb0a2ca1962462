import { Decimal } from 'decimal.js';
import type { UnifiedRecord } from '../connectors/connector.js';
import type { DemoRecords } from './accounting.js';
import type { Random } from './random.js';

const HOUR = 3_600_000;
const START = Date.parse('2026-03-01T08:00:00.000Z');

/** The transactions of one demo shop: sales and refunds, a few of them deleted on the platform since. */
export function createShop(random: Random): DemoRecords {
  const transactions = Array.from({ length: 48 }, (_, index): UnifiedRecord => {
    const amount = new Decimal(random.integer(990, 48_900)).div(100);
    const type = index % 8 === 7 ? 'REFUND' : 'SALE';
    const createdAt = new Date(START + index * 7 * HOUR).toISOString();
    return {
      platformId: String(700_100 + index),
      platformUniqueId: `shop/transactions/${700_100 + index}`,
      deleted: index % 12 === 5,
      values: {
        amount: amount.toFixed(2),
        fee: type === 'SALE' ? amount.times('0.029').plus('0.30').toFixed(2) : '0.00',
        type,
        paymentMethod: random.pick(['CREDIT_CARD', 'CREDIT_CARD', 'PAYPAL', 'GIFT_CARD']),
        status: 'ACTIVE',
        description: `Order #${1001 + index}`,
        currencyId: 'AUD',
        currencyCode: 'AUD',
        createdAt,
        updatedAt: createdAt,
      },
    };
  });
  return new Map([['ECOMMERCE_TRANSACTIONS', transactions]]);
}
