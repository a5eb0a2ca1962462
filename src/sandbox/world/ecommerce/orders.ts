import { Decimal } from 'decimal.js';
import type { UnifiedLine, UnifiedRecord } from '../../../connectors/pull.js';
import type { ecommerceLineItem, ecommerceOrder } from '../../../records/index.js';
import { money, ZERO } from '../money.js';
import { priceLine, totalsOf } from '../priced-line.js';
import type { Random } from '../random.js';
import { many, type Size, spread } from '../size.js';
import { instant } from '../time.js';
import { GOODS } from './goods.js';

const ORDERS = 44;

/** Paid, pending, or refunded in full or in part. */
type Payment = 'PAID' | 'PENDING' | 'REFUNDED' | 'PARTIALLY_REFUNDED';
const PAYMENTS: readonly Payment[] = [
  'PAID',
  'PAID',
  'PAID',
  'PENDING',
  'PAID',
  'REFUNDED',
  'PAID',
  'PARTIALLY_REFUNDED',
];
const ORDER_STATUS: Readonly<Record<Payment, string>> = {
  PAID: 'FULFILLED',
  PENDING: 'OPEN',
  REFUNDED: 'CANCELLED',
  PARTIALLY_REFUNDED: 'FULFILLED',
};

export interface DemoShopOrder {
  readonly record: UnifiedRecord<typeof ecommerceOrder>;
  readonly name: string;
  readonly totalAmount: Decimal;
  readonly payment: Payment;
  /** In days. */
  readonly created: number;
}

export function createShopOrders(random: Random, size: Size): DemoShopOrder[] {
  const count = many(size, ORDERS);
  return Array.from({ length: count }, (_, index) =>
    createOrder(random, { index, count, created: 55 + spread(size, index, 1.3) }),
  );
}

interface OrderOptions {
  readonly index: number;
  /** Total number of orders. */
  readonly count: number;
  /** In days. */
  readonly created: number;
}

function createOrder(random: Random, { index, count, created }: OrderOptions): DemoShopOrder {
  const platformId = String(500_200 + index * 3);
  const payment = PAYMENTS[index % PAYMENTS.length] ?? 'PAID';
  const chosen = Array.from({ length: random.integer(1, 3) }, () => {
    const [itemId, description, unitAmount] = random.pick(GOODS);
    const discount = random.pick([0, 0, 0, 15]);
    return {
      itemId,
      description,
      priced: priceLine({ quantity: random.integer(1, 3), unitAmount, taxRate: 10, discount }),
    };
  });
  const totals = totalsOf(chosen.map(({ priced }) => priced));
  const name = `#${1001 + index}`;
  return {
    name,
    totalAmount: new Decimal(totals.totalAmount),
    payment,
    created,
    record: {
      platformId,
      platformUniqueId: `shop/orders/${platformId}`,
      // An order that staff made to test the checkout.
      deleted: payment === 'PENDING' && index > count - PAYMENTS.length,
      values: {
        currencyId: 'AUD',
        currencyCode: 'AUD',
        reference: `checkout-${platformId}`,
        orderName: name,
        orderNumber: String(1001 + index),
        description: chosen.map(({ description }) => description).join(', '),
        orderStatus: ORDER_STATUS[payment],
        paymentStatus: payment,
        ...totals,
        amountDue: payment === 'PENDING' ? totals.totalAmount : money(ZERO),
        createdAt: instant(created),
        updatedAt: instant(created + random.integer(1, 60) / 24),
      },
      lines: {
        lineItems: chosen.map(
          ({ itemId, description, priced }, position): UnifiedLine<typeof ecommerceLineItem> => ({
            platformId: `${platformId}-${position + 1}`,
            values: {
              lineItemType: 'ECOMMERCE_ORDERS',
              lineItemTypeId: platformId,
              itemId,
              taxId: 'gst-10',
              description,
              ...priced,
            },
          }),
        ),
      },
    },
  };
}
