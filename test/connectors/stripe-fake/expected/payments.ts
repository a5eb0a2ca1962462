import { type Stripe } from 'stripe';

import { type UnifiedRecord } from '../../../../src/connectors/pull.js';
import { type StripeAccount } from '../account.js';
import { idOf } from '../wire.js';
import { amountOf, currencyOf, record, timeOf } from './values.js';

const BANKS = 'ideal fpx p24 eps bancontact netbanking'.split(' ');
const WALLETS = 'link paypal alipay wechat_pay cashapp amazon_pay revolut_pay mobilepay grabpay'.split(' ');

function methodOf(details: Stripe.Charge.PaymentMethodDetails | null | undefined): string | null {
  const type = details?.type ?? '';
  if (type === 'card') return details?.card?.wallet ? 'WALLET' : 'CARD';
  if (type === 'card_present') return 'CARD';
  if (type === 'upi') return 'UPI';
  if (BANKS.includes(type)) return 'NET_BANKING';
  return WALLETS.includes(type) ? 'WALLET' : null;
}

function statusOfIntent({ status, last_payment_error }: Stripe.PaymentIntent): string | null {
  switch (status) {
    case 'succeeded':
      return 'PAID';
    case 'canceled':
      return 'FAILED';
    case 'processing':
    case 'requires_capture':
    case 'requires_action':
      return 'ATTEMPTED';
    case 'requires_payment_method':
      return last_payment_error ? 'ATTEMPTED' : 'CREATED';
    case 'requires_confirmation':
      return 'CREATED';
    default:
      return null;
  }
}

function statusOfCharge({ status, captured }: Stripe.Charge): string | null {
  if (status === 'failed') return 'FAILED';
  return status === 'succeeded' && captured ? 'PAID' : 'ATTEMPTED';
}

function paymentOf(
  account: StripeAccount,
  payment: Stripe.PaymentIntent | Stripe.Charge,
  { charge, status }: { readonly charge: Stripe.Charge | null; readonly status: string | null },
): UnifiedRecord {
  return record(payment.id, {
    amount: amountOf(payment.amount, payment.currency),
    ...currencyOf(payment.currency),
    customerId: idOf(payment.customer),
    description: payment.description,
    invoiceId: account.invoiceOf(payment.id),
    orderId: payment.metadata['order_id'] ?? null,
    paymentMethod: methodOf(charge?.payment_method_details),
    status,
    createdAt: timeOf(payment.created),
  });
}

export const paymentsOf = (account: StripeAccount): UnifiedRecord[] => [
  ...account.intents.values().map((intent) => {
    const charge = account.charges.get(idOf(intent.latest_charge));
    return paymentOf(account, intent, { charge, status: statusOfIntent(intent) });
  }),
  ...account.charges
    .values()
    .filter(({ payment_intent }) => payment_intent === null)
    .map((charge) => paymentOf(account, charge, { charge, status: statusOfCharge(charge) })),
];
