import { type Mutation } from '../../conformance.js';
import { type StripeAccount } from '../account.js';
import { note } from '../events.js';
import { makePayout } from '../makers/payouts.js';
import { makeDispute, makeRefund } from '../makers/reversals.js';
import { makeTransaction } from '../makers/transactions.js';
import { type Shelf } from '../shelf.js';

interface WithStatus {
  readonly id: string;
  status: string | null;
}

/** Changes the newest with a status to another, each object once. */
function mover(account: StripeAccount, shelf: Shelf<WithStatus>, changed: Set<string>) {
  return (from: string, status: string, ...types: readonly string[]): void => {
    const found = shelf.values().find((one) => one.status === from && !changed.has(one.id));
    if (!found) return;
    found.status = status;
    for (const type of types) note(account, type, found);
    changed.add(found.id);
  };
}

const shelfOf = <T extends WithStatus>(shelf: Shelf<T>) => shelf as unknown as Shelf<WithStatus>;

export function changeRefunds(account: StripeAccount): Mutation {
  const changed = new Set<string>();
  const move = mover(account, shelfOf(account.refunds), changed);
  move('pending', 'succeeded', 'refund.updated');
  move('pending', 'failed', 'refund.failed');
  move('requires_action', 'canceled', 'refund.updated');
  const described = account.refunds
    .values()
    .find(({ id, status }) => status === 'succeeded' && !changed.has(id));
  if (described) {
    described.description = `Described at ${account.time}`;
    note(account, 'refund.updated', described);
    changed.add(described.id);
  }
  account.advance(1);
  for (const charge of account.charges
    .values()
    .filter(({ captured, refunded }) => captured && !refunded)
    .slice(0, 2)) {
    const own = { reason: 'requested_by_customer' };
    changed.add(makeRefund(account, charge, { created: account.time, amount: 1, status: 'pending', own }).id);
  }
  return { changed: [...changed], deleted: [] };
}

export function changeDisputes(account: StripeAccount): Mutation {
  const changed = new Set<string>();
  const move = mover(account, shelfOf(account.disputes), changed);
  move('needs_response', 'under_review', 'charge.dispute.updated');
  move('under_review', 'won', 'charge.dispute.closed');
  move('warning_under_review', 'warning_closed', 'charge.dispute.updated', 'charge.dispute.closed');
  account.advance(1);
  const charges = account.charges.values().filter(({ captured, disputed }) => captured && !disputed);
  for (const charge of charges.slice(0, 2)) {
    charge.disputed = true;
    const own = { created: account.time, reason: 'general', status: 'needs_response' };
    changed.add(makeDispute(account, charge, own).id);
  }
  return { changed: [...changed], deleted: [] };
}

export function changePayouts(account: StripeAccount): Mutation {
  const changed = new Set<string>();
  const move = mover(account, shelfOf(account.payouts), changed);
  move('in_transit', 'paid', 'payout.paid');
  move('pending', 'in_transit', 'payout.updated');
  move('pending', 'canceled', 'payout.canceled');
  move('paid', 'failed', 'payout.failed');
  account.advance(1);
  for (const currency of ['usd', 'jpy']) {
    changed.add(makePayout(account, { amount: 777, created: account.time, currency, status: 'pending' }).id);
  }
  return { changed: [...changed], deleted: [] };
}

/** More of one second than a page has. */
const NEW_TRANSACTIONS = 120;

export function changeTransactions(account: StripeAccount): Mutation {
  const changed = Array.from(
    { length: NEW_TRANSACTIONS },
    (_, index) =>
      makeTransaction(account, {
        amount: -1 - index,
        created: account.time,
        currency: 'usd',
        description: 'Billing - Usage Fee',
        type: 'stripe_fee',
      }).id,
  );
  return { changed, deleted: [] };
}

/** Nothing reports it. */
export function changeBalances({ available, pending }: StripeAccount): Mutation {
  const changed = [...available.keys()].slice(0, 5);
  for (const currency of changed) {
    available.set(currency, (available.get(currency) ?? 0) + 11);
    pending.set(currency, (pending.get(currency) ?? 0) - 7);
  }
  return { changed: changed.map((currency) => currency.toUpperCase()), deleted: [] };
}
