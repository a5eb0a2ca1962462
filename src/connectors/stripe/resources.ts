import {
  payment,
  paymentBalance,
  paymentCustomer,
  paymentDispute,
  paymentInvoice,
  paymentItem,
  paymentLink,
  paymentPayout,
  paymentRefund,
  paymentSubscription,
  paymentTaxRate,
  paymentTransaction,
  type RecordDefinition,
} from '../../records/index.js';
import { type PullResource } from '../pull.js';
import { inTurn, type Part } from '../lists/in-turn.js';
import { objectOf, textOf } from '../values/platform-values.js';
import { balancePages } from './balance.js';
import { changedPages, readOne } from './changed.js';
import { deletionsOf, EVENT_DAYS } from './events.js';
import { completeInvoices } from './invoice-ids.js';
import { type StripeKind } from './kinds.js';
import { completeLines } from './lines.js';
import { listPages } from './lists.js';
import { toDispute, toRefund } from './mappers/after-payment.js';
import { toItem, toTaxRate } from './mappers/catalog.js';
import { toCustomer } from './mappers/customer.js';
import { toInvoice } from './mappers/invoice.js';
import { toBalance, toPayout, toTransaction } from './mappers/ledger.js';
import { toPayment } from './mappers/payment.js';
import { toPaymentLink } from './mappers/payment-link.js';
import { toSubscription } from './mappers/subscription.js';

/** Everything of some kinds or, since a time, first what was changed and then what was created. */
function partsOf(kinds: readonly StripeKind[], since: Date | null): readonly Part[] {
  return kinds.flatMap((kind): Part[] => {
    const listed: Part = { name: kind.object, pages: (client, options) => listPages(kind, client, options) };
    if (since === null || !kind.changes) return [listed];
    const changed: Part = {
      name: `${kind.object} changed`,
      pages: (client, options) => changedPages(kind, client, options),
    };
    return kind.isUndated ? [changed] : [changed, listed];
  });
}

function resourceOf<Definition extends RecordDefinition>(
  definition: Definition,
  kinds: readonly [StripeKind, ...StripeKind[]],
  toUnified: PullResource<Definition>['toUnified'],
): PullResource<Definition> {
  return {
    definition,
    mapperVersion: 1,
    incremental: true,
    ...(kinds.some(({ isUndated }) => isUndated) ? { undated: true } : {}),
    reachDays: EVENT_DAYS,
    deletions: kinds.flatMap(deletionsOf),
    pages: (client, options) => inTurn(partsOf(kinds, options.since), client, options),
    read: async (client, platformId) => {
      const kind = kinds.find(({ idPrefix = '' }) => platformId.startsWith(idPrefix));
      return kind ? readOne(kind, client, platformId) : null;
    },
    toUnified,
  };
}

const typesOf = (prefix: string, ...verbs: readonly string[]): string[] =>
  verbs.map((verb) => `${prefix}.${verb}`);

export const customers = resourceOf(
  paymentCustomer,
  [
    {
      path: '/v1/customers',
      object: 'customer',
      expand: ['tax_ids'],
      changes: ['customer.updated', ...typesOf('customer.tax_id', 'created', 'updated', 'deleted')],
      deletion: 'customer.deleted',
    },
  ],
  toCustomer,
);

export const items = resourceOf(
  paymentItem,
  [
    {
      path: '/v1/products',
      object: 'product',
      expand: ['default_price'],
      changes: ['product.updated', ...typesOf('price', 'created', 'updated')],
      deletion: 'product.deleted',
    },
  ],
  toItem,
);

export const taxRates = resourceOf(
  paymentTaxRate,
  [{ path: '/v1/tax_rates', object: 'tax_rate', changes: ['tax_rate.updated'] }],
  toTaxRate,
);

export const invoices = resourceOf(
  paymentInvoice,
  [
    {
      path: '/v1/invoices',
      object: 'invoice',
      // Also of what names an invoice: a part is paid, or credited; a draft has another line.
      changes: [
        ...typesOf(
          'invoice',
          'updated',
          'finalized',
          'paid',
          'payment_succeeded',
          'overpaid',
          'voided',
          'marked_uncollectible',
        ),
        'invoice_payment.paid',
        ...typesOf('credit_note', 'created', 'voided'),
        ...typesOf('invoiceitem', 'created', 'deleted'),
      ],
      deletion: 'invoice.deleted',
      complete: completeLines('/v1/invoices', 'lines'),
    },
  ],
  toInvoice,
);

/** The intent that an event's object is, or that an invoice is paid with. */
const intentIn: StripeKind['idIn'] = (object) =>
  object['object'] === 'payment_intent'
    ? textOf(object['id'])
    : textOf(objectOf(object['payment'])?.['payment_intent']);

const withoutIntent: StripeKind['idIn'] = (object) =>
  textOf(object['payment_intent']) === null ? textOf(object['id']) : null;

const readPayments = resourceOf(
  payment,
  [
    {
      path: '/v1/payment_intents',
      object: 'payment_intent',
      idPrefix: 'pi_',
      expand: ['latest_charge'],
      changes: [
        ...typesOf(
          'payment_intent',
          'amount_capturable_updated',
          'canceled',
          'partially_funded',
          'payment_failed',
          'processing',
          'requires_action',
          'succeeded',
        ),
        'invoice_payment.paid',
      ],
      idIn: intentIn,
      complete: completeInvoices('payment_intent'),
    },
    {
      path: '/v1/charges',
      object: 'charge',
      changes: typesOf('charge', 'captured', 'expired', 'failed', 'refunded', 'succeeded', 'updated'),
      idIn: withoutIntent,
      complete: (client) => {
        const complete = completeInvoices('charge')(client);
        return (charges) => complete(charges.filter((charge) => withoutIntent(charge) !== null));
      },
    },
  ],
  toPayment,
);

/** No event tells that a description, a customer or an order was added later: all are read again once a week. */
export const payments: PullResource<typeof payment> = {
  ...readPayments,
  unstamped: { everyHours: 7 * 24 },
};

export const refunds = resourceOf(
  paymentRefund,
  [
    {
      path: '/v1/refunds',
      object: 'refund',
      changes: [...typesOf('refund', 'updated', 'failed'), 'charge.refund.updated'],
    },
  ],
  toRefund,
);

export const disputes = resourceOf(
  paymentDispute,
  [
    {
      path: '/v1/disputes',
      object: 'dispute',
      changes: typesOf('charge.dispute', 'updated', 'closed', 'funds_withdrawn', 'funds_reinstated'),
    },
  ],
  toDispute,
);

export const payouts = resourceOf(
  paymentPayout,
  [
    {
      path: '/v1/payouts',
      object: 'payout',
      changes: typesOf('payout', 'updated', 'paid', 'failed', 'canceled'),
    },
  ],
  toPayout,
);

/** No event tells that one has become available: all are read again once a day. */
export const transactions: PullResource<typeof paymentTransaction> = {
  ...resourceOf(
    paymentTransaction,
    [{ path: '/v1/balance_transactions', object: 'balance_transaction' }],
    toTransaction,
  ),
  unstamped: { everyHours: 24 },
};

export const balances: PullResource<typeof paymentBalance> = {
  definition: paymentBalance,
  mapperVersion: 1,
  incremental: false,
  pages: (client) => balancePages(client),
  toUnified: toBalance,
};

export const paymentLinks = resourceOf(
  paymentLink,
  [
    {
      path: '/v1/payment_links',
      object: 'payment_link',
      expand: ['line_items'],
      isUndated: true,
      changes: typesOf('payment_link', 'created', 'updated'),
      complete: completeLines('/v1/payment_links', 'line_items'),
    },
  ],
  toPaymentLink,
);

export const subscriptions = resourceOf(
  paymentSubscription,
  [
    {
      path: '/v1/subscriptions',
      object: 'subscription',
      query: { status: 'all' },
      expand: ['default_payment_method'],
      changes: typesOf('customer.subscription', 'updated', 'deleted', 'paused', 'resumed'),
    },
  ],
  toSubscription,
);
