import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { paymentLink } from '../../../records/index.js';
import type { Random } from '../random.js';
import { many, type Size, spread } from '../size.js';
import { instant } from '../time.js';
import { isoCurrency } from './customers.js';
import { createPaymentLines } from './lines.js';

const LINKS = 34;

/** Links that anyone can pay; the amount is the sum of the lines. */
export function createPaymentLinks(random: Random, size: Size): UnifiedRecord<typeof paymentLink>[] {
  return Array.from({ length: many(size, LINKS) }, (_, index) => {
    const platformId = `plink_${10_233 + index * 5}`;
    const currency = random.pick(['AUD', 'AUD', 'INR', 'USD']);
    const created = 1 + spread(size, index, 4);
    const updated = created + random.integer(0, 30) / 2;
    const { lines, totals } = createPaymentLines(random, {
      lineItemType: 'PAYMENT_PAYMENT_LINKS',
      lineItemTypeId: platformId,
      currency,
      updated,
    });
    return {
      platformId,
      values: {
        amount: totals.totalAmount,
        ...isoCurrency(currency),
        description: `Checkout ${index + 1}: ${lines.map(({ values }) => values.description).join(', ')}`,
        link: `https://pay.lantern.example/${platformId}`,
        status: index % 4 === 3 ? 'INACTIVE' : 'ACTIVE',
        createdAt: instant(created),
        updatedAt: instant(updated),
      },
      lines: { lineItems: lines },
    };
  });
}
