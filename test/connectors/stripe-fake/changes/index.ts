import { type Mutation } from '../../conformance.js';
import { type StripeAccount } from '../account.js';
import { changeProducts, changeTaxRates } from './catalogue.js';
import { changeCustomers } from './customers.js';
import { changeInvoices } from './invoices.js';
import { changeBalances, changeDisputes, changePayouts, changeRefunds, changeTransactions } from './money.js';
import { changePayments } from './payments.js';
import { changeLinks, changeSubscriptions } from './sales.js';

const CHANGES: Readonly<Record<string, (account: StripeAccount) => Mutation>> = {
  PAYMENT_CUSTOMERS: changeCustomers,
  PAYMENT_ITEMS: changeProducts,
  PAYMENT_TAX_RATES: changeTaxRates,
  PAYMENT_INVOICES: changeInvoices,
  PAYMENT_PAYMENTS: changePayments,
  PAYMENT_REFUNDS: changeRefunds,
  PAYMENT_DISPUTES: changeDisputes,
  PAYMENT_PAYOUTS: changePayouts,
  PAYMENT_TRANSACTIONS: changeTransactions,
  PAYMENT_BALANCES: changeBalances,
  PAYMENT_PAYMENT_LINKS: changeLinks,
  PAYMENT_SUBSCRIPTIONS: changeSubscriptions,
};

/** Some records of a type change, some are new, and one is deleted where Stripe deletes such. */
export function mutate(account: StripeAccount, dataModel: string): Mutation {
  const change = CHANGES[dataModel];
  if (!change) throw new Error(`there is no ${dataModel}`);
  return change(account);
}
