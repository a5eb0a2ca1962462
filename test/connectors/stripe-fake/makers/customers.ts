import { type Stripe } from 'stripe';

import { BEGINNING, DAY, type StripeAccount } from '../account.js';
import { note } from '../events.js';

const IMPORTED = 130;
const OTHERS = 106;
const TOGETHER = 4;
const HOUR = 3600;

const NAMES = ['Adler Optics', 'Brook & Sons', 'Cobalt Works', 'Dune Travel', 'Élan Studio', '福岡商店'];
const CURRENCIES = ['usd', 'eur', 'jpy', 'kwd', 'isk', 'ugx', null];

const NOWHERE: Stripe.Address = {
  city: null,
  country: null,
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
};

export function makeCustomer(
  account: StripeAccount,
  own: Partial<Stripe.Customer> & { readonly created: number },
): Stripe.Customer {
  const customer = {
    id: account.newId('cus'),
    object: 'customer',
    address: null,
    balance: 0,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: '7FE1103',
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: true,
    metadata: {},
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
    ...own,
  } satisfies Stripe.Customer;
  account.customers.add(customer, customer.created);
  note(account, 'customer.created', customer, customer.created);
  return customer;
}

export function makeTaxId(
  account: StripeAccount,
  customer: string,
  own: { readonly created: number; readonly value: string },
): Stripe.TaxId {
  const taxId = {
    id: account.newId('txi'),
    object: 'tax_id',
    country: 'DE',
    customer,
    customer_account: null,
    livemode: true,
    owner: { customer, customer_account: null, type: 'customer' },
    type: 'eu_vat',
    verification: { status: 'pending', verified_address: null, verified_name: null },
    ...own,
  } satisfies Stripe.TaxId;
  account.taxIds.add(taxId, taxId.created);
  note(account, 'customer.tax_id.created', taxId, taxId.created);
  return taxId;
}

/** An import of more than a page in one second, and then four in each second. */
export function fillCustomers(account: StripeAccount): void {
  for (let index = 0; index < IMPORTED + OTHERS; index += 1) {
    const group = Math.floor((index - IMPORTED) / TOGETHER);
    const created =
      index < IMPORTED ? BEGINNING - 200 * DAY : BEGINNING - 60 * DAY + group * (2 * DAY + HOUR);
    const customer = makeCustomer(account, { created, ...detailsOf(index) });
    if (index % 5 === 0) makeTaxId(account, customer.id, { created, value: `DE${100_000_000 + index}` });
    if (index % 10 === 0) {
      makeTaxId(account, customer.id, { created: created + HOUR, value: `DE${900_000_000 + index}` });
    }
    if (index % 20 === 3) note(account, 'customer.updated', customer, created + HOUR);
  }
}

function detailsOf(index: number): Partial<Stripe.Customer> {
  const name = `${NAMES[index % NAMES.length]} ${index}`;
  return {
    name: index % 17 === 4 ? null : name,
    email: index % 4 === 3 ? null : `accounts${index}@example.com`,
    phone: index % 3 === 0 ? `+49 30 5550${String(index).padStart(3, '0')}` : null,
    currency: CURRENCIES[index % CURRENCIES.length] ?? null,
    description: index % 2 === 0 ? `Customer since ${2000 + (index % 26)}` : null,
    metadata: index % 6 === 0 ? { crm: `C-${index}` } : {},
    address: addressOf(index),
    shipping: shippingOf(index, name),
  };
}

function addressOf(index: number): Stripe.Address | null {
  if (index % 5 === 4) return null;
  if (index % 5 === 3) return { ...NOWHERE, country: 'JP' };
  return {
    line1: `${index} Mill Lane`,
    line2: index % 2 === 0 ? 'Riverside' : null,
    city: 'Berlin',
    state: index % 3 === 0 ? 'BE' : null,
    postal_code: String(10_000 + index),
    country: 'DE',
  };
}

function shippingOf(index: number, name: string): Stripe.Customer.Shipping | null {
  // One without an address is legal, and rare.
  if (index % 41 === 7) return { name, phone: null };
  if (index % 7 !== 0) return null;
  const address = { ...NOWHERE, line1: `${index} Dock Road`, city: 'Hamburg', country: 'DE' };
  return { address, carrier: null, name, phone: null, tracking_number: null };
}
