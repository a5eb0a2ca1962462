import type { Decimal } from 'decimal.js';
import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { ecommerceTransaction } from '../../../records/index.js';
import { cents, money } from '../money.js';
import type { Random } from '../random.js';
import { instant } from '../time.js';
import type { DemoShopOrder } from './orders.js';

interface Movement {
  readonly order: DemoShopOrder;
  readonly type: 'SALE' | 'REFUND';
  readonly amount: Decimal;
  /** In days. */
  readonly at: number;
  readonly deleted: boolean;
}

/** Every 9th paid order was charged twice, and the second charge deleted. */
const DOUBLE_CHARGE = 9;

/** Payments and refunds of the orders, in chronological order. */
export function createTransactions(
  random: Random,
  orders: readonly DemoShopOrder[],
): UnifiedRecord<typeof ecommerceTransaction>[] {
  return orders
    .flatMap(movementsOf)
    .sort((one, other) => one.at - other.at)
    .map(({ order, type, amount, at, deleted }, index) => {
      const platformId = String(700_100 + index);
      return {
        platformId,
        platformUniqueId: `shop/transactions/${platformId}`,
        deleted,
        values: {
          amount: money(amount),
          fee: type === 'SALE' ? money(cents(amount.times('0.029')).plus('0.30')) : '0.00',
          type,
          paymentMethod: random.pick(['CREDIT_CARD', 'CREDIT_CARD', 'PAYPAL', 'GIFT_CARD']),
          status: deleted ? 'ARCHIVED' : 'ACTIVE',
          description: `Order ${order.name}`,
          currencyId: 'AUD',
          currencyCode: 'AUD',
          orderId: order.record.platformId,
          createdAt: instant(at),
          updatedAt: instant(at + 0.01),
        },
      };
    });
}

function movementsOf(order: DemoShopOrder, index: number): Movement[] {
  const { totalAmount, payment, created } = order;
  const sale = { order, type: 'SALE', amount: totalAmount, at: created + 0.02, deleted: false } as const;
  const refund = { order, type: 'REFUND', at: created + 6, deleted: false } as const;
  const twice = index % DOUBLE_CHARGE === 0 ? [{ ...sale, at: created + 0.03, deleted: true }] : [];
  switch (payment) {
    case 'PENDING':
      return [];
    case 'PAID':
      return [sale, ...twice];
    case 'REFUNDED':
      return [sale, ...twice, { ...refund, amount: totalAmount }];
    case 'PARTIALLY_REFUNDED':
      return [sale, ...twice, { ...refund, amount: cents(totalAmount.div(3)) }];
    default:
      return payment satisfies never;
  }
}
