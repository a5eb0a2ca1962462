import { type Stripe } from 'stripe';

/** How was paid: what of the details the kinds of methods have, by type. */

export function cardDetails(wallet: 'apple_pay' | 'google_pay' | null): Stripe.Charge.PaymentMethodDetails {
  return {
    type: 'card',
    card: {
      amount_authorized: null,
      authorization_code: null,
      brand: 'visa',
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      electronic_commerce_indicator: null,
      exp_month: 8,
      exp_year: 2030,
      fingerprint: 'AOB934RVNwzk6xtn',
      funding: 'credit',
      installments: null,
      last4: '4242',
      mandate: null,
      network: 'visa',
      network_transaction_id: null,
      regulated_status: null,
      three_d_secure: null,
      transaction_link_id: null,
      wallet: wallet && { dynamic_last4: null, type: wallet },
    },
  };
}

const otherDetails = (type: string): Stripe.Charge.PaymentMethodDetails =>
  Object.assign({ type }, { [type]: {} });

const OTHERS = [
  'upi',
  'ideal',
  'fpx',
  'p24',
  'eps',
  'bancontact',
  'netbanking',
  'link',
  'paypal',
  'alipay',
  'wechat_pay',
  'cashapp',
  'amazon_pay',
  'revolut_pay',
  'mobilepay',
  'grabpay',
  'sepa_debit',
  'us_bank_account',
  'klarna',
  'card_present',
];

/** All kinds in turn, and mostly cards. */
export function detailsOf(index: number): Stripe.Charge.PaymentMethodDetails | null {
  if (index % 47 === 46) return null;
  if (index % 2 === 0) return cardDetails(null);
  if (index % 6 === 3) return cardDetails(index % 4 === 1 ? 'apple_pay' : 'google_pay');
  return otherDetails(OTHERS[Math.floor(index / 2) % OTHERS.length] ?? '');
}

export function makePaymentMethod(
  id: string,
  { type, created }: { readonly type: string; readonly created: number },
): Stripe.PaymentMethod {
  return {
    id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    created,
    customer: null,
    customer_account: null,
    livemode: true,
    metadata: {},
    type,
    ...(type === 'link' ? { link: { email: null } } : {}),
  };
}
