import { type StripeAccount } from './account.js';

type Row = { readonly id: string };

/** What of an account is a record of ours. */
const MODELS: Readonly<Record<string, (account: StripeAccount) => readonly Row[]>> = {
  PAYMENT_CUSTOMERS: ({ customers }) => customers.values(),
  PAYMENT_ITEMS: ({ products }) => products.values(),
  PAYMENT_TAX_RATES: ({ taxRates }) => taxRates.values(),
  PAYMENT_INVOICES: ({ invoices }) => invoices.values(),
  // A charge without an intent is a payment of its own.
  PAYMENT_PAYMENTS: ({ intents, charges }) => [
    ...intents.values(),
    ...charges.values().filter(({ payment_intent }) => payment_intent === null),
  ],
  PAYMENT_REFUNDS: ({ refunds }) => refunds.values(),
  PAYMENT_DISPUTES: ({ disputes }) => disputes.values(),
  PAYMENT_PAYOUTS: ({ payouts }) => payouts.values(),
  PAYMENT_TRANSACTIONS: ({ transactions }) => transactions.values(),
  PAYMENT_BALANCES: ({ available }) =>
    [...available.keys()].map((currency) => ({ id: currency.toUpperCase() })),
  PAYMENT_PAYMENT_LINKS: ({ links }) => links.values(),
  PAYMENT_SUBSCRIPTIONS: ({ subscriptions }) => subscriptions.values(),
};

export function livingIdsOf(account: StripeAccount, dataModel: string): readonly string[] {
  const rows = MODELS[dataModel];
  if (!rows) throw new Error(`there is no ${dataModel}`);
  return rows(account).map(({ id }) => id);
}
