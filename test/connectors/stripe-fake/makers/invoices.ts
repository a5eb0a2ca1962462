import { type Stripe } from 'stripe';

import { type StripeAccount } from '../account.js';
import { note } from '../events.js';
import { idOf, type Invoice, type InvoiceLine, type Price } from '../wire.js';

export interface LineSpec {
  readonly price: Price | null;
  readonly quantity: number | null;
  /** Without a price. */
  readonly subtotal?: number;
  readonly description?: string | null;
  /** Null says that there are none, as an empty list does. */
  readonly discounts?: readonly (readonly [discount: string, amount: number])[] | null;
  readonly rates?: readonly Stripe.TaxRate[] | null;
  /** Of taxes that Stripe computes no rate is named. */
  readonly namesRates?: boolean;
}

export interface InvoiceSpec {
  readonly created: number;
  readonly currency: string;
  readonly customer: string | null;
  readonly status: Stripe.Invoice.Status;
  readonly lines: readonly LineSpec[];
  /** Of a total; what an open invoice has been paid of it. */
  readonly paid?: number;
  /** Negative where the customer has credit. */
  readonly startingBalance?: number;
  readonly own?: Partial<Invoice>;
}

const DAY = 86_400;

export function makeInvoice(account: StripeAccount, spec: InvoiceSpec): Invoice {
  const { created, currency, customer, status, startingBalance = 0 } = spec;
  const id = account.newId('in');
  const lines = spec.lines.map((line) => lineOf(account, line, { invoice: id, currency, at: created }));
  account.invoiceLines.set(id, lines);
  const isFinal = status !== 'draft';
  const finalized = isFinal ? created + 3600 : null;
  const invoice = {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Fake Works',
    account_tax_ids: null,
    amount_due: 0,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: 0,
    amount_shipping: 0,
    application: null,
    attempt_count: isFinal ? 1 : 0,
    attempted: isFinal,
    auto_advance: false,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: 'manual',
    collection_method: 'send_invoice',
    created,
    currency,
    custom_fields: null,
    customer,
    customer_account: null,
    customer_address: null,
    customer_email: null,
    customer_name: null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: created + 30 * DAY,
    effective_at: finalized,
    ending_balance: isFinal ? 0 : null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    livemode: true,
    metadata: {},
    next_payment_attempt: null,
    number: isFinal ? `FAKE-${id.slice(-4).toUpperCase()}-0001` : null,
    on_behalf_of: null,
    parent: null,
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: created,
    period_start: created,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: startingBalance,
    statement_descriptor: null,
    status,
    status_transitions: {
      finalized_at: finalized,
      marked_uncollectible_at: status === 'uncollectible' ? created + 2 * DAY : null,
      paid_at: status === 'paid' ? created + 2 * DAY : null,
      voided_at: status === 'void' ? created + 2 * DAY : null,
    },
    subtotal: 0,
    subtotal_excluding_tax: null,
    test_clock: null,
    total: 0,
    total_discount_amounts: [],
    total_excluding_tax: null,
    total_pretax_credit_amounts: null,
    total_taxes: [],
    webhooks_delivered_at: null,
  } satisfies Invoice as Invoice;
  addUp(account, invoice, spec.paid);
  Object.assign(invoice, spec.own);
  account.invoices.add(invoice, created);
  note(account, 'invoice.created', invoice, created);
  return invoice;
}

/** Makes the amounts of an invoice those of its lines. */
export function addUp(account: StripeAccount, invoice: Invoice, paid = 0): void {
  const lines = account.invoiceLines.get(invoice.id) ?? [];
  const subtotal = sum(lines.map((line) => line.subtotal));
  const discount = sum(lines.flatMap((line) => line.discount_amounts ?? []).map(({ amount }) => amount));
  const taxes = lines.flatMap((line) => line.taxes ?? []);
  const taxOf = (behavior: string) =>
    sum(taxes.filter(({ tax_behavior }) => tax_behavior === behavior).map(({ amount }) => amount));
  const total = subtotal - discount + taxOf('exclusive');
  const due = Math.max(0, total + invoice.starting_balance);
  const amountPaid = invoice.status === 'paid' ? due : paid;
  Object.assign(invoice, {
    subtotal,
    subtotal_excluding_tax: subtotal - taxOf('inclusive'),
    total,
    total_excluding_tax: total - taxOf('exclusive') - taxOf('inclusive'),
    total_discount_amounts: together(
      lines.flatMap((line) => line.discount_amounts ?? []),
      ({ discount }) => idOf(discount) ?? '',
    ),
    total_taxes: together(taxes, (tax) => `${tax.tax_behavior} ${tax.tax_rate_details?.tax_rate}`),
    amount_due: due,
    amount_paid: amountPaid,
    amount_remaining: due - amountPaid,
  } satisfies Partial<Invoice>);
}

interface OfInvoice {
  readonly invoice: string;
  readonly currency: string;
  readonly at: number;
}

function lineOf(account: StripeAccount, spec: LineSpec, { invoice, currency, at }: OfInvoice): InvoiceLine {
  const { price, quantity, description = null, discounts = [], rates = [], namesRates = true } = spec;
  const decimal = price?.unit_amount_decimal ?? null;
  const subtotal = spec.subtotal ?? Math.round(Number(decimal ?? 0) * (quantity ?? 1));
  const taxable = subtotal - sum((discounts ?? []).map(([, amount]) => amount));
  return {
    id: account.newId('il'),
    object: 'line_item',
    amount: subtotal,
    currency,
    description,
    discount_amounts: discounts && discounts.map(([discount, amount]) => ({ amount, discount })),
    discountable: true,
    discounts: (discounts ?? []).map(([discount]) => discount),
    invoice,
    livemode: true,
    metadata: {},
    parent: null,
    period: { end: at, start: at },
    pretax_credit_amounts: [],
    pricing: price && {
      price_details: { price: price.id, product: idOf(price.product) ?? '' },
      type: 'price_details',
      unit_amount_decimal: decimal,
    },
    quantity,
    quantity_decimal: quantity === null ? null : String(quantity),
    subscription: null,
    subtotal,
    taxes: rates && rates.map((rate) => taxOf(rate, { taxable, namesRates })),
  };
}

function taxOf(
  { id, inclusive, percentage }: Stripe.TaxRate,
  { taxable, namesRates }: { readonly taxable: number; readonly namesRates: boolean },
): Stripe.InvoiceLineItem.Tax {
  const amount = Math.round((taxable * percentage) / (inclusive ? 100 + percentage : 100));
  return {
    amount,
    tax_behavior: inclusive ? 'inclusive' : 'exclusive',
    tax_rate_details: namesRates ? { tax_rate: id } : null,
    taxability_reason: 'standard_rated',
    taxable_amount: inclusive ? taxable - amount : taxable,
    type: 'tax_rate_details',
  };
}

/** One of each key, with the sum of their amounts. */
function together<Part extends { amount: number }>(
  parts: readonly Part[],
  keyOf: (part: Part) => string,
): Part[] {
  const sums = new Map<string, Part>();
  for (const part of parts) {
    const known = sums.get(keyOf(part));
    if (known) known.amount += part.amount;
    else sums.set(keyOf(part), { ...part });
  }
  return [...sums.values()];
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

interface OwnOfInvoicePayment {
  readonly created: number;
  readonly payment: Stripe.InvoicePayment.Payment;
  readonly status: string;
}

export function makeInvoicePayment(
  account: StripeAccount,
  invoice: Invoice,
  { created, payment, status }: OwnOfInvoicePayment,
): Stripe.InvoicePayment {
  const isPaid = status === 'paid';
  const made = {
    id: account.newId('inpay'),
    object: 'invoice_payment',
    amount_paid: isPaid ? invoice.total : null,
    amount_requested: invoice.total,
    created,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: true,
    payment,
    status,
    status_transitions: { canceled_at: null, paid_at: isPaid ? created : null },
  } satisfies Stripe.InvoicePayment;
  account.invoicePayments.add(made, created);
  if (isPaid) note(account, 'invoice_payment.paid', made, created);
  return made;
}
