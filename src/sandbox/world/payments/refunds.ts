import { Decimal } from 'decimal.js';
import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { payment, paymentDispute, paymentRefund } from '../../../records/index.js';
import type { PAYMENT_DISPUTE_STATUSES, PAYMENT_REFUND_STATUSES } from '../../../records/value-sets.js';
import { cents, money } from '../money.js';
import type { Random } from '../random.js';
import { instant, TODAY } from '../time.js';
import { isoCurrency } from './customers.js';
import { daysOf } from './ledger.js';

type Payment = UnifiedRecord<typeof payment>;
type RefundStatus = (typeof PAYMENT_REFUND_STATUSES)[number];
type DisputeStatus = (typeof PAYMENT_DISPUTE_STATUSES)[number];

/** The refunded share of a payment, and the status of the refund. */
const REFUNDS: readonly (readonly [share: string, RefundStatus])[] = [
  ['1', 'SUCCESS'],
  ['0.25', 'SUCCESS'],
  ['0.5', 'PENDING'],
  ['0.4', 'SUCCESS'],
  ['1', 'FAILED'],
];
const DISPUTES: readonly (readonly [code: string, text: string, DisputeStatus])[] = [
  ['fraudulent', 'The payer does not know of the payment', 'LOST'],
  ['not_received', 'What was paid for did not arrive', 'WON'],
  ['duplicate', 'It was paid twice', 'PENDING'],
  ['not_as_described', 'It is not what was promised', 'OPEN'],
  ['general', 'Taken back by the payer', 'CLOSED'],
];
/** Every 6th payment is refunded, and every 4th of the others is disputed. */
const EVERY = { refund: 6, dispute: 4 };

const paid = (payments: readonly Payment[]): readonly Payment[] =>
  payments.filter(({ values }) => values.status === 'PAID');
const isRefunded = (index: number): boolean => index % EVERY.refund === 2;

/** Refunds of payments, some days after the payment. */
export function createRefunds(
  random: Random,
  payments: readonly Payment[],
): UnifiedRecord<typeof paymentRefund>[] {
  return paid(payments)
    .filter((_, index) => isRefunded(index))
    .map(({ platformId, values }, index) => {
      const [share, status] = REFUNDS[index % REFUNDS.length] ?? ['1', 'SUCCESS'];
      const at = Math.min(daysOf(values.createdAt) + random.integer(2, 18) / 2, TODAY);
      return {
        platformId: `refund_${40_117 + index * 3}`,
        values: {
          amount: money(cents(new Decimal(values.amount ?? 0).times(share))),
          ...isoCurrency(values.currencyCode ?? ''),
          description: share === '1' ? 'All of it' : 'A part of it',
          status,
          paymentId: platformId,
          createdAt: instant(at),
        },
      };
    });
}

/** Disputes of payments, each for the full amount. */
export function createDisputes(
  random: Random,
  payments: readonly Payment[],
): UnifiedRecord<typeof paymentDispute>[] {
  return paid(payments)
    .filter((_, index) => !isRefunded(index))
    .filter((_, index) => index % EVERY.dispute === 1)
    .map(({ platformId, values }, index) => {
      const [reasonCode, reasonDescription, status] = DISPUTES[index % DISPUTES.length] ?? [
        'general',
        '',
        'OPEN',
      ];
      const at = Math.min(daysOf(values.createdAt) + random.integer(6, 40) / 2, TODAY);
      return {
        platformId: `dispute_${7_015 + index * 2}`,
        values: {
          amount: values.amount ?? null,
          ...isoCurrency(values.currencyCode ?? ''),
          reasonCode,
          reasonDescription,
          status,
          paymentId: platformId,
          createdAt: instant(at),
        },
      };
    });
}
