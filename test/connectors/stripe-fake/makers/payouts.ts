import { type Stripe } from 'stripe';

import { BEGINNING, DAY, type StripeAccount } from '../account.js';
import { note } from '../events.js';
import { makeTransaction } from './transactions.js';

type OwnOfPayout = Partial<Stripe.Payout> & Pick<Stripe.Payout, 'amount' | 'created' | 'currency' | 'status'>;

export function makePayout(account: StripeAccount, own: OwnOfPayout): Stripe.Payout {
  const payout = {
    id: account.newId('po'),
    object: 'payout',
    application_fee: null,
    application_fee_amount: null,
    arrival_date: own.created + 2 * DAY,
    automatic: true,
    balance_transaction: null,
    description: 'STRIPE PAYOUT',
    destination: 'ba_1Fake0000000000000000001',
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: true,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'in_progress',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    trace_id: null,
    type: 'bank_account',
    ...own,
  } satisfies Stripe.Payout;
  payout.balance_transaction = makeTransaction(account, {
    amount: -payout.amount,
    created: payout.created,
    currency: payout.currency,
    description: payout.description,
    source: payout.id,
    type: 'payout',
  }).id;
  account.payouts.add(payout, payout.created);
  note(account, 'payout.created', payout, payout.created);
  return payout;
}

const CURRENCIES = ['usd', 'eur', 'jpy', 'kwd', 'isk', 'ugx'];
const STATUSES = ['paid', 'in_transit', 'pending', 'failed', 'canceled'];
const COUNT = 18;

export function fillPayouts(account: StripeAccount): void {
  for (let index = 0; index < COUNT; index += 1) {
    const status = STATUSES[index % STATUSES.length] ?? '';
    const created = BEGINNING - (COUNT - index) * 3 * DAY;
    const payout = makePayout(account, {
      // One takes back what was too much.
      amount: index === 7 ? -1234 : 100_000 + index * 991,
      created,
      currency: CURRENCIES[index % CURRENCIES.length] ?? '',
      status,
      ...(index % 4 === 3 ? { description: null, automatic: false } : {}),
      ...(index === 9 ? { metadata: null } : {}),
      ...(status === 'failed' ? { failure_code: 'account_closed' } : {}),
    });
    if (status === 'paid' || status === 'failed' || status === 'canceled') {
      note(account, `payout.${status}`, payout, created + DAY);
    }
  }
}
