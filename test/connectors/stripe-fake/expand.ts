import { type StripeAccount } from './account.js';
import { cannotExpand, Refusal } from './errors.js';
import { embeddedInvoiceLines, embeddedInvoicePayments, embeddedLinkLines, taxIdsOf } from './parts.js';
import { type Shelf } from './shelf.js';
import { listOf } from './wire.js';

export type Fields = Record<string, unknown>;

type Expand = (account: StripeAccount, object: Fields, value: unknown) => unknown;

type ShelfName =
  | 'charges'
  | 'customers'
  | 'intents'
  | 'invoices'
  | 'paymentMethods'
  | 'payouts'
  | 'prices'
  | 'products'
  | 'refunds'
  | 'transactions';

/** The object that an id names. */
const to =
  (...names: readonly ShelfName[]): Expand =>
  (account, _object, value) => {
    if (typeof value !== 'string') return value;
    for (const name of names) {
      const found = (account[name] as unknown as Shelf<{ readonly id: string } & Fields>).find(value);
      if (found?.deleted) return { id: value, object: found.value['object'], deleted: true };
      if (found) return rendered(account, found.value);
    }
    return value;
  };

const asItIs: Expand = (_account, _object, value) => value;
const idOfObject = ({ id }: Fields): string => String(id);

/** What of an object may be expanded, by its kind. */
const EXPANDABLE: Readonly<Record<string, Readonly<Record<string, Expand>>>> = {
  customer: {
    default_source: asItIs,
    tax_ids: (account, object) => taxIdsOf(account, idOfObject(object)),
  },
  tax_id: { customer: to('customers') },
  product: { default_price: to('prices') },
  price: { product: to('products'), tiers: asItIs },
  invoice: {
    customer: to('customers'),
    default_payment_method: to('paymentMethods'),
    payments: (account, object) => embeddedInvoicePayments(account, idOfObject(object)),
  },
  invoice_payment: { invoice: to('invoices') },
  payment_intent: {
    customer: to('customers'),
    latest_charge: to('charges'),
    payment_method: to('paymentMethods'),
  },
  charge: {
    balance_transaction: to('transactions'),
    customer: to('customers'),
    payment_intent: to('intents'),
    refunds: (account, object) => {
      const id = idOfObject(object);
      const data = account.refunds.values().filter(({ charge }) => charge === id);
      return listOf(`/v1/charges/${id}/refunds`, data.slice(0, 10), data.length > 10);
    },
  },
  refund: { balance_transaction: to('transactions'), charge: to('charges'), payment_intent: to('intents') },
  dispute: { charge: to('charges'), payment_intent: to('intents') },
  payout: { balance_transaction: to('transactions'), destination: asItIs },
  balance_transaction: { source: to('charges', 'refunds', 'payouts') },
  payment_link: { line_items: (account, object) => embeddedLinkLines(account, idOfObject(object)) },
  subscription: {
    customer: to('customers'),
    default_payment_method: to('paymentMethods'),
    latest_invoice: to('invoices'),
  },
};

/** References within parts of an object, which have no kind of their own. */
const IN_PARTS: Readonly<Record<string, Expand>> = {
  charge: to('charges'),
  payment_intent: to('intents'),
  price: to('prices'),
};

const DEEPEST = 4;

/** An object as it is sent, without what is sent only where it is asked for. */
export function rendered(account: StripeAccount, object: object): Fields {
  const copy = structuredClone(object) as Fields;
  if (copy['object'] === 'invoice') copy['lines'] = embeddedInvoiceLines(account, idOfObject(copy));
  return copy;
}

/** Puts what a path leads to in the place of its id. */
export function expand(account: StripeAccount, body: Fields, path: string): void {
  const steps = path.split('.');
  if (steps.length > DEEPEST) throw new Refusal(cannotExpand(path));
  walk(account, body, { steps, path });
}

interface Walk {
  readonly steps: readonly string[];
  readonly path: string;
}

function walk(account: StripeAccount, at: unknown, { steps, path }: Walk): void {
  const [step, ...rest] = steps;
  if (step === undefined || at === null || typeof at !== 'object') return;
  if (Array.isArray(at)) {
    for (const one of at) walk(account, one, { steps, path });
    return;
  }
  const object = at as Fields;
  if (object['deleted'] === true) return;
  const kind = object['object'];
  const own = typeof kind === 'string' ? EXPANDABLE[kind]?.[step] : IN_PARTS[step];
  const value = object[step];
  if (own) object[step] = structuredClone(own(account, object, value));
  else if (value === undefined || (value !== null && typeof value !== 'object')) {
    throw new Refusal(cannotExpand(path));
  } else if (rest.length === 0) {
    throw new Refusal(cannotExpand(path));
  }
  walk(account, object[step], { steps: rest, path });
}
