import { type Stripe } from 'stripe';

import { type StripeAccount } from './account.js';
import { type InvoiceLine, type LinkLine, listOf } from './wire.js';

/** What objects have embedded of their parts; the rest has a list of its own. */
const EMBEDDED = 10;

const first = <T>(url: string, all: readonly T[]): Stripe.ApiList<T> =>
  listOf(url, all.slice(0, EMBEDDED), all.length > EMBEDDED);

export const embeddedInvoiceLines = (account: StripeAccount, id: string): Stripe.ApiList<InvoiceLine> =>
  first(`/v1/invoices/${id}/lines`, account.invoiceLines.get(id) ?? []);

export const embeddedLinkLines = (account: StripeAccount, id: string): Stripe.ApiList<LinkLine> =>
  first(`/v1/payment_links/${id}/line_items`, account.linkLines.get(id) ?? []);

export const embeddedInvoicePayments = (
  account: StripeAccount,
  id: string,
): Stripe.ApiList<Stripe.InvoicePayment> =>
  first(
    `/v1/invoice_payments?invoice=${id}`,
    account.invoicePayments.values().filter(({ invoice }) => invoice === id),
  );

/** The newest first. */
export const taxIdsOf = (account: StripeAccount, id: string): Stripe.ApiList<Stripe.TaxId> =>
  first(
    `/v1/customers/${id}/tax_ids`,
    account.taxIds.values().filter(({ customer }) => customer === id),
  );
