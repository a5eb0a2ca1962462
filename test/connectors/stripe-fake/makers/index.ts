import { StripeAccount } from '../account.js';
import { fillCatalogue } from './catalogue.js';
import { fillCustomers } from './customers.js';
import { fillInvoices } from './invoices-filled.js';
import { fillLinks } from './links.js';
import { fillIntents, fillInvoicePayments, fillLegacyCharges } from './payments-filled.js';
import { fillPayouts } from './payouts.js';
import { fillReversals } from './reversals.js';
import { fillSubscriptions } from './subscriptions.js';
import { fillTransactions } from './transactions.js';

/** An account with something of everything, the same each time. */
export function makeAccount(): StripeAccount {
  const account = new StripeAccount();
  fillCustomers(account);
  fillCatalogue(account);
  fillInvoices(account);
  fillIntents(account);
  fillInvoicePayments(account);
  fillLegacyCharges(account);
  fillReversals(account);
  fillPayouts(account);
  fillTransactions(account);
  fillLinks(account);
  fillSubscriptions(account);
  return account;
}
