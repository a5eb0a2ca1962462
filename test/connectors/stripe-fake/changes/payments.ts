import { type Stripe } from 'stripe';

import { type Mutation } from '../../conformance.js';
import { type StripeAccount } from '../account.js';
import { note } from '../events.js';
import { makeInvoicePayment } from '../makers/invoices.js';
import { cardDetails, detailsOf } from '../makers/methods.js';
import { goOn, makeCharge, makeIntent } from '../makers/payments.js';
import { idOf } from '../wire.js';

type Intent = Stripe.PaymentIntent;

export function changePayments(account: StripeAccount): Mutation {
  const changed = new Set<string>();
  /** The newest that fits, once. */
  const pick = (fits: (intent: Intent) => boolean): Intent | undefined => {
    const found = account.intents.values().find((intent) => !changed.has(intent.id) && fits(intent));
    if (found) changed.add(found.id);
    return found;
  };
  const { time: at } = account;
  const isNew = ({ status, last_payment_error }: Intent) =>
    status === 'requires_payment_method' && last_payment_error === null;
  const [paid, failed, canceled] = [pick(isNew), pick(isNew), pick(isNew)];
  if (paid) goOn(account, paid, 'succeeded', { at, details: detailsOf(1) });
  if (failed) goOn(account, failed, 'failed', { at, details: cardDetails(null) });
  if (canceled) goOn(account, canceled, 'canceled', { at, details: null });
  account.advance(1);
  const captured = pick(({ status }) => status === 'requires_capture');
  if (captured) settle(account, captured, 'charge.captured');
  const cleared = pick(({ status }) => status === 'processing');
  if (cleared) settle(account, cleared, 'charge.updated');
  attach(account, pick);
  for (let count = 0; count < 2; count += 1) {
    const { time: created } = account;
    const intent = makeIntent(account, { amount: 5000 + count, created, currency: 'eur' });
    if (count === 1) goOn(account, intent, 'requires_action', { at: created, details: null });
    changed.add(intent.id);
  }
  return { changed: [...changed, ...changeLegacyCharges(account)], deleted: [] };
}

/** The charge that there is becomes money. */
function settle(account: StripeAccount, intent: Intent, type: string): void {
  const charge = account.charges.get(idOf(intent.latest_charge));
  if (!charge) return;
  Object.assign(charge, { amount_captured: charge.amount, captured: true, paid: true, status: 'succeeded' });
  note(account, type, charge);
  Object.assign(intent, { amount_capturable: 0, amount_received: intent.amount, status: 'succeeded' });
  note(account, 'payment_intent.succeeded', intent);
}

/** A payment of the past becomes that of an invoice: its intent is not said to have changed. */
function attach(
  account: StripeAccount,
  pick: (fits: (intent: Intent) => boolean) => Intent | undefined,
): void {
  const known = new Set(account.invoicePayments.values().map(({ invoice }) => idOf(invoice)));
  const invoice = account.invoices.values().find(({ id, status }) => status !== 'draft' && !known.has(id));
  if (!invoice) return;
  const intent = pick(({ id, status }) => status === 'succeeded' && account.invoiceOf(id) === null);
  if (!intent) return;
  const payment = { type: 'payment_intent', payment_intent: intent.id };
  makeInvoicePayment(account, invoice, { created: account.time, payment, status: 'paid' });
}

function changeLegacyCharges(account: StripeAccount): string[] {
  const legacy = account.charges.values().filter(({ payment_intent }) => payment_intent === null);
  const waiting = legacy.find(({ captured, status }) => status === 'succeeded' && !captured);
  if (waiting) {
    Object.assign(waiting, { amount_captured: waiting.amount, captured: true });
    note(account, 'charge.captured', waiting);
  }
  const described = legacy.find(({ id, captured }) => captured && id !== waiting?.id);
  if (described) {
    described.description = `Described at ${account.time}`;
    note(account, 'charge.updated', described);
  }
  const made = makeCharge(account, {
    amount: 321,
    captured: false,
    created: account.time,
    currency: 'usd',
    payment_method_details: cardDetails('apple_pay'),
    status: 'succeeded',
  });
  return [waiting, described, made].flatMap((charge) => charge?.id ?? []);
}
