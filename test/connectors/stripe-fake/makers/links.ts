import { type Stripe } from 'stripe';

import { BEGINNING, DAY, type StripeAccount } from '../account.js';
import { note } from '../events.js';
import { type LinkLine, type Price } from '../wire.js';

interface OwnOfLink {
  /** Links do not say when they were made. */
  readonly made: number;
  readonly currency: string;
  readonly active?: boolean;
  readonly lines: readonly Omit<LinkLine, 'id' | 'object'>[];
}

export function makeLink(account: StripeAccount, { made, currency, active = true, lines }: OwnOfLink) {
  const id = account.newId('plink');
  const link = {
    id,
    object: 'payment_link',
    active,
    after_completion: { type: 'hosted_confirmation', hosted_confirmation: { custom_message: null } },
    allow_promotion_codes: false,
    application: null,
    application_fee_amount: null,
    application_fee_percent: null,
    automatic_tax: { enabled: false, liability: null },
    billing_address_collection: 'auto',
    consent_collection: null,
    currency,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer_creation: 'if_required',
    inactive_message: null,
    invoice_creation: null,
    livemode: true,
    managed_payments: null,
    metadata: {},
    on_behalf_of: null,
    payment_intent_data: null,
    payment_method_collection: 'always',
    payment_method_options: null,
    payment_method_types: null,
    phone_number_collection: { enabled: false },
    restrictions: null,
    shipping_address_collection: null,
    shipping_options: [],
    submit_type: 'auto',
    subscription_data: null,
    tax_id_collection: { enabled: false, required: 'never' },
    transfer_data: null,
    url: `https://buy.stripe.com/${id.slice(-12)}`,
  } satisfies Stripe.PaymentLink;
  account.linkLines.set(
    id,
    lines.map((line) => ({ ...line, id: account.newId('li'), object: 'item' })),
  );
  account.links.add(link, made);
  note(account, 'payment_link.created', link, made);
  return link;
}

interface LineParts {
  readonly price: Price | null;
  readonly currency: string;
  readonly quantity: number | null;
  readonly discount?: number;
  readonly tax?: number;
  readonly subtotal?: number;
  readonly description?: string | null;
}

export function linkLine({
  price,
  currency,
  quantity,
  discount = 0,
  tax = 0,
  description = null,
  ...rest
}: LineParts) {
  const subtotal = rest.subtotal ?? Math.round(Number(price?.unit_amount_decimal ?? 0) * (quantity ?? 1));
  return {
    adjustable_quantity: null,
    amount_discount: discount,
    amount_subtotal: subtotal,
    amount_tax: tax,
    amount_total: subtotal - discount + tax,
    currency,
    description,
    metadata: {},
    price,
    quantity,
  } satisfies Omit<LinkLine, 'id' | 'object'>;
}

const COUNT = 14;
const LONG = 23;

export function fillLinks(account: StripeAccount): void {
  const prices = account.prices.values();
  const inCurrency = (currency: string) => prices.filter((price) => price.currency === currency);
  for (let index = 0; index < COUNT; index += 1) {
    const currency = ['usd', 'jpy', 'kwd', 'isk'][index % 4] ?? '';
    const own = inCurrency(currency);
    const lines = Array.from({ length: index === 5 ? LONG : 1 + (index % 4) }, (_, at) =>
      linkLine({
        // A price that the customer chooses has no amount, and a line may be without any.
        price: index === 9 ? null : (own[(index + at) % own.length] ?? null),
        currency,
        quantity: index === 9 ? null : 2 + at,
        discount: at % 3 === 1 ? 5 : 0,
        tax: at % 2 === 1 ? 13 : 0,
        description: at % 4 === 3 ? null : `Line ${at}`,
        ...(index === 9 ? { subtotal: 1500 } : {}),
      }),
    );
    // Two of one second each time.
    const made = BEGINNING - (COUNT - (index - (index % 2))) * 4 * DAY;
    const link = makeLink(account, { made, currency, active: index % 5 !== 4, lines });
    if (!link.active) note(account, 'payment_link.updated', link, made + DAY);
  }
}
