import { type UnifiedRecord } from '../../../../src/connectors/pull.js';
import { type StripeAccount } from '../account.js';
import { idOf } from '../wire.js';
import { amountOf, currencyOf, record, timeOf } from './values.js';

type Words = Readonly<Record<string, string>>;

const REFUNDS: Words = {
  pending: 'PENDING',
  requires_action: 'PENDING',
  succeeded: 'SUCCESS',
  failed: 'FAILED',
  canceled: 'FAILED',
};

const DISPUTES: Words = {
  needs_response: 'OPEN',
  warning_needs_response: 'OPEN',
  under_review: 'PENDING',
  warning_under_review: 'PENDING',
  won: 'WON',
  lost: 'LOST',
  warning_closed: 'CLOSED',
  prevented: 'CLOSED',
};

const PAYOUTS: Words = {
  pending: 'CREATED',
  in_transit: 'CREATED',
  paid: 'SUCCESS',
  failed: 'FAILED',
  canceled: 'FAILED',
};

interface Sum {
  readonly amount: number;
  readonly currency: string;
  readonly created: number;
}

const common = ({ amount, currency, created }: Sum) => ({
  amount: amountOf(amount, currency),
  ...currencyOf(currency),
  createdAt: timeOf(created),
});

export const refundsOf = ({ refunds }: StripeAccount): UnifiedRecord[] =>
  refunds.values().map((refund) =>
    record(refund.id, {
      ...common(refund),
      description: refund.description ?? refund.reason,
      status: REFUNDS[refund.status ?? ''] ?? null,
      paymentId: idOf(refund.payment_intent) ?? idOf(refund.charge),
    }),
  );

export const disputesOf = ({ disputes }: StripeAccount): UnifiedRecord[] =>
  disputes.values().map((dispute) =>
    record(dispute.id, {
      ...common(dispute),
      reasonCode: dispute.reason,
      reasonDescription: null,
      status: DISPUTES[dispute.status] ?? null,
      paymentId: idOf(dispute.payment_intent) ?? idOf(dispute.charge),
    }),
  );

export const payoutsOf = ({ payouts }: StripeAccount): UnifiedRecord[] =>
  payouts.values().map((payout) =>
    record(payout.id, {
      ...common(payout),
      description: payout.description,
      status: PAYOUTS[payout.status] ?? null,
    }),
  );

export const transactionsOf = ({ transactions }: StripeAccount): UnifiedRecord[] =>
  transactions.values().map((transaction) =>
    record(transaction.id, {
      ...common(transaction),
      type: transaction.type.toUpperCase(),
      description: transaction.description,
      status: transaction.status.toUpperCase(),
      source: idOf(transaction.source),
      payoutId: null,
    }),
  );

export const balancesOf = ({ available, pending }: StripeAccount): UnifiedRecord[] =>
  [...available].map(([currency, amount]) => {
    const waiting = pending.get(currency) ?? 0;
    return record(currency.toUpperCase(), {
      availableBalance: amountOf(amount, currency),
      pendingBalance: amountOf(waiting, currency),
      totalBalance: amountOf(amount + waiting, currency),
      ...currencyOf(currency),
    });
  });
