import { Decimal } from 'decimal.js';
import type { UnifiedRecord } from '../../../connectors/pull.js';
import type {
  payment,
  paymentBalance,
  paymentDispute,
  paymentPayout,
  paymentRefund,
  paymentTransaction,
} from '../../../records/index.js';
import { cents, money, sum } from '../money.js';
import { day, instant, TODAY } from '../time.js';
import { isoCurrency } from './customers.js';

/** A change of the balance, with its type and source. */
interface Movement {
  readonly type: 'PAYMENT' | 'FEE' | 'REFUND' | 'DISPUTE';
  readonly amount: Decimal;
  readonly currency: string;
  readonly source: string;
  /** In days. */
  readonly at: number;
}

interface Ledger {
  readonly transactions: readonly UnifiedRecord<typeof paymentTransaction>[];
  readonly payouts: readonly UnifiedRecord<typeof paymentPayout>[];
  readonly balances: readonly UnifiedRecord<typeof paymentBalance>[];
}

interface Sources {
  readonly payments: readonly UnifiedRecord<typeof payment>[];
  readonly refunds: readonly UnifiedRecord<typeof paymentRefund>[];
  readonly disputes: readonly UnifiedRecord<typeof paymentDispute>[];
}

/** Incoming money is available after two days, and paid out weekly. */
const HELD_DAYS = 2;
const PAYOUT_DAYS = 7;
const FEE_SHARE = '0.029';

const START = Date.parse(instant(0));

/** Days from the start of demo time to an instant. */
export const daysOf = (time: string | null | undefined): number =>
  (Date.parse(time ?? instant(0)) - START) / 86_400_000;

/**
 * Transactions, payouts and balances, by currency. A payout is the sum of its transactions, and a balance the sum of
 * those not paid out. All are as of the day of the last movement, so that the latest ones are still pending.
 */
export function createLedger(sources: Sources): Ledger {
  const movements = movementsOf(sources);
  const lastDay = Math.min(Math.ceil(movements.at(-1)?.at ?? 0), TODAY);
  const currencies = [...new Set(movements.map(({ currency }) => currency))].sort();
  const parts = currencies.map((currency) =>
    ofCurrency(
      currency,
      movements.filter((one) => one.currency === currency),
      lastDay,
    ),
  );
  return {
    transactions: parts.flatMap(({ transactions }) => transactions),
    payouts: parts.flatMap(({ payouts }) => payouts),
    balances: parts.flatMap(({ balances }) => balances),
  };
}

function movementsOf({ payments, refunds, disputes }: Sources): Movement[] {
  const paid = payments.filter(({ values }) => values.status === 'PAID');
  const returned = refunds.filter(({ values }) => values.status === 'SUCCESS');
  const lost = disputes.filter(({ values }) => values.status === 'LOST');
  return [
    ...paid.map((one) => movement('PAYMENT', one, '1')),
    ...paid.map((one) => movement('FEE', one, `-${FEE_SHARE}`)),
    ...returned.map((one) => movement('REFUND', one, '-1')),
    ...lost.map((one) => movement('DISPUTE', one, '-1')),
  ].sort((one, other) => one.at - other.at || (one.source < other.source ? -1 : 1));
}

function movement(
  type: Movement['type'],
  { platformId, values }: Sources['payments' | 'refunds' | 'disputes'][number],
  share: string,
): Movement {
  return {
    type,
    amount: cents(new Decimal(values.amount ?? 0).times(share)),
    currency: values.currencyCode ?? '',
    source: platformId,
    at: daysOf(values.createdAt),
  };
}

function ofCurrency(currency: string, movements: readonly Movement[], lastDay: number): Ledger {
  const payouts: UnifiedRecord<typeof paymentPayout>[] = [];
  const payoutOf = new Map<Movement, string>();
  for (let at = PAYOUT_DAYS; at <= lastDay; at += PAYOUT_DAYS) {
    const open = movements.filter((one) => !payoutOf.has(one) && one.at + HELD_DAYS <= at);
    const amount = sum(open.map((one) => one.amount));
    // A balance that is zero or negative is not paid out; later payments make up for it.
    if (!amount.isPositive() || amount.isZero()) continue;
    const platformId = `payout_${currency}_${at}`;
    for (const one of open) payoutOf.set(one, platformId);
    payouts.push({
      platformId,
      values: {
        amount: money(amount),
        ...isoCurrency(currency),
        description: `Week to ${day(at)}`,
        status: at + HELD_DAYS > lastDay - PAYOUT_DAYS ? 'CREATED' : 'SUCCESS',
        createdAt: instant(at),
      },
    });
  }
  const isAvailable = (one: Movement) => one.at + HELD_DAYS <= lastDay;
  const kept = movements.filter((one) => !payoutOf.has(one));
  const total = (some: readonly Movement[]) => money(sum(some.map(({ amount }) => amount)));
  return {
    payouts,
    transactions: movements.map((one) => ({
      platformId: `movement_${one.type}_${one.source}`,
      values: {
        amount: money(one.amount),
        type: one.type,
        ...isoCurrency(currency),
        description: `${one.type.charAt(0)}${one.type.slice(1).toLowerCase()} in ${currency}`,
        status: isAvailable(one) ? 'AVAILABLE' : 'PENDING',
        source: one.source,
        payoutId: payoutOf.get(one) ?? null,
        createdAt: instant(one.at),
      },
    })),
    balances: [
      {
        platformId: `balance_${currency}`,
        values: {
          totalBalance: total(kept),
          availableBalance: total(kept.filter(isAvailable)),
          pendingBalance: total(kept.filter((one) => !isAvailable(one))),
          ...isoCurrency(currency),
        },
      },
    ],
  };
}
