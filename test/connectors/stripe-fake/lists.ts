import { type StripeAccount } from './account.js';
import { badParameter, missing, Refusal } from './errors.js';
import { type Query } from './query.js';
import { type Kept, Shelf } from './shelf.js';
import { idOf } from './wire.js';

interface Row {
  readonly id: string;
}

export interface List {
  /** As messages name one of it. */
  readonly what: string;
  readonly shelf: (account: StripeAccount) => Shelf<Row>;
  /** Fields that a parameter of the same name selects by. */
  readonly equals?: readonly string[];
  readonly ranges?: readonly string[];
  /** Other parameters. */
  readonly others?: readonly string[];
  readonly fits?: (row: never, query: Query, account: StripeAccount) => boolean;
  /** What is deleted is still known by its id. */
  readonly remembers?: true;
}

function list<T extends Row>(
  what: string,
  shelf: (account: StripeAccount) => Shelf<T>,
  own: Omit<List, 'what' | 'shelf' | 'fits'> & {
    readonly fits?: (row: T, query: Query, account: StripeAccount) => boolean;
  },
): List {
  return { what, shelf: shelf, ...own };
}

const CREATED = ['created'];
const PAGING = ['limit', 'starting_after', 'ending_before', 'expand'];
const EVENTS_LAST_SECONDS = 30 * 86_400;
const MOST_TYPES = 20;

/** Every list that there is, by its path. */
export const LISTS: ReadonlyMap<string, List> = new Map([
  [
    'customers',
    list('customer', ({ customers }) => customers, { ranges: CREATED, equals: ['email'], remembers: true }),
  ],
  [
    'products',
    list('product', ({ products }) => products, {
      ranges: CREATED,
      equals: ['active', 'shippable', 'type', 'url'],
      others: ['ids'],
      fits: ({ id }, query) => !query.has('ids') || query.texts('ids').includes(id),
    }),
  ],
  [
    'prices',
    list('price', ({ prices }) => prices, {
      ranges: CREATED,
      equals: ['active', 'currency', 'product', 'type'],
    }),
  ],
  [
    'tax_rates',
    list('tax rate', ({ taxRates }) => taxRates, { ranges: CREATED, equals: ['active', 'inclusive'] }),
  ],
  [
    'invoices',
    list('invoice', ({ invoices }) => invoices, {
      ranges: ['created', 'due_date'],
      equals: ['collection_method', 'customer', 'status'],
    }),
  ],
  [
    'invoice_payments',
    list('invoice payment', ({ invoicePayments }) => invoicePayments, {
      ranges: CREATED,
      equals: ['invoice', 'status'],
      others: ['payment'],
      fits: ({ payment }, query) => {
        if (!query.has('payment')) return true;
        const type = query.text('payment', '[type]');
        if (type === null) throw new Refusal(badParameter('payment[type]', 'Missing required param: type.'));
        const intent = query.text('payment', '[payment_intent]');
        return payment.type === type && (intent === null || idOf(payment.payment_intent) === intent);
      },
    }),
  ],
  [
    'payment_intents',
    list('payment_intent', ({ intents }) => intents, { ranges: CREATED, equals: ['customer'] }),
  ],
  [
    'charges',
    list('charge', ({ charges }) => charges, {
      ranges: CREATED,
      equals: ['customer', 'payment_intent', 'transfer_group'],
    }),
  ],
  [
    'refunds',
    list('refund', ({ refunds }) => refunds, { ranges: CREATED, equals: ['charge', 'payment_intent'] }),
  ],
  [
    'disputes',
    list('dispute', ({ disputes }) => disputes, { ranges: CREATED, equals: ['charge', 'payment_intent'] }),
  ],
  [
    'payouts',
    list('payout', ({ payouts }) => payouts, {
      ranges: ['created', 'arrival_date'],
      equals: ['destination', 'status'],
    }),
  ],
  [
    'balance_transactions',
    list('balance transaction', ({ transactions }) => transactions, {
      ranges: CREATED,
      equals: ['currency', 'source', 'type'],
    }),
  ],
  // Links do not say when they were made.
  ['payment_links', list('payment link', ({ links }) => links, { equals: ['active'] })],
  [
    'subscriptions',
    list('subscription', ({ subscriptions }) => subscriptions, {
      ranges: CREATED,
      equals: ['collection_method', 'customer'],
      others: ['status'],
      fits: ({ status }, query) => {
        const asked = query.text('status');
        if (asked === 'all') return true;
        if (asked === 'ended') return status === 'canceled' || status === 'incomplete_expired';
        return asked === null ? status !== 'canceled' : status === asked;
      },
    }),
  ],
  [
    'events',
    list('event', ({ events }) => events, {
      ranges: CREATED,
      equals: ['type'],
      others: ['types'],
      fits: ({ created, type }, query, { time }) => {
        const types = query.texts('types');
        if (types.length > MOST_TYPES) {
          throw new Refusal(badParameter('types', `You may only specify up to ${MOST_TYPES} types.`));
        }
        const isKept = created > time - EVENTS_LAST_SECONDS;
        return isKept && (types.length === 0 || types.includes(type));
      },
    }),
  ],
]);

export interface ListPage {
  readonly data: readonly object[];
  readonly hasMore: boolean;
}

export function pageOf(account: StripeAccount, own: List, query: Query): ListPage {
  const { equals = [], ranges = [], others = [] } = own;
  query.allow([...PAGING, ...equals, ...ranges, ...others]);
  const inRange = ranges.map((name) => [name, query.range(name)] as const);
  const shelf = own.shelf(account);
  const rows = shelf.rows().filter(({ value }) => {
    const row = value as unknown as Readonly<Record<string, unknown>>;
    return (
      inRange.every(([name, fits]) => !query.has(name) || fits(row[name] as number | null)) &&
      equals.every((name) => !query.has(name) || String(row[name]) === query.text(name)) &&
      (own.fits?.(value as never, query, account) ?? true)
    );
  });
  return cut(rows, query, (name) => cursorOf(own, shelf, query, name));
}

/** The parts of an object, in the order that they have. */
export function pageOfParts(parts: readonly Row[], query: Query, what: string): ListPage {
  query.allow(PAGING);
  const rows = parts.map((value, index) => ({ value, made: 0, order: -index, deleted: false }));
  return cut(rows, query, (name) => {
    const id = query.text(name);
    if (id === null) return null;
    const found = rows.find(({ value }) => value.id === id);
    if (!found) throw new Refusal(missing(what, id, { status: 400, param: name }));
    return found;
  });
}

function cursorOf(own: List, shelf: Shelf<Row>, query: Query, name: string): Kept<Row> | null {
  const id = query.text(name);
  if (id === null) return null;
  const found = shelf.find(id);
  if (!found || (found.deleted && !own.remembers)) {
    throw new Refusal(missing(own.what, id, { status: 400, param: name }));
  }
  return found;
}

function cut(rows: readonly Kept<Row>[], query: Query, cursor: (name: string) => Kept<Row> | null): ListPage {
  const limit = query.limit();
  const [after, before] = [cursor('starting_after'), cursor('ending_before')];
  if (after && before) {
    throw new Refusal(
      badParameter('ending_before', 'You can only specify one of these: starting_after, ending_before.'),
    );
  }
  const rest = rows.filter(
    (row) => (!after || Shelf.isAfter(row, after)) && (!before || Shelf.isAfter(before, row)),
  );
  const page = before ? rest.slice(-limit) : rest.slice(0, limit);
  return { data: page.map(({ value }) => value), hasMore: rest.length > limit };
}
