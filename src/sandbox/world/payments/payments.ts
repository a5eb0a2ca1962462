import type { Decimal } from 'decimal.js';
import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { payment } from '../../../records/index.js';
import type { PAYMENT_METHODS, PAYMENT_STATUSES } from '../../../records/value-sets.js';
import { money } from '../money.js';
import type { Random } from '../random.js';
import { instant } from '../time.js';
import { type DemoCustomer, isoCurrency } from './customers.js';

export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];
type Method = (typeof PAYMENT_METHODS)[number];

/** An invoice or an order that a customer was asked to pay. */
export interface Payable {
  readonly platformId: string;
  readonly kind: 'invoice' | 'order';
  readonly customer: DemoCustomer;
  /** In days. */
  readonly created: number;
  /** The result and amount of each payment attempt. */
  readonly attempts: readonly { readonly status: PaymentStatus; readonly amount: Decimal }[];
}

/** UPI, instalments and net banking exist only in India. */
const METHODS: readonly Method[] = ['CARD', 'WALLET'];
const INDIAN_METHODS: readonly Method[] = ['UPI', 'EMI', 'NET_BANKING', 'WALLET', 'CARD'];

/** One payment per attempt, in chronological order. */
export function createPayments(
  random: Random,
  payables: readonly Payable[],
): UnifiedRecord<typeof payment>[] {
  return payables
    .flatMap((payable) =>
      payable.attempts.map((attempt, index) => ({
        payable,
        attempt,
        at: payable.created + index * 0.4 + random.integer(1, 40) / 48,
      })),
    )
    .sort((one, other) => one.at - other.at)
    .map(({ payable, attempt, at }, index) => {
      const { customer, kind, platformId } = payable;
      return {
        platformId: `pay_${880_311 + index * 13}`,
        values: {
          amount: money(attempt.amount),
          ...isoCurrency(customer.currency),
          customerId: customer.platformId,
          description: `${customer.record.values.name ?? ''}, ${kind} ${platformId}`,
          invoiceId: kind === 'invoice' ? platformId : null,
          orderId: kind === 'order' ? platformId : null,
          paymentMethod: random.pick(customer.currency === 'INR' ? INDIAN_METHODS : METHODS),
          status: attempt.status,
          createdAt: instant(at),
        },
      };
    });
}
