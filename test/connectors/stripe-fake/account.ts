import { createHash } from 'node:crypto';

import { type Stripe } from 'stripe';

import { Shelf } from './shelf.js';
import {
  type Event,
  idOf,
  type Invoice,
  type InvoiceLine,
  type LinkLine,
  type Price,
  type Subscription,
} from './wire.js';

export const ACCOUNT_ID = 'acct_fake00000000001';
export const API_VERSION = '2026-10-28.endive';

export const DAY = 86_400;
/** Where the account's clock begins; everything was made before. */
export const BEGINNING = Date.UTC(2026, 10, 2) / 1000;

const ID_LENGTHS: Readonly<Record<string, number>> = { cus: 14, prod: 14, si: 14, di: 14 };

/** Everything that an account has. */
export class StripeAccount {
  /** The time, in seconds. */
  time = BEGINNING;
  readonly customers = new Shelf<Stripe.Customer>();
  readonly taxIds = new Shelf<Stripe.TaxId>();
  readonly products = new Shelf<Stripe.Product>();
  readonly prices = new Shelf<Price>();
  readonly taxRates = new Shelf<Stripe.TaxRate>();
  readonly invoices = new Shelf<Invoice>();
  /** Of an invoice, by its id. */
  readonly invoiceLines = new Map<string, InvoiceLine[]>();
  readonly invoicePayments = new Shelf<Stripe.InvoicePayment>();
  readonly intents = new Shelf<Stripe.PaymentIntent>();
  readonly charges = new Shelf<Stripe.Charge>();
  readonly refunds = new Shelf<Stripe.Refund>();
  readonly disputes = new Shelf<Stripe.Dispute>();
  readonly payouts = new Shelf<Stripe.Payout>();
  readonly transactions = new Shelf<Stripe.BalanceTransaction>();
  readonly links = new Shelf<Stripe.PaymentLink>();
  /** Of a payment link, by its id. */
  readonly linkLines = new Map<string, LinkLine[]>();
  readonly subscriptions = new Shelf<Subscription>();
  readonly paymentMethods = new Shelf<Stripe.PaymentMethod>();
  readonly events = new Shelf<Event>();
  /** In minor units. */
  readonly available = new Map<string, number>();
  readonly pending = new Map<string, number>();
  readonly #counts = new Map<string, number>();

  /** Ids look like Stripe's, and do not grow with time. */
  newId(prefix: string): string {
    const count = (this.#counts.get(prefix) ?? 0) + 1;
    this.#counts.set(prefix, count);
    const hash = createHash('sha256').update(`${prefix} ${count}`).digest('base64').replace(/[+/=]/g, '');
    const length = ID_LENGTHS[prefix];
    return length === undefined ? `${prefix}_1${hash.slice(0, 23)}` : `${prefix}_${hash.slice(0, length)}`;
  }

  /** The clock goes on; what was to be available by now is, and nothing says so. */
  advance(seconds: number): void {
    this.time += seconds;
    for (const transaction of this.transactions.values()) {
      if (transaction.status === 'pending' && transaction.available_on <= this.time) {
        transaction.status = 'available';
      }
    }
  }

  /** The invoice that an intent, or a charge without one, pays. */
  invoiceOf(paymentId: string): string | null {
    const found = this.invoicePayments
      .values()
      .find(({ payment }) => [idOf(payment.payment_intent), idOf(payment.charge)].includes(paymentId));
    return idOf(found?.invoice);
  }
}
