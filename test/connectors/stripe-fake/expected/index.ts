import { Decimal } from 'decimal.js';

import { type UnifiedRecord } from '../../../../src/connectors/pull.js';
import { type Expected } from '../../conformance.js';
import { type StripeAccount } from '../account.js';
import { customersOf, itemsOf, taxRatesOf } from './catalogue.js';
import { invoicesOf } from './invoices.js';
import { balancesOf, disputesOf, payoutsOf, refundsOf, transactionsOf } from './money.js';
import { paymentsOf } from './payments.js';
import { linksOf, subscriptionsOf } from './sales.js';

const RECORDS: Readonly<Record<string, (account: StripeAccount) => readonly UnifiedRecord[]>> = {
  PAYMENT_CUSTOMERS: customersOf,
  PAYMENT_ITEMS: itemsOf,
  PAYMENT_TAX_RATES: taxRatesOf,
  PAYMENT_INVOICES: invoicesOf,
  PAYMENT_PAYMENTS: paymentsOf,
  PAYMENT_REFUNDS: refundsOf,
  PAYMENT_DISPUTES: disputesOf,
  PAYMENT_PAYOUTS: payoutsOf,
  PAYMENT_TRANSACTIONS: transactionsOf,
  PAYMENT_BALANCES: balancesOf,
  PAYMENT_PAYMENT_LINKS: linksOf,
  PAYMENT_SUBSCRIPTIONS: subscriptionsOf,
};

/** What the records of an account must be, made from its state. */
export const expectedOf = (account: StripeAccount): Expected => ({
  of: (dataModel) => {
    const records = RECORDS[dataModel];
    if (!records) throw new Error(`there is no ${dataModel}`);
    return records(account);
  },
  comparable: (_dataModel, { platformId, values, lines = {} }) => ({
    platformId,
    values: plain(values),
    lines: Object.fromEntries(
      Object.entries(lines)
        .map(([relation, own]) => {
          const isNameless = NAMELESS.includes(relation);
          const shown = own.map((line) => ({
            platformId: isNameless ? null : line.platformId,
            values: plain(line.values),
          }));
          return [relation, shown.filter((line) => !isNameless || saysSomething(line.values))] as const;
        })
        .filter(([, shown]) => shown.length > 0),
    ),
  }),
});

/** What Stripe has no ids for. */
const NAMELESS = ['phoneNumbers', 'addresses', 'externalLinks'];
const ABOUT = ['dataModel', 'dataModelId', 'type', 'updatedAt'];

const saysSomething = (values: object): boolean => Object.keys(values).some((name) => !ABOUT.includes(name));

/** Numbers that are no amounts count as what they are worth; amounts have the digits of their currency. */
const NUMBERS = ['quantity', 'rate'];

function plain(values: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values as Readonly<Record<string, unknown>>)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, NUMBERS.includes(name) ? new Decimal(String(value)).toFixed() : value]),
  );
}
