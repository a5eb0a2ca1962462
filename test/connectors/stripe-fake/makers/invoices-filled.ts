import { BEGINNING, DAY, type StripeAccount } from '../account.js';
import { note } from '../events.js';
import { type Price } from '../wire.js';
import { makeInvoice, type LineSpec } from './invoices.js';
import { makePrice } from './catalogue.js';

const STATUSES = ['draft', 'open', 'paid', 'void', 'uncollectible', 'open', 'paid', 'draft'];
const CURRENCIES = ['usd', 'eur', 'jpy', 'kwd', 'isk', 'ugx'];
const UNITS = ['2000', '1.25', '1050', '333.3'];
const COUNT = 24;
const LONG = 120;

/** In all statuses and currencies; one has more lines than a page. */
export function fillInvoices(account: StripeAccount): void {
  const customers = account.customers.values();
  for (let index = 0; index < COUNT; index += 1) {
    const currency = CURRENCIES[index % CURRENCIES.length] ?? '';
    const created = BEGINNING - (26 - index) * 4 * DAY;
    const status = STATUSES[index % STATUSES.length] ?? '';
    const prices = pricesIn(account, currency, created - DAY);
    const invoice = makeInvoice(account, {
      created,
      currency,
      status,
      customer: index === 9 ? null : (customers[index * 5]?.id ?? null),
      lines: linesOf(account, index, prices),
      paid: index % STATUSES.length === 5 ? 100 : 0,
      startingBalance: index % 11 === 10 ? -50 : 0,
      own: oddities(index),
    });
    if (status === 'draft') continue;
    note(account, 'invoice.finalized', invoice, created + 3600);
    if (status === 'void') note(account, 'invoice.voided', invoice, created + 2 * DAY);
    note(account, 'invoice.updated', invoice, created + 2 * DAY);
  }
}

function oddities(index: number) {
  return {
    ...(index % 6 === 1 ? { due_date: null } : {}),
    // Of an import: when it was effective is not known.
    ...(index % 6 === 2 ? { effective_at: null } : {}),
    ...(index === 17 ? { metadata: null } : {}),
    // No discounts and no taxes, in the other way to say so.
    ...(index === 6 ? { total_discount_amounts: null, total_taxes: null } : {}),
    ...(index === 12
      ? {
          effective_at: null,
          status_transitions: {
            finalized_at: null,
            marked_uncollectible_at: null,
            paid_at: null,
            voided_at: null,
          },
        }
      : {}),
  };
}

const pricesIn = (account: StripeAccount, currency: string, created: number): Price[] => {
  const products = account.products.values().filter(({ default_price }) => default_price !== null);
  return UNITS.map((decimal, index) =>
    makePrice(account, products[index]?.id ?? '', { created, currency, unit_amount_decimal: decimal }),
  );
};

function linesOf(account: StripeAccount, index: number, prices: readonly Price[]): LineSpec[] {
  const rates = account.taxRates.values();
  const exclusive = rates.filter(({ inclusive }) => !inclusive);
  const inclusive = rates.filter((rate) => rate.inclusive);
  const discount = account.newId('di');
  const other = account.newId('di');
  const [plain = null, fraction = null, third = null, long = null] = prices;
  const some = (list: typeof rates, count: number) => list.slice(index % 3, (index % 3) + count);
  if (index === 6) return [{ price: plain, quantity: 2, discounts: null, rates: null }];
  if (index === 13) {
    return Array.from({ length: LONG }, (_, at) => ({
      price: at % 2 === 0 ? plain : fraction,
      quantity: at + 1,
      description: `Line ${at + 1}`,
      rates: at % 3 === 0 ? some(exclusive, 1) : [],
    }));
  }
  const few: LineSpec[] = [
    { price: plain, quantity: 3, description: 'Seats', rates: some(exclusive, 1) },
    { price: fraction, quantity: 1000, description: 'Calls', rates: some(inclusive, 1) },
    { price: third, quantity: 1, discounts: [[discount, 105]], rates: some(exclusive, 1) },
    {
      price: third,
      quantity: 2,
      discounts: [
        [discount, 210],
        [other, 17],
      ],
      rates: some(exclusive, 2),
    },
    { price: long, quantity: 30, rates: some(exclusive, 1), namesRates: false },
    { price: null, quantity: null, subtotal: 499, description: 'Set-up' },
    { price: null, quantity: 1, subtotal: -50, description: null },
  ];
  if (index % 7 === 5) return [...few, ...few];
  return few.slice(0, 1 + (index % few.length));
}
