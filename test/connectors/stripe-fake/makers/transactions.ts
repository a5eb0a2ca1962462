import { type Stripe } from 'stripe';

import { BEGINNING, DAY, type StripeAccount } from '../account.js';

type OwnOfTransaction = Partial<Stripe.BalanceTransaction> &
  Pick<Stripe.BalanceTransaction, 'amount' | 'created' | 'currency' | 'type'>;

const CLEARING = 4 * DAY;

/** A movement on the balance: nothing reports it, nor that it becomes available. */
export function makeTransaction(account: StripeAccount, own: OwnOfTransaction): Stripe.BalanceTransaction {
  const available = own.created + CLEARING;
  const fee = own.type === 'charge' ? Math.round(own.amount * 0.029) : 0;
  const transaction = {
    id: account.newId('txn'),
    object: 'balance_transaction',
    available_on: available,
    balance_type: 'payments',
    description: null,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency: own.currency,
              description: 'Stripe processing fees',
              type: 'stripe_fee',
            },
          ],
    net: own.amount - fee,
    reporting_category: own.type,
    source: null,
    status: available <= account.time ? 'available' : 'pending',
    ...own,
  } satisfies Stripe.BalanceTransaction;
  return account.transactions.add(transaction, transaction.created);
}

const FEES = 120;

/** More of one second than a page has, beside those of charges, refunds and payouts; and one balance a currency. */
export function fillTransactions(account: StripeAccount): void {
  const created = BEGINNING - 31 * DAY;
  for (let index = 0; index < FEES; index += 1) {
    makeTransaction(account, {
      amount: -(index + 1),
      created,
      currency: index % 3 === 0 ? 'jpy' : 'usd',
      description: index % 4 === 0 ? null : `Billing - Usage Fee (${index})`,
      type: index % 10 === 9 ? 'adjustment' : 'stripe_fee',
    });
  }
  const balances: readonly (readonly [currency: string, available: number, pending: number])[] = [
    ['usd', 1_234_567, -2500],
    ['eur', 0, 99],
    ['jpy', 50_000, 1200],
    ['kwd', 12_345, 7],
    ['isk', -150_000, 25_000],
    ['ugx', 2_500_000, 0],
  ];
  for (const [currency, available, pending] of balances) {
    account.available.set(currency, available);
    account.pending.set(currency, pending);
  }
}
