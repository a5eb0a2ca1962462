import { type Stripe } from 'stripe';

import { type StripeAccount } from '../account.js';
import { note } from '../events.js';
import { idOf } from '../wire.js';
import { makeTransaction } from './transactions.js';

type Details = Stripe.Charge.PaymentMethodDetails | null;

type OwnOfCharge = Partial<Stripe.Charge> & Pick<Stripe.Charge, 'amount' | 'created' | 'currency'>;

/** A charge, with the transaction that what succeeded has on the balance. */
export function makeCharge(account: StripeAccount, own: OwnOfCharge): Stripe.Charge {
  const { status = 'succeeded', captured = status === 'succeeded', amount } = own;
  const charge = {
    id: account.newId(own.payment_method_details?.type === 'card' ? 'ch' : 'py'),
    object: 'charge',
    amount_captured: captured ? amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: null,
    captured,
    customer: null,
    description: null,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: status === 'failed' ? 'card_declined' : null,
    failure_message: status === 'failed' ? 'Your card was declined.' : null,
    fraud_details: {},
    livemode: true,
    metadata: {},
    on_behalf_of: null,
    outcome: null,
    paid: status === 'succeeded',
    payment_intent: null,
    payment_method: null,
    payment_method_details: null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status,
    transfer_data: null,
    transfer_group: null,
    ...own,
  } satisfies Stripe.Charge;
  if (captured) {
    charge.balance_transaction = makeTransaction(account, {
      amount,
      created: charge.created,
      currency: charge.currency,
      description: charge.description,
      source: charge.id,
      type: 'charge',
    }).id;
  }
  account.charges.add(charge, charge.created);
  if (status === 'succeeded') note(account, 'charge.succeeded', charge, charge.created);
  return charge;
}

type OwnOfIntent = Partial<Stripe.PaymentIntent> &
  Pick<Stripe.PaymentIntent, 'amount' | 'created' | 'currency'>;

/** An intent that nothing was done about yet. */
export function makeIntent(account: StripeAccount, own: OwnOfIntent): Stripe.PaymentIntent {
  const id = account.newId('pi');
  const intent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount_capturable: 0,
    amount_details: {},
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: { enabled: true },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic',
    client_secret: `${id}_secret_fake`,
    confirmation_method: 'automatic',
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: true,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
    ...own,
  } satisfies Stripe.PaymentIntent as Stripe.PaymentIntent;
  account.intents.add(intent, intent.created);
  note(account, 'payment_intent.created', intent, intent.created);
  return intent;
}

/** What may become of an intent. */
export type Outcome =
  | 'succeeded'
  | 'failed'
  | 'processing'
  | 'requires_capture'
  | 'requires_action'
  | 'requires_confirmation'
  | 'canceled'
  | 'nothing';

interface Happening {
  readonly at: number;
  readonly details: Details;
}

export function goOn(
  account: StripeAccount,
  intent: Stripe.PaymentIntent,
  outcome: Outcome,
  { at, details }: Happening,
): void {
  const charged = (status: Stripe.Charge.Status, captured: boolean) =>
    makeCharge(account, {
      amount: intent.amount,
      captured,
      created: at,
      currency: intent.currency,
      customer: idOf(intent.customer),
      description: intent.description,
      payment_intent: intent.id,
      payment_method_details: details,
      status,
    }).id;
  const becomes = (type: string, own: Partial<Stripe.PaymentIntent>) => {
    Object.assign(intent, own);
    note(account, `payment_intent.${type}`, intent, at);
  };
  switch (outcome) {
    case 'succeeded':
      becomes('succeeded', {
        amount_received: intent.amount,
        amount_capturable: 0,
        last_payment_error: null,
        latest_charge: charged('succeeded', true),
        status: 'succeeded',
      });
      return;
    case 'failed':
      becomes('payment_failed', {
        last_payment_error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' },
        latest_charge: charged('failed', false),
        status: 'requires_payment_method',
      });
      return;
    case 'processing':
      becomes('processing', { latest_charge: charged('pending', false), status: 'processing' });
      return;
    case 'requires_capture':
      becomes('amount_capturable_updated', {
        amount_capturable: intent.amount,
        capture_method: 'manual',
        latest_charge: charged('succeeded', false),
        status: 'requires_capture',
      });
      return;
    case 'requires_action':
      becomes('requires_action', { next_action: { type: 'use_stripe_sdk' }, status: 'requires_action' });
      return;
    case 'canceled':
      becomes('canceled', { canceled_at: at, cancellation_reason: 'abandoned', status: 'canceled' });
      return;
    case 'requires_confirmation':
      intent.status = 'requires_confirmation';
      return;
    case 'nothing':
      return;
    default:
      outcome satisfies never;
  }
}
