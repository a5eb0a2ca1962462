import { BEGINNING, DAY, type StripeAccount } from '../account.js';
import { note } from '../events.js';
import { idOf } from '../wire.js';
import { makeInvoicePayment } from './invoices.js';
import { cardDetails, detailsOf } from './methods.js';
import { goOn, makeCharge, makeIntent, type Outcome } from './payments.js';

const COUNT = 242;
const TOGETHER = 4;
const CURRENCIES = ['usd', 'eur', 'jpy', 'kwd', 'isk', 'ugx'];
const OUTCOMES: readonly Outcome[] = [
  'succeeded',
  'succeeded',
  'succeeded',
  'failed',
  'succeeded',
  'processing',
  'succeeded',
  'requires_capture',
  'succeeded',
  'requires_action',
  'canceled',
  'nothing',
  'requires_confirmation',
];

/** Four in each second, some of them without a customer. */
export function fillIntents(account: StripeAccount): void {
  const customers = account.customers.values();
  for (let index = 0; index < COUNT; index += 1) {
    const created = BEGINNING - 61 * DAY + Math.floor(index / TOGETHER) * DAY;
    const intent = makeIntent(account, {
      amount: 1000 + index * 37,
      created,
      currency: CURRENCIES[index % CURRENCIES.length] ?? '',
      customer: index % 5 === 4 ? null : (customers[index % customers.length]?.id ?? null),
      description: index % 3 === 0 ? null : `Payment ${index}`,
      metadata: index % 8 === 0 ? { order_id: `order-${index}` } : {},
    });
    const outcome = OUTCOMES[index % OUTCOMES.length] ?? 'nothing';
    goOn(account, intent, outcome, { at: created + 2, details: detailsOf(index) });
    // One that failed, and was given up.
    if (index % 39 === 3) goOn(account, intent, 'canceled', { at: created + 3600, details: null });
  }
}

/** Of paid invoices and of open ones; one is attached a day after it was made, and one is a charge of old. */
export function fillInvoicePayments(account: StripeAccount): void {
  const invoices = account.invoices.values();
  const paid = invoices.filter(({ status }) => status === 'paid');
  paid.forEach((invoice, index) => {
    const { currency, customer, total: amount } = invoice;
    const at = invoice.created + 2 * DAY;
    const common = { amount, currency, customer: idOf(customer), description: `Payment for Invoice` };
    if (index === 1) {
      const charge = makeCharge(account, {
        ...common,
        created: at,
        payment_method_details: cardDetails(null),
      });
      const payment = { type: 'charge', charge: charge.id };
      makeInvoicePayment(account, invoice, { created: at, payment, status: 'paid' });
    } else {
      const intent = makeIntent(account, { ...common, created: index === 2 ? at - DAY : at });
      goOn(account, intent, 'succeeded', { at, details: detailsOf(index * 7) });
      const payment = { type: 'payment_intent', payment_intent: intent.id };
      makeInvoicePayment(account, invoice, { created: at, payment, status: 'paid' });
    }
    note(account, 'invoice.paid', invoice, at);
  });
  const open = invoices.filter(({ status, amount_paid }) => status === 'open' && amount_paid === 0);
  for (const invoice of open) {
    const { created, currency, customer, total: amount } = invoice;
    const intent = makeIntent(account, {
      amount,
      created: created + 3600,
      currency,
      customer: idOf(customer),
    });
    const payment = { type: 'payment_intent', payment_intent: intent.id };
    makeInvoicePayment(account, invoice, { created: created + 3600, payment, status: 'open' });
  }
}

/** Charges of before there were intents: captured, not yet captured, and failed. */
export function fillLegacyCharges(account: StripeAccount): void {
  const [customer] = account.customers.values();
  const own = { currency: 'usd', payment_method_details: cardDetails(null) };
  makeCharge(account, {
    ...own,
    amount: 4200,
    created: BEGINNING - 55 * DAY,
    customer: customer?.id ?? null,
    description: 'By the old way',
    metadata: { order_id: 'old-1' },
  });
  makeCharge(account, { ...own, amount: 1700, captured: false, created: BEGINNING - 20 * DAY });
  makeCharge(account, { ...own, amount: 900, status: 'failed', created: BEGINNING - 250 * DAY });
}
