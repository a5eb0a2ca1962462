import { type Stripe } from 'stripe';

import { DAY, type StripeAccount } from '../account.js';
import { note } from '../events.js';
import { idOf } from '../wire.js';
import { makeTransaction } from './transactions.js';

interface OwnOfRefund {
  readonly created: number;
  readonly amount: number;
  readonly status: string;
  readonly own?: Partial<Stripe.Refund>;
}

export function makeRefund(
  account: StripeAccount,
  charge: Stripe.Charge,
  { created, amount, status, own = {} }: OwnOfRefund,
): Stripe.Refund {
  const refund = {
    id: account.newId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created,
    currency: charge.currency,
    customer: idOf(charge.customer),
    customer_account: null,
    metadata: {},
    payment_intent: idOf(charge.payment_intent),
    payment_method: null,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status,
    transfer_reversal: null,
    ...own,
  } satisfies Stripe.Refund;
  if (status === 'succeeded') {
    const { id: source, currency } = refund;
    refund.balance_transaction = makeTransaction(account, {
      amount: -amount,
      created,
      currency,
      source,
      type: 'refund',
      description: 'REFUND FOR CHARGE',
    }).id;
  }
  account.refunds.add(refund, created);
  note(account, 'refund.created', refund, created);
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded >= charge.amount;
  note(account, 'charge.refunded', charge, created);
  return refund;
}

const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

interface OwnOfDispute {
  readonly created: number;
  readonly reason: string;
  readonly status: Stripe.Dispute.Status;
}

export function makeDispute(
  account: StripeAccount,
  charge: Stripe.Charge,
  { created, reason, status }: OwnOfDispute,
): Stripe.Dispute {
  const dispute = {
    id: account.newId('du'),
    object: 'dispute',
    amount: charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: { ...NO_EVIDENCE },
    evidence_details: {
      due_by: created + 10 * DAY,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: true,
    metadata: {},
    payment_intent: idOf(charge.payment_intent),
    reason,
    status,
  } satisfies Stripe.Dispute;
  account.disputes.add(dispute, created);
  note(account, 'charge.dispute.created', dispute, created);
  return dispute;
}

const REFUND_STATUSES = ['succeeded', 'pending', 'succeeded', 'requires_action', 'failed', 'canceled'];
const REFUND_REASONS = ['duplicate', 'fraudulent', 'requested_by_customer', null];
const REFUNDS = 22;

export const DISPUTE_STATUSES = [
  'needs_response',
  'warning_needs_response',
  'under_review',
  'warning_under_review',
  'won',
  'lost',
  'warning_closed',
  'prevented',
];
const DISPUTE_REASONS = [
  'fraudulent',
  'general',
  'product_not_received',
  'duplicate',
  'credit_not_processed',
];

export function fillReversals(account: StripeAccount): void {
  const charges = account.charges.values().filter(({ captured }) => captured);
  const old = charges.filter(({ payment_intent }) => payment_intent === null);
  for (let index = 0; index < REFUNDS; index += 1) {
    const charge = index === 4 ? old[0] : charges[index * 2];
    if (!charge) continue;
    const status = REFUND_STATUSES[index % REFUND_STATUSES.length] ?? '';
    const refund = makeRefund(account, charge, {
      created: charge.created + DAY / 2,
      amount: Math.ceil(charge.amount / (1 + (index % 3))),
      status,
      own: {
        reason: REFUND_REASONS[index % REFUND_REASONS.length] ?? null,
        ...(index % 3 === 0 ? { description: `Goodwill ${index}` } : {}),
        ...(status === 'failed' ? { failure_reason: 'expired_or_canceled_card' } : {}),
        ...(index === 8 ? { charge: null, metadata: null } : {}),
      },
    });
    if (status === 'failed') note(account, 'refund.failed', refund, refund.created + 3600);
  }
  for (let index = 0; index < 2 * DISPUTE_STATUSES.length; index += 1) {
    const charge = index === 5 ? old[1] : charges[index * 3 + 1];
    if (!charge) continue;
    charge.disputed = true;
    makeDispute(account, charge, {
      created: charge.created + DAY / 4,
      reason: DISPUTE_REASONS[index % DISPUTE_REASONS.length] ?? '',
      status: DISPUTE_STATUSES[index % DISPUTE_STATUSES.length] ?? '',
    });
  }
}
