import { Decimal } from 'decimal.js';
import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { paymentOrder } from '../../../records/index.js';
import type { PAYMENT_ORDER_STATUSES } from '../../../records/value-sets.js';
import { money, ZERO } from '../money.js';
import type { Random } from '../random.js';
import { many, type Size, spread } from '../size.js';
import { instant } from '../time.js';
import { type DemoCustomer, isoCurrency } from './customers.js';
import type { Payable, PaymentStatus } from './payments.js';

type Status = (typeof PAYMENT_ORDER_STATUSES)[number];
/** The order's status, then the result of each attempt to pay it. */
const PLANS: readonly (readonly [Status, ...PaymentStatus[]])[] = [
  ['PAID', 'PAID'],
  ['PAID', 'FAILED', 'PAID'],
  ['ATTEMPTED', 'FAILED', 'FAILED'],
  ['ATTEMPTED', 'ATTEMPTED'],
  ['PAID', 'PAID'],
  ['CREATED', 'CREATED'],
  ['CANCELLED', 'FAILED'],
  ['CREATED'],
];
const ORDERS = 40;

interface DemoPaymentOrder {
  readonly record: UnifiedRecord<typeof paymentOrder>;
  readonly payable: Payable;
}

/** Orders with a single amount, paid in full or not at all. */
export function createOrders(
  random: Random,
  customers: readonly DemoCustomer[],
  size: Size,
): DemoPaymentOrder[] {
  const count = many(size, ORDERS);
  return Array.from({ length: count }, (_, index) => {
    const [status, ...attempts] = PLANS[index % PLANS.length] ?? ['CREATED'];
    const platformId = `order_${61_907 + index * 17}`;
    const customer = random.pick(customers);
    const amount = new Decimal(random.integer(900, 98_000)).div(100);
    const created = 2 + spread(size, index, 3.3);
    return {
      payable: {
        platformId,
        kind: 'order',
        customer,
        created,
        attempts: attempts.map((attempt) => ({ status: attempt, amount })),
      },
      record: {
        platformId,
        // A removed test order that nobody tried to pay.
        deleted: attempts.length === 0 && index > count - 2,
        values: {
          reference: `WEB-${5001 + index}`,
          amount: money(amount),
          amountDue: money(status === 'PAID' || status === 'CANCELLED' ? ZERO : amount),
          status,
          ...isoCurrency(customer.currency),
          createdAt: instant(created),
        },
      },
    };
  });
}
